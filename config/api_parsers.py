"""Reading request bodies: strict JSON, bounded in size and depth."""

from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from rest_framework.parsers import BaseParser

from games.engine.strict_json import decode_json
from tables.errors import DomainError

_CHUNK: Final = 1024 * 1024
# A refused body is read to its end up to here, so that its sender gets the answer, not a reset.
_DRAINED_MAX: Final = 128 * 1024 * 1024


class PayloadTooLargeError(DomainError):
    """A body larger than any request of this API."""

    code = "payload_too_large"
    status = 413


class StrictJSONParser(BaseParser):
    """JSON without duplicate keys, without boundless nesting, and of at most the upload limit."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002  (the framework's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        """Decode the body. Raises PayloadTooLargeError, and JSONDecodeFault naming the fault."""
        size_max = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(size_max + 1)
        if len(body) > size_max:
            drained = len(body)
            while drained < _DRAINED_MAX and (chunk := stream.read(_CHUNK)):
                drained += len(chunk)
            raise PayloadTooLargeError(
                f"expected a body of at most {size_max} bytes", size_max=size_max
            )
        return decode_json(body)
