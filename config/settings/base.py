"""Settings that hold everywhere; `dev`, `test` and `prod` build on them."""

from typing import Any, Final

from config import env
from config.beat_schedule import BEAT_SCHEDULE

BASE_DIR: Final = env.BASE_DIR
env.VAR_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = env.SECRET_KEY
DEBUG = False
ALLOWED_HOSTS = env.ALLOWED_HOSTS
CSRF_TRUSTED_ORIGINS = env.CSRF_TRUSTED_ORIGINS

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "games",
    "tables",
    "reporting",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tables.web.acting.acting_user",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ],
        },
    },
]

DATABASES: dict[str, dict[str, Any]] = {"default": env.database()}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock first, so that a read followed by a write cannot fail half-way;
    # recursive_triggers makes REPLACE fire the append-only triggers too.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA recursive_triggers=ON;"
        ),
    }
else:
    # Statements are planned once a connection and not once a round: a third of what an entry costs
    # the database. (A pooler in front of it must be one that knows prepared statements.)
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"].get("OPTIONS", {}),
        "server_side_binding": True,
        "prepare_threshold": 3,
    }
DATABASES["default"].setdefault("CONN_MAX_AGE", 600)
DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "tables.User"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign_in"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"

# A round is about 2 KiB; anything near this size is not one.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

CSRF_FAILURE_VIEW = "config.api_errors.csrf_failure"

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.api_authentication.PropertyTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["config.api_permissions.RolePermission"],
    "DEFAULT_PARSER_CLASSES": ["config.api_parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "tables.web.openapi.ShapeSchema",
    "EXCEPTION_HANDLER": "config.api_errors.handle_api_error",
    "COERCE_DECIMAL_TO_STRING": True,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Houseway",
    "DESCRIPTION": "Table-game management for Break Poker: rounds, house way, settlement, reports.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# What the exact mathematics found, kept for the next process; nothing is lost when it is removed.
ANALYSIS_DIR = env.VAR_DIR / "analysis"

# Work to do is a row in the database; this task is told that there may be some.
ROLL_UP_TASK = "reporting.roll_up"

CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_SOFT_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = BEAT_SCHEDULE
CELERY_BEAT_SCHEDULE_FILENAME = str(env.VAR_DIR / "celerybeat-schedule")
if env.REDIS_URL:
    CELERY_BROKER_URL = env.REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        # Above the longest task (see the time limits), so that none is started twice.
        "visibility_timeout": 300,
        "socket_connect_timeout": 1,
        "socket_timeout": 30,
    }
else:
    # Files as a broker: no server to install. It may lose a message; the sweep finds the work.
    _BROKER_DIR = env.VAR_DIR / "broker"
    for _name in ("queue", "control"):
        (_BROKER_DIR / _name).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "filesystem://localhost/"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_BROKER_DIR / "queue"),
        "data_folder_out": str(_BROKER_DIR / "queue"),
        "control_folder": str(_BROKER_DIR / "control"),
        "polling_interval": 0.5,
    }
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
