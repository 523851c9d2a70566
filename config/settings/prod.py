"""Production: refuses to start rather than run unsafe; docs/operations.md names every variable."""

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.settings.base import *  # noqa: F403  (settings modules build on each other)

SECRET_KEY_LENGTH_MIN = 50

_FAULTS = {
    f"SECRET_KEY must have {SECRET_KEY_LENGTH_MIN} characters or more": (
        len(env.SECRET_KEY) < SECRET_KEY_LENGTH_MIN
    ),
    "DEBUG must not be set": env.HAS_DEBUG,
    "ALLOWED_HOSTS must name the hosts, without wildcards": (
        not env.ALLOWED_HOSTS or any("*" in host for host in env.ALLOWED_HOSTS)
    ),
    "DATABASE_URL must name a PostgreSQL database": (
        DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql"
    ),
    "REDIS_URL must name the broker": not env.REDIS_URL,
}
if any(_FAULTS.values()):
    raise ImproperlyConfigured(
        "production settings refused: "
        + "; ".join(fault for fault, is_there in _FAULTS.items() if is_there)
    )

SECURE_SSL_REDIRECT = True
if env.IS_BEHIND_TLS_PROXY:
    # Only with a proxy that always sets or removes this header may it be believed.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# W021: joining the browsers' preload list binds a whole domain, which is for its owner to decide.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"}
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": env.LOG_LEVEL},
}
