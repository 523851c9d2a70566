"""The fields that every irregularity needs: why, and on whose authority (BP-8.4)."""

from collections.abc import Mapping, Sequence

from tables.property.models import User
from tables.property.selectors import list_authorities
from tables.web.fields import Fault, Field, focus_of, messages_of


def missing_faults(body: Mapping[str, str]) -> tuple[Fault, ...]:
    """The fields that were left blank, all at once; what else is wrong the service says."""
    return tuple(
        Fault(name, "expected an answer, got nothing")
        for name, text in body.items()
        if not text.strip()
    )


def authority_fields(
    post: Mapping[str, str],
    *,
    user: User,
    faults: Sequence[Fault],
    first: tuple[str, str, tuple[tuple[str, str], ...]],
    between: Sequence[Field] = (),
) -> tuple[Field, ...]:
    """A choice of what it is, other fields between, then the reason and the authority.

    `first` is the name, the label and the choices of what it is.
    """
    authorities = [
        (person.get_username(), f"{person.get_username()} ({person.get_role_display()})")
        for person in list_authorities(user=user)
    ]
    kind_name, kind_label, kinds = first
    names = (kind_name, *(field.name for field in between), "reason", "authority")
    focused = focus_of(faults, names, otherwise="")

    def field(name: str, label: str, kind: str, choices: Sequence[tuple[str, str]] = ()) -> Field:
        return Field(
            name,
            label,
            post.get(name, ""),
            kind,
            tuple(choices),
            messages_of(faults, name),
            is_focused=focused == name,
        )

    return (
        field(kind_name, kind_label, "select", (("", "Choose"), *kinds)),
        *between,
        field("reason", "What happened", "long"),
        field("authority", "Authorised by", "select", (("", "Choose"), *authorities)),
    )
