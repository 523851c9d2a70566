import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tables', '0001_floor_records'),
    ]

    operations = [
        migrations.CreateModel(
            name='RollupCursor',
            fields=[
                ('name', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('revision', models.BigIntegerField(default=0)),
                ('rolled_up_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='BucketLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('hour', models.DateTimeField()),
                ('posting', models.CharField(choices=[('play', 'Play'), ('void', 'Void')], max_length=8)),
                ('subject', models.CharField(choices=[('round', 'Rounds'), ('main', 'Main bets'), ('dealer_break_bonus', 'Dealer Break Bonus bets'), ('break_bonus', 'Break Bonus bets')], max_length=32)),
                ('line', models.CharField(max_length=32)),
                ('count', models.BigIntegerField()),
                ('late_count', models.BigIntegerField()),
                ('handle_minor', models.BigIntegerField()),
                ('house_win_minor', models.BigIntegerField()),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.dealer')),
                ('shift', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.shift')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'indexes': [models.Index(fields=['gaming_day', 'table'], name='bucketline_gaming_day')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('dealer__isnull', False)), fields=('table', 'shift', 'hour', 'dealer', 'posting', 'subject', 'line'), name='bucketline_unique'), models.UniqueConstraint(condition=models.Q(('dealer__isnull', True)), fields=('table', 'shift', 'hour', 'posting', 'subject', 'line'), name='bucketline_unique_without_dealer'), models.CheckConstraint(condition=models.Q(('posting__in', ['play', 'void'])), name='bucketline_posting_known'), models.CheckConstraint(condition=models.Q(('subject__in', ['round', 'main', 'dealer_break_bonus', 'break_bonus'])), name='bucketline_subject_known'), models.CheckConstraint(condition=models.Q(('count__gt', 0)), name='bucketline_count_positive'), models.CheckConstraint(condition=models.Q(('handle_minor__gte', 0)), name='bucketline_handle_not_negative')],
            },
        ),
    ]
