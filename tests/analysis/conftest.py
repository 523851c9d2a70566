"""Values of the two standing rulesets, as the program under test computes them."""

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from games.analysis.setting_values import SettingValues, evaluate_settings
from tests.engine.builders import AS_WRITTEN, PUBLISHED

hypothesis_settings.register_profile(
    "analysis", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("analysis")


@pytest.fixture(scope="session")
def as_written() -> SettingValues:
    """The values under the rules as written."""
    return evaluate_settings(AS_WRITTEN)


@pytest.fixture(scope="session")
def published() -> SettingValues:
    """The values under the rules of the published analysis."""
    return evaluate_settings(PUBLISHED)
