"""Installations for the tests, on the database and the broker of the run."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes.product import Floor, Product
from tests.servers import claim_redis, find_postgres, throwaway_database

TABLES = 4


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All that is here starts real processes."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.processes)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Product, Floor]]:
    """An installation that never starts: its database is copied for each test."""
    product = Product(tmp_path_factory.mktemp("prepared"))
    if not os.environ.get("DATABASE_URL"):
        yield product, product.make_floor(TABLES)
        return
    with throwaway_database(find_postgres()) as url:
        product.servers["DATABASE_URL"] = url
        yield product, product.make_floor(TABLES)


@pytest.fixture
def floor(prepared: tuple[Product, Floor]) -> Floor:
    """The open tables and the tokens in the database of every installation."""
    return prepared[1]


@pytest.fixture
def broker() -> Iterator[dict[str, str]]:
    """Name the broker as the environment does: Redis where the run is on Redis, else files."""
    if not os.environ.get("REDIS_URL"):
        yield {}
        return
    with claim_redis() as url:
        yield {"REDIS_URL": url}


@pytest.fixture
def database(tmp_path: Path, prepared: tuple[Product, Floor]) -> Iterator[dict[str, str]]:
    """Name a database of the test's own, with the floor in it."""
    source = prepared[0]
    url = source.servers.get("DATABASE_URL")
    if url:
        template = url.rpartition("/")[2]
        with throwaway_database(find_postgres(), template=template) as copy:
            yield {"DATABASE_URL": copy}
        return
    target = Product(tmp_path).sqlite_file
    target.parent.mkdir()
    shutil.copy(source.sqlite_file, target)
    yield {}


@pytest.fixture
def install(
    tmp_path: Path, database: dict[str, str], broker: dict[str, str]
) -> Iterator[Callable[..., Product]]:
    """Make the installation of the test; its processes end before its database and broker do."""
    made: list[Product] = []

    def _install(broker: dict[str, str]) -> Product:
        product = Product(tmp_path, database | broker)
        made.append(product)
        return product

    yield _install
    for product in made:
        product.end()


@pytest.fixture
def product(install: Callable[..., Product], broker: dict[str, str]) -> Product:
    """An installation that is not started yet."""
    return install(broker)
