"""`load_demo`: the demo property, and how to sign in to it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tables.demo import DEMO_USERS, load_demo


class Command(BaseCommand):
    help = "Make the demo property if it is not there, and print its users and passwords."

    def handle(self, *args: Any, **options: Any) -> None:
        if not getattr(settings, "DEMO_IS_ALLOWED", False):
            raise CommandError("the demo property has known passwords: development settings only")
        was_made = load_demo(at=timezone.now())
        self.stdout.write("demo property made" if was_made else "demo property is there")
        for demo in DEMO_USERS:
            self.stdout.write(f"  {demo.role.label:<17} {demo.username:<13} {demo.password}")
