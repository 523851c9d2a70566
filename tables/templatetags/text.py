"""Text that people wrote, shown so that it cannot change how the page around it reads."""

import unicodedata
from typing import Final

from django import template

register = template.Library()

# Joiners that the spelling of names needs, and line ends.
_KEPT: Final = frozenset("\n\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cs"})


@register.filter
def visible(text: object) -> str:
    """The text with characters that cannot be seen written out: `[U+202E]` turns no row round."""
    return "".join(
        f"[U+{ord(character):04X}]"
        if unicodedata.category(character) in _UNSEEN and character not in _KEPT
        else character
        for character in str(text)
    )
