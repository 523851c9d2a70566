"""Figures are tested with the values of the rulesets ready, as they are soon after a start."""

import pytest

from reporting.worth.services import prepare
from tests.builders import Floor


@pytest.fixture
def floor(floor: Floor) -> Floor:
    """The floor of all tests, with the values of its ruleset ready."""
    prepare([floor.casino.ruleset_id])
    return floor
