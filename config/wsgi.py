"""The WSGI application."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")

application = get_wsgi_application()

# What was loaded up to here lives as long as the process: it need not be searched for garbage
# again and again.
gc.collect()
gc.freeze()
