"""Take the ids of what-ifs that were asked before commands had keys."""

from django.db import migrations


def take_ids(apps, schema_editor):
    """Write the keys that are missing; an id that something else has taken keeps its first use."""
    CommandKey = apps.get_model("tables", "CommandKey")
    for what_if in apps.get_model("reporting", "WhatIf").objects.order_by("pk").iterator():
        taken = {"property_id": what_if.property_id, "client_id": what_if.what_if_id}
        if not CommandKey.objects.filter(**taken).exists():
            CommandKey.objects.create(
                **taken,
                command="what_if",
                request={"changes": what_if.changes, "last_rounds": what_if.last_rounds},
                result=what_if.pk,
                actor_id=what_if.asked_by_id,
                recorded_at=what_if.asked_at,
            )


class Migration(migrations.Migration):
    dependencies = [("reporting", "0003_worths"), ("tables", "0010_keys_of_old_records")]

    operations = [migrations.RunPython(take_ids, migrations.RunPython.noop)]
