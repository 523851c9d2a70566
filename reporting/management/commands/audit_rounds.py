"""``manage.py audit_rounds``: house way, compliance and settlement of very many rounds."""

import datetime as dt
import json
import os
import sys
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.engine.errors import EngineError
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, get_ruleset
from games.management.input_file import open_input
from games.management.progress import progress_bar
from reporting.compliance.audit_report import run_as_dict, run_as_lines
from reporting.compliance.audit_run import AuditRun
from reporting.compliance.selectors import get_rounds_to_audit
from tables.errors import DomainError

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
        try:
            run = self._audit(options)
        except (DomainError, EngineError) as error:
            raise CommandError(str(error), returncode=2) from error
        except DatabaseError as error:
            reason = str(error).strip().partition("\n")[0]
            raise CommandError(f"cannot read the records: {reason}", returncode=2) from error
        self._write(
            json.dumps(run_as_dict(run)) if options["json"] else "\n".join(run_as_lines(run))
        )
        if not run.tally.is_clean:
            sys.exit(1)

    def _audit(self, options: dict[str, Any]) -> AuditRun:
        is_range = options["first_day"] is not None or options["last_day"] is not None
        if is_range == (options["file"] is not None):
            raise CommandError("expected either FILE or --from and --to", returncode=2)
        if is_range and (options["ruleset"] is not None or options["ranks"]):
            message = "--ruleset and --ranks are for a FILE: records tell their own"
            raise CommandError(message, returncode=2)
        if not is_range and options["property"] is not None:
            raise CommandError("--property is for --from and --to", returncode=2)
        listed_max = max(options["listed_max"], 0)
        audit = _audit_days if is_range else _audit_file
        return audit(options, listed_max)

    def _write(self, text: str) -> None:
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough. What is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _audit_file(options: dict[str, Any], listed_max: int) -> AuditRun:
    ruleset = get_ruleset(options["ruleset"] or DEFAULT_RULESET_ID)
    card_entry = CardEntry.RANKS if options["ranks"] else CardEntry.SUITED
    with open_input(options["file"]) as stream:
        run = AuditRun(listed_max=listed_max)
        size = os.fstat(stream.fileno()).st_size
        with progress_bar(size or None, unit="B", unit_scale=True) as progress:
            run.add_file(stream, ruleset=ruleset, card_entry=card_entry, advance=progress.update)
    return run


def _audit_days(options: dict[str, Any], listed_max: int) -> AuditRun:
    first_day, last_day = _day(options, "first_day"), _day(options, "last_day")
    if first_day > last_day:
        message = f"expected --from no later than --to, got {first_day} and {last_day}"
        raise CommandError(message, returncode=2)
    rounds = get_rounds_to_audit(
        first_day=first_day, last_day=last_day, property_code=options["property"]
    )
    run = AuditRun(listed_max=listed_max)
    with progress_bar(rounds.count(), unit=" rounds") as progress:
        run.add_stored(rounds, advance=progress.update)
    return run


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
