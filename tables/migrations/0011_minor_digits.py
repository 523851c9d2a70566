"""Minor digits are stored with the property: amounts keep meaning what they meant."""

from babel.numbers import get_currency_precision
from django.db import migrations, models


def keep_digits(apps, schema_editor):
    """What the amounts of a property have been read by until now."""
    for casino in apps.get_model("tables", "Property").objects.all():
        casino.minor_digits = get_currency_precision(casino.currency)
        casino.save(update_fields=["minor_digits"])


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_keys_of_old_records")]

    operations = [
        migrations.AddField(
            "property", "minor_digits", models.PositiveSmallIntegerField(default=2)
        ),
        migrations.RunPython(keep_digits, migrations.RunPython.noop),
        migrations.AlterField("property", "minor_digits", models.PositiveSmallIntegerField()),
        migrations.AddConstraint(
            "property",
            models.CheckConstraint(
                condition=models.Q(minor_digits__lte=4), name="property_minor_digits_to_4"
            ),
        ),
    ]
