"""Take the ids of what was recorded before commands had keys, so that a repetition is still known.

Ids were unique with whoever sent them; where two at a property had used the same, the first keeps it.
"""

from django.db import migrations


def _round(played):
    return {
        "table": played.table.code,
        "occurred_at": played.occurred_at.isoformat(),
        "dealer": {
            "cards": played.dealer_cards,
            "low": played.dealer_low or None,
            "high": played.dealer_high or None,
        },
        "seats": [
            {
                "seat": hand.seat,
                "cards": hand.cards,
                "low": hand.low,
                "high": hand.high,
                "bets": {bet.wager: bet.amount_minor for bet in hand.bets.all()},
            }
            for hand in played.seat_hands.order_by("pk").prefetch_related("bets")
        ],
    }


def _void(void):
    return {
        "table": void.table.code,
        "sequence": void.round.sequence,
        "reason": void.reason,
        "authority": void.authority.username,
        "reason_code": void.reason_code,
    }


def _misdeal(misdeal):
    return {
        "reason": misdeal.reason,
        "authority": misdeal.authority.username,
        "table": misdeal.table.code,
        "occurred_at": misdeal.occurred_at.isoformat(),
        "kind": misdeal.kind,
        "seats_in_play": misdeal.seats_in_play,
        "stub_counted": misdeal.stub_counted,
    }


# The model, the names of its id and of who sent it, the command, its content.
KINDS = (
    ("Round", "round_id", "entered_by_id", "round_record", _round),
    ("RoundVoid", "void_id", "voided_by_id", "round_void", _void),
    ("Misdeal", "misdeal_id", "recorded_by_id", "misdeal_record", _misdeal),
)


def take_ids(apps, schema_editor):
    """Write the keys that are missing."""
    CommandKey = apps.get_model("tables", "CommandKey")
    for name, id_name, actor_name, command, content_of in KINDS:
        records = apps.get_model("tables", name).objects.select_related("table").order_by("pk")
        for record in records.iterator(chunk_size=500):
            taken = {
                "property_id": record.table.property_id,
                "client_id": getattr(record, id_name),
            }
            if not CommandKey.objects.filter(**taken).exists():
                CommandKey.objects.create(
                    **taken,
                    command=command,
                    request=content_of(record),
                    result=record.pk,
                    actor_id=getattr(record, actor_name),
                    recorded_at=record.recorded_at,
                )


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_users_have_memberships")]

    operations = [migrations.RunPython(take_ids, migrations.RunPython.noop)]
