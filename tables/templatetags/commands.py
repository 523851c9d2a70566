"""Tags of forms that send commands."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tables.web.form_fields import new_client_id

register = template.Library()


@register.simple_tag
def client_id() -> SafeString:
    """A new id for a button that sends a command: pressed twice, it does one thing."""
    return format_html('<input type="hidden" name="id" value="{}">', new_client_id())
