"""Production settings with the yardstick's view in place of the product's."""

from config.settings.prod import *  # noqa: F403  (settings modules build on each other)

ROOT_URLCONF = "tests.bench.yardstick"
