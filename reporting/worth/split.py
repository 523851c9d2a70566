"""What some bets were worth, added up, and how it is shown. Pure: no clock, no database."""

from dataclasses import dataclass, field

from games.analysis.split import Split


@dataclass(frozen=True, slots=True)
class ShownSplit:
    """A split in whole minor units, which still add up to the result.

    Theoretical win, player error and the worth of the settings are rounded (half to even), dealer
    error is whole. Luck is what is left, so it may be a minor unit off its own rounding; of it the
    luck of the players' cards is rounded, and that of the dealer's is what is left again.
    """

    theo_minor: int
    player_error_minor: int
    dealer_error_minor: int
    luck_minor: int
    player_luck_minor: int
    dealer_luck_minor: int
    setting_theo_minor: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What some bets were worth, and how many of them have not been appraised yet.

    While there are such, the split is not known. What is voided does not make it known either, so
    the number of them never shrinks by subtraction.
    """

    bets_missing: int = 0
    sums: Split = field(default_factory=Split)

    def __add__(self, other: "Worth") -> "Worth":
        return Worth(self.bets_missing + other.bets_missing, self.sums + other.sums)

    def __neg__(self) -> "Worth":
        return Worth(self.bets_missing, -self.sums)

    @property
    def split(self) -> Split | None:
        """The result taken apart, exactly; None while it is not known."""
        return None if self.bets_missing else self.sums

    @property
    def shown(self) -> ShownSplit | None:
        """The same in whole minor units; None while it is not known."""
        return shown_split(self.sums) if self.split else None


def shown_split(split: Split) -> ShownSplit:
    """A split of a whole result as it is shown."""
    theo_minor, player_error_minor = round(split.theo), round(split.player_error)
    player_luck_minor = round(split.player_luck)
    luck_minor = round(split.actual) - theo_minor - player_error_minor - split.dealer_error_minor
    return ShownSplit(
        theo_minor=theo_minor,
        player_error_minor=player_error_minor,
        dealer_error_minor=split.dealer_error_minor,
        luck_minor=luck_minor,
        player_luck_minor=player_luck_minor,
        dealer_luck_minor=luck_minor - player_luck_minor,
        setting_theo_minor=round(split.setting_theo),
    )
