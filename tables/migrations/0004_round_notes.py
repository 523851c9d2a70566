"""Notes on rounds."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.append_only import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0003_command_keys'),
    ]

    operations = [
        migrations.CreateModel(
            name='RoundNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note_id', models.CharField(max_length=64)),
                ('text', models.CharField(max_length=2000)),
                ('reason', models.CharField(max_length=500)),
                ('recorded_at', models.DateTimeField()),
                ('noted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='tables.round')),
            ],
            options={
                'abstract': False,
            },
        ),
        AppendOnly("RoundNote"),
    ]
