"""The admin site keeps what a casino is set up with; the floor's records are not in it."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from tables.floor.models import Dealer, Pit, Table
from tables.property.models import Property, ShiftDefinition, User


class ShiftDefinitionInline(admin.TabularInline):
    """The shifts of a property's gaming day."""

    model = ShiftDefinition
    extra = 0


@admin.register(Property)
class PropertyAdmin(admin.ModelAdmin):
    """Casinos."""

    list_display = ("code", "name", "zone", "currency", "ruleset_id")
    inlines = (ShiftDefinitionInline,)


@admin.register(Pit)
class PitAdmin(admin.ModelAdmin):
    """Pits."""

    list_display = ("code", "property")


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    """Tables."""

    list_display = ("code", "pit", "property", "seat_count")


@admin.register(Dealer)
class DealerAdmin(admin.ModelAdmin):
    """Dealers."""

    list_display = ("badge", "name", "property", "is_active")
    list_filter = ("property", "is_active")


@admin.register(User)
class FloorUserAdmin(UserAdmin):
    """Users, with their role and property."""

    list_display = ("username", "role", "property", "is_active")
    list_filter = ("role", "property", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Floor", {"fields": ("role", "property")}))
    add_fieldsets = (
        *UserAdmin.add_fieldsets,
        ("Floor", {"classes": ("wide",), "fields": ("role", "property")}),
    )
