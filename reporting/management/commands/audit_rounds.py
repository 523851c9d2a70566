"""``manage.py audit_rounds``: house way, compliance and settlement of very many rounds."""

import datetime as dt
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.analysis.batch.files import read_chunks
from games.engine.errors import EngineError
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, get_ruleset
from games.engine.settlement import Compliance
from games.management.input_file import open_input
from games.management.progress import progress_bar
from reporting.audit_selectors import (
    find_property,
    list_currencies,
    list_rounds_to_audit,
    read_stored_rounds,
)
from reporting.round_audit import AuditTally, warm_up

LISTED_MAX: Final = 1_000


class Command(BaseCommand):
    help = (
        "Audit rounds: of a file (one JSON object a line, as for settle) under one ruleset, or of "
        "the gaming days --from to --to, each under its own ruleset and compared with what is "
        "stored. The exit status is 1 if a round could not be read or a stored settlement differs, "
        "2 if nothing could be done. A dealer's deviation is a finding and no failure."
    )
    # A file needs no database and no configured site.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="- for standard input")
        parser.add_argument("--ruleset", metavar="ID", help="of a file; default: the default one")
        parser.add_argument("--ranks", action="store_true", help="of a file without suits")
        parser.add_argument("--from", dest="first_day", metavar="DATE", help="first gaming day")
        parser.add_argument("--to", dest="last_day", metavar="DATE", help="last gaming day")
        parser.add_argument("--property", metavar="CODE", help="of gaming days; default: all")
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument(
            "--list",
            dest="listed_max",
            type=int,
            default=LISTED_MAX,
            metavar="N",
            help=f"list at most N finds of a kind, default {LISTED_MAX}; all are counted",
        )

    def handle(self, **options: Any) -> None:
        tally = AuditTally(listed_max=max(options["listed_max"], 0))
        start = perf_counter()
        try:
            warm_up_seconds = self._audit(tally, options)
        except EngineError as error:
            raise CommandError(str(error), returncode=2) from error
        except DatabaseError as error:
            reason = str(error).strip().partition("\n")[0]
            raise CommandError(f"cannot read the records: {reason}", returncode=2) from error
        seconds = Seconds(
            set_up=warm_up_seconds,
            audit=tally.audit_seconds,
            reading=perf_counter() - start - warm_up_seconds - tally.audit_seconds,
        )
        summary = _summary(tally, seconds)
        self._write(json.dumps(summary) if options["json"] else "\n".join(_lines(tally, seconds)))
        if not tally.is_clean:
            sys.exit(1)

    def _audit(self, tally: AuditTally, options: dict[str, Any]) -> float:
        """Audit what the options ask for, and return how many seconds the preparation took."""
        is_range = options["first_day"] is not None or options["last_day"] is not None
        if is_range == (options["file"] is not None):
            raise CommandError("expected either FILE or --from and --to", returncode=2)
        if is_range and (options["ruleset"] is not None or options["ranks"]):
            message = "--ruleset and --ranks are for a FILE: records tell their own"
            raise CommandError(message, returncode=2)
        if not is_range and options["property"] is not None:
            raise CommandError("--property is for --from and --to", returncode=2)
        return self._audit_days(tally, options) if is_range else self._audit_file(tally, options)

    def _audit_file(self, tally: AuditTally, options: dict[str, Any]) -> float:
        ruleset = get_ruleset(options["ruleset"] or DEFAULT_RULESET_ID)
        card_entry = CardEntry.RANKS if options["ranks"] else CardEntry.SUITED
        with open_input(options["file"]) as stream:
            warm_up_seconds = _timed_warm_up()
            size = os.fstat(stream.fileno()).st_size
            with progress_bar(size or None, unit="B", unit_scale=True) as progress:
                for chunk in read_chunks(stream, card_entry=card_entry):
                    for line in chunk.bad_lines:
                        named = "" if line.round_id is None else f" ({line.round_id})"
                        tally.add_fault(f"line {line.number}{named}", line.error)
                    tally.add_batch(chunk.round_ids, chunk.batch, ruleset)
                    progress.update(chunk.byte_count)
        return warm_up_seconds

    def _audit_days(self, tally: AuditTally, options: dict[str, Any]) -> float:
        first_day, last_day = _day(options, "first_day"), _day(options, "last_day")
        if first_day > last_day:
            message = f"expected --from no later than --to, got {first_day} and {last_day}"
            raise CommandError(message, returncode=2)
        code = options["property"]
        if code is not None and find_property(code=code) is None:
            raise CommandError(f"expected the code of a property, got {code!r}", returncode=2)
        rounds = list_rounds_to_audit(first_day=first_day, last_day=last_day, property_code=code)
        currencies = list_currencies(rounds)
        if len(currencies) > 1:
            message = f"expected one currency, got {', '.join(currencies)}: name a --property"
            raise CommandError(message, returncode=2)
        warm_up_seconds = _timed_warm_up()
        with progress_bar(rounds.count(), unit=" rounds") as progress:
            for chunk in read_stored_rounds(rounds):
                tally.add_stored(chunk)
                progress.update(len(chunk))
        return warm_up_seconds

    def _write(self, text: str) -> None:
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough. What is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time went: tables and machine code, array code, and all the rest."""

    set_up: float
    audit: float
    reading: float


def _timed_warm_up() -> float:
    start = perf_counter()
    warm_up(get_ruleset(DEFAULT_RULESET_ID))
    return perf_counter() - start


def _day(options: dict[str, Any], name: str) -> dt.date:
    option = "--from" if name == "first_day" else "--to"
    text = options[name]
    if text is None:
        raise CommandError(f"expected {option} too", returncode=2)
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        message = f"expected a day such as 2026-11-29 after {option}, got {text!r}"
        raise CommandError(message, returncode=2) from error


def _rate(tally: AuditTally, seconds: Seconds) -> int:
    """Dealer hands a second of the array code."""
    return round(tally.round_count / seconds.audit) if seconds.audit else 0


def _summary(tally: AuditTally, seconds: Seconds) -> dict[str, Any]:
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
        "hands_a_second": _rate(tally, seconds),
    }


def _lines(tally: AuditTally, seconds: Seconds) -> Iterator[str]:
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
    yield f"dealer hands a second {_rate(tally, seconds):>16,}"
