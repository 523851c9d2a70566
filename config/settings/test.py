"""Tests: as development, with cheap password hashes and every template mistake shown."""

import copy

from config.settings import base
from config.settings.dev import *  # noqa: F403  (settings modules build on each other)

DEBUG = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A wake-up sent by a test goes nowhere.
CELERY_BROKER_URL = "memory://"
TEMPLATES = copy.deepcopy(base.TEMPLATES)
