
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0001_figures'),
        ('tables', '0002_append_only'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WhatIf',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what_if_id', models.CharField(max_length=64)),
                ('asked_at', models.DateTimeField()),
                ('ruleset_id', models.CharField(max_length=64)),
                ('changes', models.JSONField()),
                ('last_rounds', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting for a worker'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('progress', models.PositiveSmallIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('started_at', models.DateTimeField(null=True)),
                ('seen_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('result', models.JSONField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.property')),
            ],
            options={
                'indexes': [models.Index(fields=['state'], name='whatif_state')],
                'constraints': [models.UniqueConstraint(fields=('property', 'what_if_id'), name='whatif_id_unique'), models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('state',), name='whatif_one_running'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed'])), name='whatif_state_known'), models.CheckConstraint(condition=models.Q(('progress__lte', 100)), name='whatif_progress_to_100'), models.CheckConstraint(condition=models.Q(models.Q(('result__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('result__isnull', True)), _connector='OR'), name='whatif_done_has_result'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), models.Q(('error', ''), _negated=True)), models.Q(models.Q(('state', 'failed'), _negated=True), ('error', '')), _connector='OR'), name='whatif_failed_has_error')],
            },
        ),
    ]
