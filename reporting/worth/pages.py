"""What a round was worth, as a page for everyone who may see the round."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reporting.worth.selectors import DEALER_HANDS, summarise_round_worth
from tables.permissions import Command
from tables.rounds.selectors import get_round_for
from tables.web.access import command_required, user_of
from tables.web.rendering import page


@require_safe
@command_required(Command.ROUND_READ, parameters=[])
def round_worth(request: HttpRequest, table: str, sequence: int) -> HttpResponse:
    """What a recorded round was worth, bet by bet, and why it came out as it did."""
    played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
    context = {
        "round": played,
        "void": getattr(played, "void", None),
        "appraised": summarise_round_worth(played),
        "dealer_hands": f"{DEALER_HANDS:,}",
    }
    return page(request, "reporting/round_worth.html", context)
