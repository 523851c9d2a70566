"""``manage.py settle``: rounds as JSON lines in, settlements as JSON lines out."""

import os
import sys
from argparse import ArgumentParser
from io import BufferedReader
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.errors import UnknownRulesetError
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, Ruleset, get_ruleset
from games.json_lines import answer_line, encode_answer, line_batches
from games.management.input_file import open_input
from games.management.progress import progress_bar


class Command(BaseCommand):
    help = (
        "Settle rounds. Reads one JSON object a line (id, dealer, seats) from FILE or standard "
        "input and writes one a line: the settlement, or the error of that line. The exit status "
        "is 1 if any line was bad, 2 if nothing could be done."
    )
    # Nothing here needs a database or a configured site.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: stdin")
        parser.add_argument("--ruleset", default=DEFAULT_RULESET_ID, metavar="ID")
        parser.add_argument("--ranks", action="store_true", help="cards are ranks without suits")

    def handle(self, **options: Any) -> None:
        try:
            ruleset = get_ruleset(options["ruleset"])
        except UnknownRulesetError as error:
            raise CommandError(error.message, returncode=2) from error
        card_entry = CardEntry.RANKS if options["ranks"] else CardEntry.SUITED
        with open_input(options["file"]) as stream:
            bad_count = self._settle_all(stream, ruleset, card_entry)
        if bad_count:
            sys.exit(1)

    def _settle_all(self, stream: BufferedReader, ruleset: Ruleset, card_entry: CardEntry) -> int:
        """Answer every line and return how many were bad."""
        bad_count = 0
        size = os.fstat(stream.fileno()).st_size
        progress = progress_bar(size or None, unit="B", unit_scale=True)
        try:
            with progress:
                for batch in line_batches(stream):
                    texts = []
                    for line in batch.lines:
                        answer = answer_line(line, ruleset, card_entry)
                        if answer is not None:
                            texts.append(encode_answer(answer.body) + "\n")
                            bad_count += answer.is_bad
                    if texts:
                        self.stdout.write("".join(texts), ending="")
                        self.stdout.flush()
                    progress.update(batch.byte_count)
        except BrokenPipeError:
            # The reader (head, say) has seen enough. What is still buffered goes nowhere, so that
            # the interpreter does not complain when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return bad_count
