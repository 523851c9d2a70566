"""Compute figures, and what bets were worth, again from the records, or check them."""

import datetime as dt
from argparse import ArgumentTypeError
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from reporting.figures.roll_ups import list_roll_ups
from reporting.figures.services import rebuild
from reporting.worth.services import find_worth_differences


class Command(BaseCommand):
    help = (
        "Computes the figures of the reports, and what each bet was worth, again from the rounds "
        "and voids. With --check it changes nothing: it prints each line of figures and each worth "
        "that differs and exits with status 1 if one does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only")
        parser.add_argument("--from", dest="first_day", type=_day, help="first gaming day")
        parser.add_argument("--to", dest="last_day", type=_day, help="last gaming day")

    def handle(self, *_args: Any, **options: Any) -> None:
        first_day, last_day = options["first_day"], options["last_day"]
        if options["check"]:
            if first_day or last_day:
                raise CommandError("--check compares all days: expected no --from and no --to")
            self._check()
        else:
            rebuild(at=timezone.now(), first_day=first_day, last_day=last_day)
            self.stdout.write("The figures were computed again from the records.")

    def _check(self) -> None:
        lines = worths = 0
        for difference in chain.from_iterable(each.find_differences() for each in list_roll_ups()):
            lines += 1
            source = "rolled up" if difference.is_rolled_up else "straight sum"
            self.stdout.write(f"{source}: {difference.line}")
        for worth in find_worth_differences():
            worths += 1
            self.stdout.write(f"stored: {worth.stored or 'no worth'}")
            self.stdout.write(f"computed: {worth.computed or 'no worth'}")
        if lines or worths:
            raise CommandError(
                f"{lines} lines differ and {worths} worths; "
                "rebuild_rollups computes the figures again"
            )
        self.stdout.write("The figures are the straight sum of the records.")


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"expected a day such as 2026-11-29, got {text!r}") from error
