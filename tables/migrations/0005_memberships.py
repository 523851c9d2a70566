"""Who works at which property, in which role, at which pits."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0004_round_notes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('clerk', 'Pit clerk'), ('floor_supervisor', 'Floor supervisor'), ('surveillance', 'Surveillance'), ('manager', 'Manager')], max_length=32)),
                ('is_active', models.BooleanField(default=True)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='tables.property')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'property'), name='membership_user_unique')],
            },
        ),
        migrations.CreateModel(
            name='MembershipPit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('membership', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.membership')),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pit')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('membership', 'pit'), name='membershippit_once')],
            },
        ),
        migrations.AddField(
            model_name='membership',
            name='pits',
            field=models.ManyToManyField(related_name='+', through='tables.MembershipPit', to='tables.pit'),
        ),
    ]
