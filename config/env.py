"""The one reader of the environment: every variable the product obeys, with its default."""

import os
from pathlib import Path
from typing import Any, Final

import environ

BASE_DIR: Final = Path(__file__).resolve().parent.parent
_env = environ.Env()

VAR_DIR: Final = Path(_env.str("HOUSEWAY_VAR_DIR", default=str(BASE_DIR / "var")))
# Where the compiler of the mathematics keeps machine code for the next process; it reads no other
# setting, and only before it is loaded.
os.environ.setdefault("NUMBA_CACHE_DIR", str(VAR_DIR / "kernels"))
REDIS_URL: Final[str] = _env.str("REDIS_URL", default="")
SECRET_KEY: Final[str] = _env.str("SECRET_KEY", default="")
ALLOWED_HOSTS: Final[list[str]] = _env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS: Final[list[str]] = _env.list("CSRF_TRUSTED_ORIGINS", default=[])
LOG_LEVEL: Final[str] = _env.str("LOG_LEVEL", default="INFO")
PORT: Final[int] = _env.int("PORT", default=8000)
HAS_DEBUG: Final[bool] = _env.bool("DEBUG", default=False)
IS_BEHIND_TLS_PROXY: Final[bool] = _env.bool("BEHIND_TLS_PROXY", default=False)


def database() -> dict[str, Any]:
    """Django's settings of the database named by DATABASE_URL; by default SQLite in VAR_DIR."""
    return dict(_env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'houseway.sqlite3'}"))
