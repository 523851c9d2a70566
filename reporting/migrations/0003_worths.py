import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models


def mark_all(apps, schema_editor):
    """Have every bucket rolled up again: the lines of the release before lack what bets were worth."""
    lines = apps.get_model('reporting', 'BucketLine').objects
    mark = apps.get_model('tables', 'DirtyBucket')
    names = ('table_id', 'dealer_id', 'shift_id', 'hour')
    buckets = lines.order_by().values_list(*names).distinct()
    mark.objects.bulk_create(mark(**dict(zip(names, bucket))) for bucket in buckets.iterator())


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0002_what_if'),
        ('tables', '0002_append_only'),
    ]

    operations = [
        migrations.CreateModel(
            name='BetWorth',
            fields=[
                ('bet', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='worth', serialize=False, to='tables.bet')),
                ('denominator', models.BigIntegerField()),
                ('best_value', models.BigIntegerField()),
                ('setting_value', models.BigIntegerField()),
                ('wins', models.IntegerField()),
                ('losses', models.IntegerField()),
                ('best_low', models.CharField(blank=True, max_length=8)),
                ('best_high', models.CharField(blank=True, max_length=16)),
                ('dealer_error_minor', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='WagerValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset_id', models.CharField(max_length=64)),
                ('wager', models.CharField(choices=[('main', 'main'), ('dealer_break_bonus', 'dealer_break_bonus'), ('break_bonus', 'break_bonus')], max_length=32)),
                ('expected_value', models.CharField(max_length=100)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='bucketline',
            name='bucketline_unique',
        ),
        migrations.RemoveConstraint(
            model_name='bucketline',
            name='bucketline_unique_without_dealer',
        ),
        migrations.AddField(
            model_name='bucketline',
            name='appraised_count',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='dealer_error_minor',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='denominator',
            field=models.BigIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='player_error_minor',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='player_error_rest',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='returned_minor',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='returned_rest',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='bucketline',
            name='ruleset_id',
            field=models.CharField(default='', max_length=64),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name='bucketline',
            constraint=models.UniqueConstraint(condition=models.Q(('dealer__isnull', False)), fields=('table', 'shift', 'hour', 'dealer', 'posting', 'subject', 'line', 'ruleset_id'), name='bucketline_unique'),
        ),
        migrations.AddConstraint(
            model_name='bucketline',
            constraint=models.UniqueConstraint(condition=models.Q(('dealer__isnull', True)), fields=('table', 'shift', 'hour', 'posting', 'subject', 'line', 'ruleset_id'), name='bucketline_unique_without_dealer'),
        ),
        migrations.AddConstraint(
            model_name='bucketline',
            constraint=models.CheckConstraint(condition=models.Q(('appraised_count__gte', 0), ('appraised_count__lte', models.F('count'))), name='bucketline_appraised_are_counted'),
        ),
        migrations.AddConstraint(
            model_name='bucketline',
            constraint=models.CheckConstraint(condition=models.Q(('denominator__gt', 0)), name='bucketline_denominator_positive'),
        ),
        migrations.AddConstraint(
            model_name='betworth',
            constraint=models.CheckConstraint(condition=models.Q(('denominator__gt', 0)), name='betworth_denominator_positive'),
        ),
        migrations.AddConstraint(
            model_name='betworth',
            constraint=models.CheckConstraint(condition=models.Q(('setting_value__gte', django.db.models.expressions.CombinedExpression(models.F('denominator'), '*', models.Value(-1))), ('setting_value__lte', models.F('best_value'))), name='betworth_setting_not_above_best'),
        ),
        migrations.AddConstraint(
            model_name='wagervalue',
            constraint=models.UniqueConstraint(fields=('ruleset_id', 'wager'), name='wagervalue_unique'),
        ),
        migrations.AddConstraint(
            model_name='wagervalue',
            constraint=models.CheckConstraint(condition=models.Q(('wager__in', ['main', 'dealer_break_bonus', 'break_bonus'])), name='wagervalue_wager_known'),
        ),
        migrations.AddIndex(
            model_name='bucketline',
            index=models.Index(condition=models.Q(('appraised_count__lt', models.F('count')), models.Q(('subject', 'round'), _negated=True)), fields=['ruleset_id'], name='bucketline_unappraised'),
        ),
        migrations.RunPython(mark_all, migrations.RunPython.noop),
    ]
