"""Every rule and every case has a test that carries its id."""

import re
import subprocess
import sys

import pytest

from tests.architecture.source import PACKAGES, ROOT, test_names
from tests.both_stacks import QUICK_MARKS

# From other people's bug reports; the test that carries an id tells its case.
CASES = {
    "A": (1, 4, 5, 7, 10, 12, 13, 15, 17),
    "B": (1, 4, 6, 9, 12),
    "C": (1, 3, 18),
    "D": (4, 6, 16, 18),
    "E": (1, 7, 9),
    "X": (10, 14, 20, 21, 22, 24),
}


def rule_ids() -> set[str]:
    """The rules of docs/rules.md; one with parts is tested by its parts."""
    text = (ROOT / "docs" / "rules.md").read_text()
    found = set(re.findall(r"\bBP-\d+(?:\.\d+)?\b", text))
    return {rule for rule in found if not any(other.startswith(f"{rule}.") for other in found)}


def carries(name: str, word: str) -> bool:
    """Whether a test's name holds a word, and not only as the start of a longer number."""
    return re.search(rf"_{word}(?:_|$)", name) is not None


def rules_without_a_test(names: set[str]) -> list[str]:
    """The rules whose id no test of these carries."""
    rules = sorted(rule_ids())
    assert len(rules) > 30
    return [
        rule
        for rule in rules
        if not any(
            carries(name, rule.lower().replace("-", "_").replace(".", "_")) for name in names
        )
    ]


def test_every_rule_has_a_test_that_carries_its_id() -> None:
    assert rules_without_a_test(test_names()) == []


@pytest.mark.slow
def test_quick_tests_carry_every_rule_and_try_every_package() -> None:
    """Which tests a run leaves out is decided by marks in several places, so pytest is asked."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-m", QUICK_MARKS, "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.findall(r"^(tests/[\w/]+\.py)::(\w+)", done.stdout, re.MULTILINE)
    assert len(found) > 1000, done.stdout + done.stderr
    assert rules_without_a_test({name for _, name in found}) == []
    sources = [(ROOT / path).read_text() for path in {path for path, _ in found}]
    assert [
        package
        for package in PACKAGES
        if not any(re.search(rf"^from {package}\b", text, re.MULTILINE) for text in sources)
    ] == []


def test_every_case_has_a_test_that_carries_its_id() -> None:
    names = test_names()
    ids = [f"{kind}{number:02}" for kind, numbers in CASES.items() for number in numbers]
    missing = [
        case for case in ids if not any(carries(name, f"case_{case.lower()}") for name in names)
    ]
    assert missing == []


def test_no_test_carries_an_unknown_rule() -> None:
    known = {rule.lower().replace("-", "_").replace(".", "_") for rule in rule_ids()}
    tops = {"_".join(rule.split("_")[:2]) for rule in known}
    cited = {found for name in test_names() for found in re.findall(r"bp_\d+(?:_\d+)?", name)}
    assert cited - known - tops == set()
