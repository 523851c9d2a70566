"""The file that a command reads."""

import sys
from io import BufferedReader
from pathlib import Path

from django.core.management.base import CommandError


def open_input(name: str) -> BufferedReader:
    """Return the file, or standard input for ``-``, as bytes; raises CommandError, status 2."""
    try:
        if name == "-":
            return open(sys.stdin.fileno(), "rb", closefd=False)
        return Path(name).open("rb")
    except OSError as error:
        message = f"cannot read {name}: {error.strerror}"
        raise CommandError(message, returncode=2) from error
