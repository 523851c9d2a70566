"""The id of every command is kept once for each property, with who sent it and who was refused."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.append_only import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0002_append_only'),
    ]

    operations = [
        # SQLite builds these tables anew, without their triggers, whichever way it goes.
        AppendOnly("Round", was=True),
        AppendOnly("RoundVoid", was=True),
        AppendOnly("Misdeal", was=True),
        migrations.CreateModel(
            name='CommandKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_id', models.CharField(max_length=64)),
                ('command', models.CharField(max_length=64)),
                ('request', models.JSONField()),
                ('result', models.JSONField(null=True)),
                ('recorded_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='CommandResend',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recorded_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='RefusedCommand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recorded_at', models.DateTimeField()),
                ('actor_name', models.CharField(max_length=150)),
                ('command', models.CharField(max_length=64)),
                ('subject', models.CharField(max_length=128)),
                ('client_id', models.CharField(blank=True, max_length=64)),
                ('code', models.CharField(max_length=64)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.RemoveConstraint(
            model_name='misdeal',
            name='misdeal_id_unique',
        ),
        migrations.RemoveConstraint(
            model_name='round',
            name='round_id_unique',
        ),
        migrations.RemoveConstraint(
            model_name='roundvoid',
            name='roundvoid_id_unique',
        ),
        migrations.AddField(
            model_name='commandkey',
            name='actor',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='commandkey',
            name='property',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.property'),
        ),
        migrations.AddField(
            model_name='commandresend',
            name='actor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='commandresend',
            name='key',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='resends', to='tables.commandkey'),
        ),
        migrations.AddField(
            model_name='refusedcommand',
            name='actor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='refusedcommand',
            name='property',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.property'),
        ),
        migrations.AddConstraint(
            model_name='commandkey',
            constraint=models.UniqueConstraint(fields=('property', 'client_id'), name='commandkey_id_unique'),
        ),
        migrations.AddConstraint(
            model_name='commandresend',
            constraint=models.UniqueConstraint(fields=('key', 'actor'), name='commandresend_once_each'),
        ),
        AppendOnly("Round", was=True),
        AppendOnly("RoundVoid", was=True),
        AppendOnly("Misdeal", was=True),
        AppendOnly("CommandKey"),
        AppendOnly("CommandResend"),
        AppendOnly("RefusedCommand"),
    ]
