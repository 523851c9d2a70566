"""Time as a person types it: the property's wall clock, which skips an hour and repeats one."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from games.engine.errors import shown
from tables.errors import FieldError
from tables.property.models import Property
from tables.web.formats import localtime

_WALL: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?", re.ASCII)
WHICH: Final = ("first", "second")


@dataclass(frozen=True, slots=True)
class TypedTime:
    """A wall-clock time as typed; `which` of the two when the clocks have repeated it."""

    text: str
    which: str = ""

    def instants(self, *, place: str, casino: Property) -> tuple[dt.datetime, ...]:
        """The one instant, or the two, that the clock showed so. Raises FieldError for none."""
        if not _WALL.fullmatch(self.text):
            message = f"expected a date and a time, got {shown(self.text)}"
            raise FieldError(message, place=place)
        try:
            wall = dt.datetime.fromisoformat(self.text)
            readings = [wall.replace(tzinfo=casino.tzinfo, fold=fold) for fold in (0, 1)]
            instants = {reading.astimezone(dt.UTC) for reading in readings}
            found = [at for at in instants if _wall_of(at, casino) == wall]
        except (ValueError, OverflowError) as error:
            message = f"expected a time that exists, got {shown(self.text)}"
            raise FieldError(message, place=place) from error
        if not found:
            message = f"expected a time that the clocks did not skip, got {shown(self.text)}"
            raise FieldError(message, place=place)
        return tuple(sorted(found))

    def instant(self, *, place: str, casino: Property) -> dt.datetime:
        """The instant meant. Raises FieldError, also when it is not said which of two."""
        found = self.instants(place=place, casino=casino)
        if len(found) == 1:
            return found[0]
        if self.which not in WHICH:
            message = "the clocks were set back: say whether the first or the second is meant"
            raise FieldError(message, place=place)
        return found[WHICH.index(self.which)]

    def choices(self, *, casino: Property) -> tuple[tuple[str, str], ...]:
        """What to choose from when the clock showed this time twice, else nothing."""
        try:
            found = self.instants(place="", casino=casino)
        except FieldError:
            return ()
        if len(found) == 1:
            return ()
        return tuple(zip(WHICH, [localtime(at, casino) for at in found], strict=True))


def which_name(name: str) -> str:
    """The name of the choice beside a field of a local time."""
    return f"{name.removesuffix('_at')}_which"


def typed_time_of(at: dt.datetime, *, casino: Property) -> TypedTime:
    """An instant as it would be typed, to the second."""
    whole = at.replace(microsecond=0)
    typed = TypedTime(_wall_of(whole, casino).isoformat())
    found = typed.instants(place="", casino=casino)
    which = WHICH[found.index(whole.astimezone(dt.UTC))] if len(found) > 1 else ""
    return TypedTime(typed.text, which)


def _wall_of(at: dt.datetime, casino: Property) -> dt.datetime:
    return at.astimezone(casino.tzinfo).replace(tzinfo=None)
