"""The script `dev` on machines that lack something, with no network and in odd places."""

import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("sh", "awk", "cat", "dirname", "grep", "mv", "rm", "sleep")
# Nothing listens on the discard port of this machine, so an install fails at once.
NO_INDEX = "http://127.0.0.1:9/simple"
SHOWS_ITS_ARGUMENTS = "import sys\nprint('ran with', sys.argv[1:])\n"
SHOWS_ITS_SETTINGS = "import os\nprint('settings', os.environ['DJANGO_SETTINGS_MODULE'])\n"
# A linter that finds what it cannot mend, and a formatter that has nothing to say.
LEAVES_A_FAULT = "import sys\nprint('ruff', sys.argv[1:])\nsys.exit('check' in sys.argv)\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout in a folder with spaces whose locks pin nothing, and a stand-in for the tests."""
    folder = tmp_path / "a folder with spaces"
    (folder / "tests").mkdir(parents=True)
    shutil.copy(ROOT / "dev", folder / "dev")
    (folder / "requirements.txt").write_text("# nothing\n")
    (folder / "requirements-dev.txt").write_text("# nothing\n")
    (folder / "tests" / "__init__.py").write_text("")
    (folder / "tests" / "both_stacks.py").write_text(SHOWS_ITS_ARGUMENTS)
    return folder


@pytest.fixture
def installed(clone: Path) -> Path:
    """The clone with a .venv that holds what the lock pins: this Python, and nothing to install."""
    venv = clone / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    lock = "requirements-dev.txt"
    digest = hashlib.sha256((clone / lock).read_bytes()).hexdigest()
    (venv / "houseway-installed").write_text(f"{digest} {lock}\n")
    return clone


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for the PATH that holds what any POSIX system has, and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def dev(
    clone: Path, *arguments: str, path: Path | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": str(path or os.environ["PATH"]),
        "HOME": str(clone.parent),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": NO_INDEX,
        "UV_DEFAULT_INDEX": NO_INDEX,
        "UV_NO_CONFIG": "1",
        "UV_HTTP_RETRIES": "0",
    }
    if path is None:
        environment["PYTHON"] = sys.executable
    return subprocess.run(
        [str(clone / "dev"), *arguments],
        cwd=cwd or clone,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def stub(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text("#!/bin/sh\n" + textwrap.dedent(script))
    (folder / name).chmod(0o755)


def assert_one_sentence(result: subprocess.CompletedProcess[str], *words: str) -> None:
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("dev: ")
    assert lines[0].endswith(".")
    for word in words:
        assert word in lines[0]
    assert result.returncode == 1


def test_machine_without_python_gets_one_sentence(clone: Path, tools: Path) -> None:
    assert_one_sentence(dev(clone, "test", path=tools), "no usable Python", "3.11 or newer")


def test_shims_that_do_not_run_and_old_pythons_are_not_usable(clone: Path, tools: Path) -> None:
    stub(tools, "python3", "echo 'python3: command not found' >&2; exit 127")
    stub(tools, "python3.11", "case $2 in *version_info*) exit 1;; esac; exit 0")
    assert_one_sentence(dev(clone, "run", path=tools), "no usable Python")


def test_python_without_venv_gets_one_sentence(clone: Path, tools: Path) -> None:
    stub(tools, "python3", "case $2 in *ensurepip*) exit 1;; esac; exit 0")
    assert_one_sentence(dev(clone, "check", path=tools), "python3", "venv", "python3-venv")


@pytest.mark.slow
def test_machine_without_network_gets_one_sentence(clone: Path) -> None:
    pin = f"six==1.17.0 \\\n    --hash=sha256:{'0' * 64}\n"
    (clone / "requirements.txt").write_text(pin)
    result = dev(clone, "run")
    assert_one_sentence(result, "no answer from the package index", "requirements.txt")
    assert "Traceback" not in result.stdout
    assert not (clone / ".venv" / "houseway-installed").exists()


@pytest.mark.slow
def test_set_up_once_then_again_only_for_another_lock(clone: Path, tmp_path: Path) -> None:
    first = dev(clone, "test", "-k", "a b", cwd=tmp_path)
    second = dev(clone, "test", cwd=tmp_path)
    (clone / "requirements-dev.txt").write_text("# something else\n")
    third = dev(clone, "test", cwd=tmp_path)

    assert first.stdout.splitlines()[0].startswith("dev: making .venv with Python 3.")
    assert first.stdout.splitlines()[1:] == [
        "dev: installing the packages of requirements-dev.txt",
        "ran with ['-k', 'a b']",
    ]
    assert second.stdout == "ran with []\n"
    assert third.stdout.splitlines() == [
        "dev: installing the packages of requirements-dev.txt",
        "ran with []",
    ]
    assert [result.stderr for result in (first, second, third)] == ["", "", ""]


@pytest.mark.slow
def test_interrupted_install_is_made_anew(clone: Path) -> None:
    assert dev(clone, "test").returncode == 0
    half_installed = clone / ".venv" / "half-installed"
    half_installed.touch()
    ended = subprocess.Popen(["true"])
    ended.wait()
    (clone / ".venv.lock").write_text(f"{ended.pid}\n")

    result = dev(clone, "test")

    assert result.stdout.startswith("dev: making .venv with Python 3.")
    assert not half_installed.exists()
    assert not (clone / ".venv.lock").exists()


def test_quick_tests_are_asked_of_the_same_program(installed: Path) -> None:
    result = dev(installed, "test", "--quick", "-k", "a b")
    assert (result.stdout, result.stderr) == ("ran with ['--quick', '-k', 'a b']\n", "")


def test_fix_mends_lint_and_then_format_and_fails_for_what_is_left(installed: Path) -> None:
    (installed / "ruff.py").write_text(LEAVES_A_FAULT)
    result = dev(installed, "fix")
    assert result.stdout.splitlines() == [
        "== ruff check --fix .",
        "ruff ['check', '--fix', '.']",
        "== ruff format .",
        "ruff ['format', '.']",
    ]
    assert_one_sentence(result, "by hand")


def test_fix_that_leaves_nothing_succeeds_in_silence(installed: Path) -> None:
    (installed / "ruff.py").write_text("")
    result = dev(installed, "fix")
    assert (result.returncode, result.stderr) == (0, "")


def test_golden_files_are_made_under_the_settings_of_the_tests(installed: Path) -> None:
    golden = installed / "tests" / "golden"
    golden.mkdir()
    (golden / "__init__.py").write_text("")
    (golden / "__main__.py").write_text(SHOWS_ITS_ARGUMENTS + SHOWS_ITS_SETTINGS)
    result = dev(installed, "golden", "--help")
    assert result.stdout == "ran with ['--help']\nsettings config.settings.test\n"
    assert (result.returncode, result.stderr) == (0, "")


def test_unknown_command_shows_the_usage(clone: Path) -> None:
    result = dev(clone, "walk")
    assert result.returncode == 2
    assert "usage: ./dev COMMAND" in result.stderr
    for command in ("run", "test", "fix", "golden", "check", "bench"):
        assert f"\n  {command} " in result.stderr


def test_lock_of_the_tools_holds_every_pin_of_the_product() -> None:
    """`./dev run` takes a .venv made for the tests as it is, so the locks must agree."""

    def pins(name: str) -> set[str]:
        lines = (ROOT / name).read_text().splitlines()
        return {line.split(" ")[0] for line in lines if "==" in line and line[0].isalpha()}

    product = pins("requirements.txt")
    assert len(product) > 20
    assert product <= pins("requirements-dev.txt")
