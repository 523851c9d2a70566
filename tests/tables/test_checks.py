"""The check of the stored set-up: no property plays by rules that this release does not hold."""

from django.core.checks import run_checks

from tables.models import Property
from tests.builders import Floor


def _faults() -> list[str]:
    return [
        str(fault.msg) for fault in run_checks(databases=["default"]) if fault.id == "tables.E001"
    ]


def test_rulesets_of_this_release_pass(floor: Floor) -> None:
    assert _faults() == []


def test_a_ruleset_that_is_not_in_this_release_is_named(floor: Floor) -> None:
    Property.objects.update(ruleset_id="break-poker/unheard-of@1")
    (fault,) = _faults()
    assert "property LA plays by the ruleset 'break-poker/unheard-of@1'" in fault
