"""Values of the two standing rulesets, kept between runs under the key of all they depend on."""

import pytest
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from games.analysis.setting_values import SettingValues
from games.analysis.value_store import setting_values
from tests.engine.builders import AS_WRITTEN, PUBLISHED

hypothesis_settings.register_profile(
    "analysis", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("analysis")


@pytest.fixture(scope="session")
def as_written() -> SettingValues:
    """The values under the rules as written."""
    return setting_values(AS_WRITTEN, folder=settings.ANALYSIS_DIR)


@pytest.fixture(scope="session")
def published() -> SettingValues:
    """The values under the rules of the published analysis."""
    return setting_values(PUBLISHED, folder=settings.ANALYSIS_DIR)
