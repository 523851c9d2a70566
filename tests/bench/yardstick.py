"""The yardstick of the entry: a plain view of the framework that checks a body and writes 8 rows.

What machine, database and framework take together is told by this in the same run, so that figures
of different machines can be compared.
"""

from typing import Any

from django.db import transaction
from django.urls import path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tables.models import AuditEntry, User

CHILDREN = 7


class PlainBody(serializers.Serializer[Any]):
    """Two fields of the round that is posted."""

    id = serializers.CharField(max_length=64)
    table = serializers.CharField(max_length=16)


class PlainView(APIView):
    """Writes a parent and seven children, by the framework's usual means."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def post(self, request: Request) -> Response:
        """Check the body, write, answer."""
        body = PlainBody(data=request.data)
        body.is_valid(raise_exception=True)
        with transaction.atomic():
            actor = User.objects.first()
            assert actor is not None
            fields = {
                "property": actor.property,
                "actor": actor,
                "actor_name": actor.username,
                "recorded_at": timezone.now(),
                "command": "yardstick",
            }
            parent = AuditEntry.objects.create(subject=body.validated_data["id"], **fields)
            AuditEntry.objects.bulk_create(
                AuditEntry(subject=str(number), **fields) for number in range(CHILDREN)
            )
        return Response({"id": parent.pk}, status=201)


urlpatterns = [path("api/v1/rounds/", PlainView.as_view())]
