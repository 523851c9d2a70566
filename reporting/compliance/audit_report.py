"""A finished audit as JSON and as lines of text."""

from collections.abc import Iterator
from typing import Any

from games.engine.settlement import Compliance
from reporting.compliance.audit_run import AuditRun


def _rate(run: AuditRun) -> int:
    """Dealer hands a second of the array code."""
    return round(run.tally.round_count / run.seconds.audit) if run.seconds.audit else 0


def run_as_dict(run: AuditRun) -> dict[str, Any]:
    """All of it as JSON."""
    tally, seconds = run.tally, run.seconds
    return {
        "rounds": tally.round_count,
        "dealer_hands": tally.round_count,
        "seats": tally.seat_count,
        "compliance": {item.value: tally.compliances[item.value] for item in Compliance},
        "steps": dict(sorted(tally.rules.items())),
        "house_net_minor": tally.house_net_minor,
        "deviations": {
            "count": tally.compliances["deviation"],
            "cost_minor": tally.deviation_cost_minor,
            "listed": [item._asdict() for item in tally.deviations],
        },
        "differing_rounds": {
            "count": tally.differing_count,
            "listed": [item._asdict() for item in tally.differences],
        },
        "unreadable": {
            "count": tally.fault_count,
            "listed": [item._asdict() for item in tally.faults],
        },
        "seconds": {
            "set_up": round(seconds.set_up, 3),
            "reading": round(seconds.reading, 3),
            "audit": round(seconds.audit, 6),
        },
        "hands_a_second": _rate(run),
    }


def run_as_lines(run: AuditRun) -> Iterator[str]:
    """What was found, then the counts and how long it took, for people."""
    tally, seconds = run.tally, run.seconds
    for title, finds, count in (
        ("could not be read", tally.faults, tally.fault_count),
        ("deviates from the house way", tally.deviations, tally.compliances["deviation"]),
        ("differs from what is stored", tally.differences, tally.differing_count),
    ):
        if count:
            yield f"{title}: {count:,}"
            yield from (f"  {find}" for find in finds)
    yield f"rounds              {tally.round_count:>18,}"
    yield f"seats               {tally.seat_count:>18,}"
    for item in Compliance:
        yield f"  {item.value.replace('_', ' '):<18}{tally.compliances[item.value]:>18,}"
    for rule, count in sorted(tally.rules.items()):
        yield f"  {rule:<18}{count:>18,}"
    yield f"house net, minor    {tally.house_net_minor:>18,}"
    yield f"deviations cost     {tally.deviation_cost_minor:>18,}"
    yield f"could not be read   {tally.fault_count:>18,}"
    yield f"differ              {tally.differing_count:>18,}"
    yield f"seconds to prepare  {seconds.set_up:>18.2f}"
    yield f"seconds to read     {seconds.reading:>18.2f}"
    yield f"seconds to audit    {seconds.audit:>18.4f}"
    yield f"dealer hands a second {_rate(run):>16,}"
