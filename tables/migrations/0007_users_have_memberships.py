"""A user's role and property are those of a membership."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0006_members_of_today'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='user',
            name='property',
        ),
        migrations.RemoveField(
            model_name='user',
            name='role',
        ),
    ]
