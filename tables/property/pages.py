"""Signing in and out, choosing a property, and where each role starts."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tables.errors import NotFoundError
from tables.property.models import Role
from tables.web.access import user_of
from tables.web.acting import choose_property

_START_OF_ROLE: Final = {
    Role.CLERK: "tables",
    Role.FLOOR_SUPERVISOR: "tables",
    Role.SURVEILLANCE: "rounds",
    Role.MANAGER: "reports-performance",
    Role.ADMINISTRATOR: "tables",
}


class SignInForm(AuthenticationForm):
    """User name and password; what is wrong with them is not told apart."""

    error_messages = {
        "invalid_login": "This user name and password do not belong together.",
        "inactive": "This user name and password do not belong together.",
    }


class SignInPage(LoginView):
    """Sign in."""

    authentication_form = SignInForm
    template_name = "tables/sign_in.html"
    redirect_authenticated_user = True

    def form_invalid(self, form: Any) -> HttpResponse:
        """The form again, with status 400."""
        return self.render_to_response(self.get_context_data(form=form), status=400)


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponseRedirect:
    """To the page where the user's role works."""
    user = user_of(request)
    if user.membership is None and user.active_memberships:
        return redirect("property_choice")
    if user.property_id is None or user.role not in _START_OF_ROLE:
        raise PermissionDenied
    return redirect(_START_OF_ROLE[Role(user.role)])


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def property_choice(request: HttpRequest) -> HttpResponse:
    """Choose at which of one's properties to work."""
    user = user_of(request)
    if not user.active_memberships:
        raise PermissionDenied
    error = None
    if request.method == "POST":
        try:
            choose_property(request, request.POST.get("property", ""))
        except NotFoundError as refusal:
            error = refusal
        else:
            return redirect("home")
    context = {"memberships": user.active_memberships, "error": error}
    status = error.status if error else 200
    return render(request, "tables/property_choice.html", context, status=status)
