"""An audit from its start to its report: of the lines of a file, or of stored rounds."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BufferedReader
from time import perf_counter

from django.db.models import QuerySet

from games.analysis.batch.files import read_chunks
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, Ruleset, get_ruleset
from reporting.compliance.round_audit import AuditTally, warm_up
from tables.models import Round
from tables.rounds.reader import read_stored_rounds

# Called with how much more has been done: bytes of a file, or rounds.
Advance = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time went: tables and machine code, array code, and all the rest."""

    set_up: float
    audit: float
    reading: float


class AuditRun:
    """What one audit found, and its clock, which starts when the audit is made."""

    def __init__(self, *, listed_max: int) -> None:
        """Load what every audit needs, which takes a second."""
        self.tally = AuditTally(listed_max=listed_max)
        self._start = perf_counter()
        warm_up(get_ruleset(DEFAULT_RULESET_ID))
        self._set_up = perf_counter() - self._start

    @property
    def seconds(self) -> Seconds:
        """Where the time went until now."""
        audit = self.tally.audit_seconds
        reading = perf_counter() - self._start - self._set_up - audit
        return Seconds(set_up=self._set_up, audit=audit, reading=reading)

    def add_file(
        self, stream: BufferedReader, *, ruleset: Ruleset, card_entry: CardEntry, advance: Advance
    ) -> None:
        """Audit a round a line, all of them under one ruleset."""
        for chunk in read_chunks(stream, card_entry=card_entry):
            for line in chunk.bad_lines:
                named = "" if line.round_id is None else f" ({line.round_id})"
                self.tally.add_fault(f"line {line.number}{named}", line.error)
            self.tally.add_batch(chunk.round_ids, chunk.batch, ruleset)
            advance(chunk.byte_count)

    def add_stored(self, rounds: QuerySet[Round], *, advance: Advance) -> None:
        """Audit stored rounds, each under its own ruleset, and compare with what is stored."""
        for chunk in read_stored_rounds(rounds):
            self.tally.add_stored(chunk)
            advance(len(chunk))
