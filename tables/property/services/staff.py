"""The staff: who may sign in, and who works here in which role (ADR 15).

Nobody is deleted: the trail names them. Nobody changes what they themselves may do. Who works at
another property too is let in or out there as well, so that no administrator reaches beyond their
own.
"""

import unicodedata
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from rest_framework.authtoken.models import Token

from tables.changes import Kind, adding, changing, save
from tables.errors import (
    FaultsError,
    FieldError,
    NotFoundError,
    OwnAccountError,
    SettingInUseError,
    SettingTakenError,
)
from tables.locks import lock_record
from tables.permissions import Command, property_id_of, property_of
from tables.property.models import Membership, MembershipPit, Role, User
from tables.property.shapes import (
    MemberOut,
    MemberSettings,
    NewPasswordRequest,
    PasswordRequest,
    UserOut,
    UserSettings,
    as_typed,
)
from tables.recording import Act, Done, recorded_as
from tables.shapes import SkipJsonSchema, shown

_HIDDEN: Final = "(not shown)"
_Username = Annotated[str, as_typed(150)]


def _lock_member(act: Act[Any]) -> Membership:
    username = act.request.username
    return lock_record(
        Membership.objects.filter(property_id=property_id_of(act.actor), user__username=username),
        words=f"someone who works at your property, got {shown(username)}",
        place="username",
    )


def _lock_user(act: Act[Any]) -> User:
    username = act.request.username
    return lock_record(
        User.objects.filter(memberships__property_id=property_id_of(act.actor), username=username),
        words=f"someone who works at your property, got {shown(username)}",
        place="username",
    )


def _refuse_own(actor: User, user_id: int | None) -> None:
    if actor.pk == user_id:
        raise OwnAccountError("expected someone else: nobody changes what they may do themselves")


def _refuse_member(act: Act[Any], member: Membership, values: Mapping[str, Any]) -> None:
    _refuse_own(act.actor, member.user_id)
    pits = values.get("pits", member.pit_codes if member.pk else [])
    if pits and values.get("role", member.role) == Role.ADMINISTRATOR:
        message = "expected no pits for an administrator, whose work concerns the whole property"
        raise FieldError(message, place="pits")


def _refuse_foreign(act: Act[Any], user: User, _values: Mapping[str, Any]) -> None:
    """Raises OwnAccountError, and SettingInUseError for someone who works elsewhere too."""
    _refuse_own(act.actor, user.pk)
    elsewhere = user.memberships.exclude(property_id=property_id_of(act.actor))
    if elsewhere.filter(is_active=True).exists():
        message = "expected someone who works here only, this user works at another property too"
        raise SettingInUseError(message, place="username")


def _find_pits(act: Act[Any], codes: Collection[str]) -> list[Any]:
    pits = list(property_of(act.actor).pits.filter(code__in=codes))
    if missing := sorted(set(codes) - {pit.code for pit in pits}):
        message = f"expected pits of your property, got {shown(missing[0])}"
        raise NotFoundError(message, place="pits")
    return pits


def _set_pits(member: Membership, pits: Collection[Any]) -> None:
    links = MembershipPit.objects.filter(membership=member)
    links.exclude(pit__in=pits).delete()
    there = set(links.values_list("pit_id", flat=True))
    MembershipPit.objects.bulk_create(
        MembershipPit(membership=member, pit=pit) for pit in pits if pit.pk not in there
    )


def _let_in(user: User, may_sign_in: Any) -> None:
    user.is_active = may_sign_in
    save(user)
    if not may_sign_in:
        Token.objects.filter(user=user).delete()


def _new_user(act: Act[Any]) -> Membership:
    user = User(username=unicodedata.normalize("NFKC", act.request.username))
    # Anna and ANNA would be told apart by nobody who reads the trail.
    alike = {name.casefold() for name in User.objects.values_list("username", flat=True)}
    if user.username.casefold() in alike:
        raise SettingTakenError("expected a user name like no other", place="username")
    _put_password(user, act.request.password)
    save(user)
    return Membership(user=user, property=property_of(act.actor))


def _new_member(act: Act[Any]) -> Membership:
    username = act.request.username
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise NotFoundError(f"expected a user, got {shown(username)}", place="username")
    return Membership(user=user, property=property_of(act.actor))


def _put_password(user: User, password: str) -> None:
    """Raises FaultsError for a password that is easy to guess."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        faults = tuple(FieldError(message, place="password") for message in error.messages)
        raise FaultsError(faults) from error
    user.set_password(password)


MEMBER: Final[Kind[Membership]] = Kind(
    word="member",
    key="username",
    settings=MemberSettings,
    answer=MemberOut,
    lock=_lock_member,
    refuse=_refuse_member,
    named={"pits": _find_pits},
    apart={"pits": _set_pits},
)
USER: Final[Kind[User]] = Kind(
    word="user",
    key="username",
    settings=UserSettings,
    answer=UserOut,
    lock=_lock_user,
    refuse=_refuse_foreign,
    apart={"may_sign_in": _let_in},
)

add_user = adding(
    Command.USER_ADD,
    MEMBER,
    "Add someone new to the staff, with a password to sign in with.",
    new=_new_user,
    base=PasswordRequest,
    username=_Username,
)
add_member = adding(
    Command.MEMBERSHIP_ADD,
    MEMBER,
    "Let someone who works at another property work here too.",
    new=_new_member,
    username=_Username,
)
change_member = changing(
    Command.MEMBERSHIP_CHANGE,
    MEMBER,
    "Change someone's role or pits here, or say that they left or came back.",
    username=SkipJsonSchema[str],
)
change_user = changing(
    Command.USER_CHANGE, USER, "Say whether someone may sign in.", username=SkipJsonSchema[str]
)


@recorded_as(
    Command.PASSWORD_SET,
    NewPasswordRequest,
    keep=lambda answer: answer.model_dump(mode="json"),
    find=UserOut.model_validate,
)
def set_password(act: Act[NewPasswordRequest]) -> Done[UserOut]:
    """Give someone a new password; sessions and tokens of before are no longer good.

    Raises NotFoundError, OwnAccountError, SettingInUseError for someone who works elsewhere too,
    FaultsError for a password that is easy to guess.
    """
    user = _lock_user(act)
    _refuse_foreign(act, user, {})
    _put_password(user, act.request.password)
    save(user)
    Token.objects.filter(user=user).delete()
    told = {"password": _HIDDEN}
    return Done(UserOut.of(user), f"user {user}", {"old": told, "new": told})
