"""What a client needs to work: the account, tables, dealers, shifts and assignments."""

from typing import Any, cast

from django.contrib.auth import authenticate
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.authtoken.models import Token
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tables.errors import SignInError
from tables.floor.selectors.shifts import list_assignments, list_shifts
from tables.floor.selectors.tables import get_table_for, list_dealers, list_tables
from tables.floor.services.tables import assign_dealer, close_table, open_table
from tables.permissions import Command
from tables.web import schemas
from tables.web.output import account_detail, assignment_detail, shift_detail, table_detail
from tables.web.pagination import KeyPagination
from tables.web.queries import AssignmentQuery, ShiftQuery, StrictQuery
from tables.web.requests import user_of

_ERRORS: dict[int, Any] = dict.fromkeys((400, 401, 403, 404, 409), schemas.ErrorShape)


class TokenApi(APIView):
    """Sign in as a program."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        request=schemas.TokenIn,
        responses={200: schemas.TokenOut, 400: schemas.ErrorShape, 401: schemas.ErrorShape},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """A token for a user name and a password; a wrong name and a wrong password look alike."""
        given = schemas.TokenIn(data=request.data)
        given.is_valid(raise_exception=True)
        user = authenticate(request, **given.validated_data)
        if user is None:
            raise SignInError("expected a user name with its password")
        token, _ = Token.objects.get_or_create(user=cast("Any", user))
        return Response({"token": token.key})


class AccountApi(APIView):
    """Who am I."""

    commands = {"GET": Command.ACCOUNT_READ}

    @extend_schema(responses={200: schemas.AccountOut, **_ERRORS})
    def get(self, request: Request) -> Response:
        """The signed-in user and the property whose clocks, currency and rules apply."""
        return Response(account_detail(user_of(request)))


class TablesApi(APIView):
    """The tables."""

    commands = {"GET": Command.FLOOR_READ}

    @extend_schema(
        operation_id="tables_list", responses={200: schemas.TableOut(many=True), **_ERRORS}
    )
    def get(self, request: Request) -> Response:
        """The tables of your property by code."""
        StrictQuery.read(request)
        return Response([table_detail(item) for item in list_tables(user=user_of(request))])


class TableApi(APIView):
    """One table."""

    commands = {"GET": Command.FLOOR_READ}

    @extend_schema(responses={200: schemas.TableOut, **_ERRORS})
    def get(self, request: Request, table: str) -> Response:
        """A table as it stands now."""
        return Response(table_detail(get_table_for(user=user_of(request), code=table)))


class TableOpenApi(APIView):
    """Open a table."""

    commands = {"POST": Command.TABLE_OPEN}

    @extend_schema(request=None, responses={200: schemas.TableOut, **_ERRORS})
    def post(self, request: Request, table: str) -> Response:
        """Open a table from now on."""
        user = user_of(request)
        open_table(actor=user, table_code=table, at=timezone.now())
        return Response(table_detail(get_table_for(user=user, code=table)))


class TableCloseApi(APIView):
    """Close a table."""

    commands = {"POST": Command.TABLE_CLOSE}

    @extend_schema(request=None, responses={200: schemas.TableOut, **_ERRORS})
    def post(self, request: Request, table: str) -> Response:
        """Close a table from now on; its dealer's assignment ends with it."""
        user = user_of(request)
        close_table(actor=user, table_code=table, at=timezone.now())
        return Response(table_detail(get_table_for(user=user, code=table)))


class DealersApi(APIView):
    """The dealers."""

    commands = {"GET": Command.FLOOR_READ}

    @extend_schema(responses={200: schemas.DealerStaffOut(many=True), **_ERRORS})
    def get(self, request: Request) -> Response:
        """The dealers of your property by badge."""
        StrictQuery.read(request)
        return Response(
            [
                {"badge": item.badge, "name": item.name, "is_active": item.is_active}
                for item in list_dealers(user=user_of(request))
            ]
        )


class ShiftsApi(APIView):
    """The shifts."""

    commands = {"GET": Command.FLOOR_READ}
    pagination_class = KeyPagination

    @extend_schema(parameters=[ShiftQuery], responses={200: schemas.ShiftOut(many=True), **_ERRORS})
    def get(self, request: Request) -> Response:
        """The shifts in which something happened, the latest first."""
        query = ShiftQuery.read(request)
        shifts = list_shifts(user=user_of(request), gaming_day=query.get("gaming_day"))
        paginator = KeyPagination()
        page = paginator.paginate_queryset(shifts, request, view=self)
        return paginator.get_paginated_response([shift_detail(item) for item in page or []])


class AssignmentsApi(APIView):
    """Who deals where."""

    commands = {"GET": Command.FLOOR_READ, "POST": Command.DEALER_ASSIGN}
    pagination_class = KeyPagination

    @extend_schema(
        operation_id="assignments_list",
        parameters=[AssignmentQuery],
        responses={200: schemas.AssignmentOut(many=True), **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Who dealt where, the latest first; `?table=&at=` answers who dealt at 21:14."""
        query = AssignmentQuery.read(request)
        assignments = list_assignments(
            user=user_of(request), table_code=query.get("table"), at=query.get("at")
        )
        paginator = KeyPagination()
        page = paginator.paginate_queryset(assignments, request, view=self)
        return paginator.get_paginated_response([assignment_detail(item) for item in page or []])

    @extend_schema(
        operation_id="assignments_create",
        request=schemas.AssignmentIn,
        responses={
            201: schemas.AssignmentOut,
            204: None,
            **_ERRORS,
        },
    )
    def post(self, request: Request) -> Response:
        """Put a dealer on a table; without a dealer, take the present one off it."""
        assignment = assign_dealer(actor=user_of(request), body=request.data, at=timezone.now())
        if assignment is None:
            return Response(status=204)
        return Response(assignment_detail(assignment), status=201)
