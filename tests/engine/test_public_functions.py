"""Every public function and class of the engine is called by some test by its name."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import games.engine
from games.engine import settlement

TESTS = Path(__file__).parent.parent


def public_names() -> set[str]:
    found = set()
    for item in pkgutil.iter_modules(games.engine.__path__, "games.engine."):
        module = importlib.import_module(item.name)
        for name, value in vars(module).items():
            is_own = getattr(value, "__module__", None) == module.__name__
            if is_own and not name.startswith("_") and inspect.isroutine(inspect.unwrap(value)):
                found.add(name)
    return found


def test_every_public_function_is_named_in_a_test() -> None:
    texts = [
        path.read_text()
        for folder in ("engine", "games")
        for path in (TESTS / folder).glob("test_*.py")
        if path != Path(__file__)
    ]
    named = {word for text in texts for word in re.findall(r"\w+", text)}
    names = public_names()
    assert len(names) > 30
    assert names - named == set()


def test_door_of_the_engine_offers_what_it_says() -> None:
    assert len(settlement.__all__) == len(set(settlement.__all__))
    for name in settlement.__all__:
        assert hasattr(settlement, name)
