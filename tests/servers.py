"""PostgreSQL and Redis for tests: whether they answer, and a place of our own on each.

Nothing of what stands there already is read, changed or removed.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

import psycopg
import redis
from psycopg import sql

POSTGRES_DEFAULT: Final = "postgres://postgres@127.0.0.1:5432/postgres"
REDIS_DEFAULT: Final = "redis://127.0.0.1:6379"
ANSWER_SECONDS_MAX: Final = 3
CLAIM: Final = "houseway:claimed-by-tests"
CLAIM_SECONDS: Final = 2 * 60 * 60


class ServerMissingError(Exception):
    """A server does not answer, or lets nobody of ours in; the text says which and why."""


def url_of_database(url: str, name: str) -> str:
    """Name another database of the same server, in the form that libpq reads too."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(scheme="postgresql", path=f"/{name}"))


def without_secret(url: str) -> str:
    """Return the URL without its password, for messages."""
    parts: SplitResult = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def find_postgres(url: str = "") -> str:
    """Return the URL of a PostgreSQL server that answers and lets us make databases.

    The server is the one of `url`, else the one of DATABASE_URL, else the usual one of this
    machine. Raises ServerMissingError.
    """
    named = url or os.environ.get("DATABASE_URL", "") or POSTGRES_DEFAULT
    if not urlsplit(named).scheme.startswith(("postgres", "psql", "pgsql")):
        message = f"DATABASE_URL is not of PostgreSQL: {without_secret(named)}"
        raise ServerMissingError(message)
    admin = url_of_database(named, "postgres")
    try:
        with psycopg.connect(admin, connect_timeout=ANSWER_SECONDS_MAX) as connection:
            row = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        message = f"PostgreSQL does not answer at {without_secret(named)}: {reason}"
        raise ServerMissingError(message) from error
    if row != (True,):
        message = f"the user of {without_secret(named)} may not create databases"
        raise ServerMissingError(message)
    return admin


def drop_database(admin: str, name: str) -> None:
    """Remove a database of ours, if it is there, with whoever is still connected to it."""
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        )


@contextlib.contextmanager
def throwaway_database(admin: str, *, template: str = "template1") -> Iterator[str]:
    """Make a copy of a database of the server of `admin`, which nobody may be using meanwhile.

    Without a template it is empty. Yields its URL, and drops it at the end.
    """
    name = f"houseway_throwaway_{secrets.token_hex(6)}"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    try:
        yield url_of_database(admin, name)
    finally:
        drop_database(admin, name)


@contextlib.contextmanager
def claim_redis(url: str = "") -> Iterator[str]:
    """Claim an empty Redis database other than 0; yields its URL, and empties it at the end.

    The server is the one of `url`, else the one of REDIS_URL, else the usual one of this machine.
    Raises ServerMissingError, also when every database from 1 on is in use.
    """
    named = url or os.environ.get("REDIS_URL", "") or REDIS_DEFAULT
    for number in range(15, 0, -1):
        candidate = urlunsplit(urlsplit(named)._replace(path=f"/{number}"))
        client = redis.Redis.from_url(
            candidate,
            socket_connect_timeout=ANSWER_SECONDS_MAX,
            socket_timeout=ANSWER_SECONDS_MAX,
        )
        with client:
            try:
                is_ours = client.dbsize() == 0 and client.set(CLAIM, 1, nx=True, ex=CLAIM_SECONDS)
            except redis.RedisError as error:
                message = f"Redis does not answer at {without_secret(named)}: {error}"
                raise ServerMissingError(message) from error
            if not is_ours:
                continue
            try:
                yield candidate
            finally:
                client.flushdb()
            return
    message = f"Redis at {without_secret(named)} has no empty database to test in"
    raise ServerMissingError(message)
