"""Add a casino and the first person who administers it, at the server's own console."""

import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tables.errors import DomainError
from tables.property.services.setup import add_administrator, add_property


class Command(BaseCommand):
    help = "Adds a property and an administrator, who sets everything else up."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="short code, such as LA")
        parser.add_argument("--name", required=True)
        parser.add_argument("--zone", required=True, help="time zone, such as America/Los_Angeles")
        parser.add_argument("--currency", required=True, help="ISO 4217 code, such as USD")
        parser.add_argument("--administrator", required=True, help="user name")
        parser.add_argument(
            "--password", help="asked for when left out; empty for a user who is there already"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        password = options["password"]
        if password is None:
            password = getpass.getpass(f"Password of {options['administrator']}: ")
        at = timezone.now()
        try:
            casino = add_property(
                code=options["code"],
                name=options["name"],
                zone=options["zone"],
                currency=options["currency"],
                at=at,
            )
            add_administrator(
                casino=casino, username=options["administrator"], password=password, at=at
            )
        except DomainError as error:
            raise CommandError(f"{error.detail.get('place', '')}: {error.message}") from error
        self.stdout.write(f"{casino.name} is there; {options['administrator']} administers it")
