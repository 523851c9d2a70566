"""Make a membership of the property and the role that each user had."""

from django.db import migrations


def make_memberships(apps, schema_editor):
    """One membership for each user who had a property."""
    Membership = apps.get_model("tables", "Membership")
    users = apps.get_model("tables", "User").objects.exclude(property=None)
    Membership.objects.bulk_create(
        Membership(user=user, property_id=user.property_id, role=user.role) for user in users.iterator()
    )


def put_back(apps, schema_editor):
    """Each user's first active membership; there was room for one only."""
    memberships = apps.get_model("tables", "Membership").objects.filter(is_active=True)
    for membership in memberships.order_by("-pk").select_related("user").iterator():
        membership.user.role, membership.user.property_id = membership.role, membership.property_id
        membership.user.save(update_fields=["role", "property"])
    schema_editor.execute("DELETE FROM tables_membershippit")
    schema_editor.execute("DELETE FROM tables_membership")


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_memberships")]

    operations = [migrations.RunPython(make_memberships, put_back)]
