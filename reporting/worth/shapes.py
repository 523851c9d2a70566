"""The shape of a worth in every answer that holds one: declared for OpenAPI, and filled."""

from dataclasses import fields
from typing import Any, Final

from rest_framework import serializers

from games.analysis.split import Split
from games.engine.odds import exact
from reporting.worth.split import ShownSplit, Worth, shown_split
from tables.api.schemas import Shape

_SHOWN: Final = tuple(item.name for item in fields(ShownSplit))
_EXACT: Final = ("theo", "player_error", "player_luck", "dealer_luck", "setting_theo")


def minor_field(help_text: str) -> serializers.IntegerField:
    """A whole number that may not be known yet."""
    return serializers.IntegerField(allow_null=True, help_text=help_text)


def exact_field(help_text: str) -> serializers.CharField:
    """An exact number that may not be known yet."""
    return serializers.CharField(allow_null=True, help_text=f"{help_text}, as `num/den`.")


class SplitOut(Shape):
    """Why the house won what it won; null while it is not known.

    In whole minor units theoretical win, player error, dealer error and luck add up to the house
    win; luck is what the rounding of the others leaves. The exact amounts add up exactly, with the
    dealer error, which is whole.
    """

    theo_minor = minor_field("Theoretical win: the bets' worth before the deal, with best play.")
    player_error_minor = minor_field("What the players' settings gave away against the best ones.")
    dealer_error_minor = minor_field("What the dealers' settings changed against the house way.")
    luck_minor = minor_field("What the cards did: the sum of the next two.")
    player_luck_minor = minor_field("What the players' cards did; negative when they were good.")
    dealer_luck_minor = minor_field("What the dealer's cards did, with rounding of odds and caps.")
    setting_theo_minor = minor_field("Theoretical win of the hands as they were set.")
    theo = exact_field("Theoretical win")
    player_error = exact_field("Player error")
    player_luck = exact_field("Luck of the players' cards")
    dealer_luck = exact_field("Luck of the dealer's cards")
    setting_theo = exact_field("Theoretical win of the hands as they were set")


class WorthOut(SplitOut):
    """The split of the house win, and how many bets have not been appraised yet."""

    bets_missing = serializers.IntegerField(
        help_text="Bets whose worth is not known yet; the split is null while there are any."
    )


def worth_as_dict(worth: Worth) -> dict[str, Any]:
    """The split of the house win, rounded and exact; all null while bets are not appraised."""
    return {"bets_missing": worth.bets_missing, **split_as_dict(worth.split)}


def split_as_dict(split: Split | None) -> dict[str, Any]:
    """A split in minor units: rounded so that it adds up, and exactly."""
    shown = shown_split(split) if split else None
    return {
        **{name: getattr(shown, name, None) for name in _SHOWN},
        **{name: exact(getattr(split, name)) if split else None for name in _EXACT},
    }
