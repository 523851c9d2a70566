"""What a casino is set up with: dated starts of gaming days, tables out of use, and guards."""

import django.db.models.deletion
from django.db import migrations, models

from tables.append_only import AppendOnly
from tables.guards import Guard

MEANING_CHANGES = """(
    OLD.currency <> NEW.currency OR OLD.minor_digits <> NEW.minor_digits OR OLD.zone <> NEW.zone
    OR OLD.gaming_day_start <> NEW.gaming_day_start
) AND (
    EXISTS (SELECT 1 FROM tables_gamingday WHERE property_id = OLD.id)
    OR EXISTS (
        SELECT 1 FROM tables_tablesession JOIN tables_table
        ON tables_table.id = tables_tablesession.table_id WHERE tables_table.property_id = OLD.id
    )
)"""


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0011_minor_digits'),
    ]

    operations = [
        migrations.CreateModel(
            name='GamingDayStart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_date', models.DateField()),
                ('starts_at', models.TimeField()),
                ('recorded_at', models.DateTimeField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='table',
            name='is_active',
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name='membership',
            name='role',
            field=models.CharField(choices=[('clerk', 'Pit clerk'), ('floor_supervisor', 'Floor supervisor'), ('surveillance', 'Surveillance'), ('manager', 'Manager'), ('administrator', 'Administrator')], max_length=32),
        ),
        migrations.AlterConstraint(
            model_name='table',
            name='table_main_limits_ordered',
            constraint=models.CheckConstraint(condition=models.Q(('main_minor_max__gte', models.F('main_minor_min')), ('main_minor_min__gt', 0)), name='table_main_limits_ordered', violation_error_message='expected a maximum of the main bet from its minimum on'),
        ),
        migrations.AlterConstraint(
            model_name='table',
            name='table_side_bet_limits_ordered',
            constraint=models.CheckConstraint(condition=models.Q(('side_bet_minor_max__gte', models.F('side_bet_minor_min')), ('side_bet_minor_min__gt', 0)), name='table_side_bet_limits_ordered', violation_error_message='expected a maximum of side bets from their minimum on'),
        ),
        migrations.AddField(
            model_name='gamingdaystart',
            name='property',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gaming_day_starts', to='tables.property'),
        ),
        AppendOnly("GamingDayStart"),
        *(
            Guard(
                f"{name}_stays",
                table=f"tables_{name}",
                event="UPDATE OF property_id",
                when="OLD.property_id <> NEW.property_id",
                message=f"a {name} stays at its property",
            )
            for name in ("table", "pit", "dealer", "membership")
        ),
        Guard(
            "membership_keeps_user",
            table="tables_membership",
            event="UPDATE OF user_id",
            when="OLD.user_id <> NEW.user_id",
            message="a membership stays with its user",
        ),
        Guard(
            "property_keeps_meaning",
            table="tables_property",
            event="UPDATE OF currency, minor_digits, zone, gaming_day_start",
            when=MEANING_CHANGES,
            message="what amounts and times of a property mean stays once something was recorded",
        ),
        *(
            Guard(
                f"{name}_never_deleted",
                table=f"tables_{name}",
                event="DELETE",
                when="1 = 1",
                message=f"a {name} is deactivated and never deleted",
            )
            for name in ("user", "membership")
        ),
    ]
