"""Every error class, run through the one handler (H21); `tests/golden/` records the answers."""

from config.api_errors import handle_api_error
from games.engine import errors as engine_errors
from games.engine.errors import EngineError
from tables import errors as domain_errors
from tables.errors import DomainError
from tests.golden.api_errors import error_answers


def test_every_error_is_answered_in_one_shape() -> None:
    answers = error_answers()
    assert len(answers) > 40
    for name, answer in answers.items():
        assert set(answer) == {"status", "code", "message", "detail"}, name
        assert 400 <= answer["status"] < 500, name


def test_codes_are_not_shared_by_unlike_errors() -> None:
    codes = {
        (kind.code, kind)
        for module in (engine_errors, domain_errors)
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, EngineError | DomainError)
        and "code" in vars(kind)
    }
    assert len({code for code, _ in codes}) == len(codes)


def test_a_fault_of_ours_is_left_to_the_server_error_view() -> None:
    assert handle_api_error(RuntimeError("broken"), {}) is None
