"""Why a bet, or a sum of bets, came out as it did: theo, player error, dealer error and luck.

    actual = theo + player error + dealer error + luck

All amounts are the house's, in minor units and exact. Everything here is linear in the stake, so
the same formula holds for one bet and for a million.
"""

from dataclasses import dataclass
from fractions import Fraction

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Split:
    """The house's result of some bets, taken apart; the parts add up to it exactly.

    ``theo`` is what the bets were worth before any card was dealt, with best play.
    ``player_error`` is what the settings gave away against the best ones; never negative for a
    bet. ``dealer_error_minor`` is what the dealer's setting changed against the house way.
    ``player_luck`` is what the players' seven cards were better or worse than average (for the
    house: negative when they were good), ``dealer_luck`` the rest that the dealer's seven cards
    decided; rounding of odds and caps on wins fall into it (BP-8.3).
    """

    theo: Fraction = _ZERO
    player_error: Fraction = _ZERO
    dealer_error_minor: int = 0
    player_luck: Fraction = _ZERO
    dealer_luck: Fraction = _ZERO

    def __add__(self, other: "Split") -> "Split":
        return Split(
            self.theo + other.theo,
            self.player_error + other.player_error,
            self.dealer_error_minor + other.dealer_error_minor,
            self.player_luck + other.player_luck,
            self.dealer_luck + other.dealer_luck,
        )

    def __neg__(self) -> "Split":
        return Split(
            -self.theo,
            -self.player_error,
            -self.dealer_error_minor,
            -self.player_luck,
            -self.dealer_luck,
        )

    @property
    def luck(self) -> Fraction:
        """What the cards did, of the players and of the dealer."""
        return self.player_luck + self.dealer_luck

    @property
    def setting_theo(self) -> Fraction:
        """What the hands as they were set were worth, before the dealer's cards: by skill."""
        return self.theo + self.player_luck + self.player_error

    @property
    def actual(self) -> Fraction:
        """The sum of the parts: what the house won."""
        return self.theo + self.player_error + self.dealer_error_minor + self.luck


def split_result(
    *,
    theo: Fraction,
    best_net: Fraction,
    setting_net: Fraction,
    house_way_minor: int,
    dealer_error_minor: int,
) -> Split:
    """Take a result apart; each part by its own definition, none as what is left.

    ``theo`` is the house's; ``best_net`` and ``setting_net`` are the player's expected nets with
    the best settings and with those that were made. ``house_way_minor`` is what the house won, or
    would have won, against the same cards with the dealer's hand set the house way.
    """
    return Split(
        theo=theo,
        player_error=best_net - setting_net,
        dealer_error_minor=dealer_error_minor,
        player_luck=-best_net - theo,
        dealer_luck=house_way_minor + setting_net,
    )
