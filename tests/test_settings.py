"""Production settings: they refuse what is unsafe, and pass Django's own deployment checks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
KEY = "a-key-of-production-0123456789-abcdefghijklmnopqrstuvwxyz"
SAFE = {
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "houseway.casino.example",
    "DATABASE_URL": "postgres://houseway@127.0.0.1:9/houseway",
    "REDIS_URL": "redis://127.0.0.1:9/0",
}


def manage(
    tmp_path: Path, *arguments: str, **changes: str | None
) -> subprocess.CompletedProcess[str]:
    """Run a management command with production settings; a change to None takes a variable away."""
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings.prod",
        "HOUSEWAY_VAR_DIR": str(tmp_path),
    }
    environment |= {key: value for key, value in (SAFE | changes).items() if value is not None}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY must have 50 characters or more"),
        ({"SECRET_KEY": KEY[:49]}, "SECRET_KEY must have 50 characters or more"),
        ({"DEBUG": "true"}, "DEBUG must not be set"),
        ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS must name the hosts, without wildcards"),
        ({"ALLOWED_HOSTS": "a.example,*"}, "ALLOWED_HOSTS must name the hosts, without wildcards"),
        ({"DATABASE_URL": None}, "DATABASE_URL must name a PostgreSQL database"),
        ({"DATABASE_URL": "sqlite:///a.sqlite3"}, "DATABASE_URL must name a PostgreSQL database"),
        ({"REDIS_URL": None}, "REDIS_URL must name the broker"),
    ],
)
def test_production_refuses_to_start(
    tmp_path: Path, changes: dict[str, str | None], words: str
) -> None:
    refused = manage(tmp_path, "check", **changes)
    assert refused.returncode == 1
    assert refused.stderr.splitlines() == [f"production settings refused: {words}"]


def test_production_names_every_fault_at_once(tmp_path: Path) -> None:
    refused = manage(tmp_path, "check", SECRET_KEY=None, REDIS_URL=None)
    assert refused.stderr == (
        "production settings refused: SECRET_KEY must have 50 characters or more;"
        " REDIS_URL must name the broker\n"
    )


@pytest.mark.slow
def test_production_passes_the_deployment_checks(tmp_path: Path) -> None:
    checked = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
def test_header_of_a_proxy_is_believed_only_when_told(tmp_path: Path) -> None:
    show = "from django.conf import settings; print(settings.SECURE_PROXY_SSL_HEADER)"
    assert manage(tmp_path, "shell", "--no-imports", "-c", show).stdout == "None\n"
    told = manage(tmp_path, "shell", "--no-imports", "-c", show, BEHIND_TLS_PROXY="true")
    assert told.stdout == "('HTTP_X_FORWARDED_PROTO', 'https')\n"
