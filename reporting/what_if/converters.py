"""The part of an address that names a what-if."""

from tables.shapes import CLIENT_ID


class ClientIdConverter:
    """An id that a client has made."""

    regex = CLIENT_ID.pattern

    def to_python(self, value: str) -> str:
        """The id as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """The id as it stands."""
        return value
