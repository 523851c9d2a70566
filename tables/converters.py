"""Path parts that can name a record; anything else is no address at all."""


class TableCodeConverter:
    """The code of a table."""

    regex = "[A-Z0-9][A-Z0-9-]{0,15}"

    def to_python(self, value: str) -> str:
        """The code as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """The code as it stands."""
        return value


class SequenceConverter:
    """A round's number at its table; longer than any database's integer is no number."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """The number in digits."""
        return str(value)
