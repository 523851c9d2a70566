"""What-ifs over REST."""

from typing import Any

from reporting.what_if.selectors import get_what_if_for
from reporting.what_if.shapes import WhatIfOut
from tables.permissions import Command
from tables.property.models import User
from tables.web.api import ReadApi


class WhatIfApi(ReadApi):
    """How far the answer has come, and the answer."""

    commands = {"GET": Command.WHAT_IF}
    operation_ids = {"GET": "what_if"}
    answer = WhatIfOut

    def find(self, user: User, **address: Any) -> WhatIfOut:
        """The what-if of an address."""
        return WhatIfOut.of(get_what_if_for(user=user, what_if_id=address["what_if_id"]))
