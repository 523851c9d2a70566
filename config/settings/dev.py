"""Development: what `./dev run` uses on one machine."""

from config.settings.base import *  # noqa: F403  (settings modules build on each other)

DEBUG = True
SECRET_KEY = "development-only-key-never-used-in-production"  # noqa: S105  (not a secret)
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
DEMO_IS_ALLOWED = True
