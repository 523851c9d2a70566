"""The golden files of the product are what it says now, and `./dev golden` makes them anew."""

import subprocess
from difflib import unified_diff
from pathlib import Path

import pytest

from tests.golden.regeneration import regenerate, show_diff
from tests.golden.registry import GOLDENS, ROOT, Golden

SHOWN_LINES_MAX = 40


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_golden_is_what_the_product_says(golden: Golden) -> None:
    recorded = (ROOT / golden.path).read_text(encoding="utf-8").splitlines(keepends=True)
    made = golden.text().splitlines(keepends=True)
    changes = list(unified_diff(recorded, made, golden.path, "as it is now"))[:SHOWN_LINES_MAX]
    told = f"run ./dev golden and review the diff of {golden.path}:\n{''.join(changes)}"
    assert not changes, told


def test_files_of_the_customer_are_never_regenerated() -> None:
    given = ROOT / "tests" / "data" / "golden"
    assert list(given.iterdir())
    assert [golden.path for golden in GOLDENS if given in (ROOT / golden.path).parents] == []


@pytest.fixture
def goldens(tmp_path: Path) -> tuple[Golden, ...]:
    """One file that is as made, one that is not, and one that is not there yet."""
    (tmp_path / "same.txt").write_text("a\n")
    (tmp_path / "changed.txt").write_text("b\n")
    return (
        Golden("first", "same.txt", lambda: "a\n"),
        Golden("second", "changed.txt", lambda: "B\n"),
        Golden("third", "new.txt", lambda: "c\n"),
    )


def test_every_file_is_written_and_listed(
    goldens: tuple[Golden, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    regenerate(goldens, root=tmp_path)
    assert [(tmp_path / golden.path).read_text() for golden in goldens] == ["a\n", "B\n", "c\n"]
    assert capsys.readouterr().out.splitlines() == [
        "making the first",
        "making the second",
        "making the third",
        "same    same.txt",
        "changed changed.txt",
        "new     new.txt",
    ]


def test_nothing_is_written_when_one_cannot_be_made(
    goldens: tuple[Golden, ...], tmp_path: Path
) -> None:
    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        regenerate((*goldens, Golden("last", "last.txt", fail)), root=tmp_path)
    assert (tmp_path / "changed.txt").read_text() == "b\n"
    assert not (tmp_path / "new.txt").exists()


def test_diff_of_the_goldens_alone_is_shown_in_a_checkout(
    goldens: tuple[Golden, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("d\n")
    for arguments in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    other.write_text("D\n")
    regenerate(goldens, root=tmp_path)
    capsys.readouterr()

    show_diff(goldens, root=tmp_path)

    assert capsys.readouterr().out.splitlines() == [
        " changed.txt | 2 +-",
        " 1 file changed, 1 insertion(+), 1 deletion(-)",
    ]


def test_no_diff_is_shown_outside_a_checkout_or_without_git(
    goldens: tuple[Golden, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_diff(goldens, root=tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    show_diff(goldens, root=ROOT)
    assert capsys.readouterr().out == ""
