"""The role check of every API view: what is not declared is not allowed."""

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tables.permissions import Command, may, refuse_unchosen

if TYPE_CHECKING:
    # The framework's views load this class while they are themselves being loaded.
    from rest_framework.views import APIView


class RolePermission(BasePermission):
    """Allows a request whose method's command the user's role includes.

    A view declares `commands`, a mapping of HTTP methods to commands.
    """

    message = "your role does not include this"

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the user may; a method without a command is nobody's.

        Raises PropertyChoiceError for someone who has not said at which property.
        """
        commands: dict[str, Command] = getattr(view, "commands", {})
        # Whoever may read may ask for the headers alone.
        method = "GET" if request.method == "HEAD" else request.method or ""
        command = commands.get(method)
        if command is None:
            # Let the framework answer 405 for a method that the view does not have.
            return bool(request.user.is_authenticated) and not hasattr(view, method.lower())
        if not request.user.is_authenticated:
            return False
        refuse_unchosen(request.user)
        return may(request.user, command)
