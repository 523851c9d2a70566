"""The parent of the processes: it starts, restarts and ends them all together."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from config.processes import commands, main
from tests.processes.product import Product, descendants_of, free_port, is_alive, wait_until

NAMES = {"web": "gunicorn", "worker": "worker", "beat": "beat"}


@pytest.fixture
def started(product: Product) -> Product:
    product.start()
    wait_until(
        lambda: all(product.pids(word) for word in NAMES.values()),
        seconds=60,
        what="web server, worker and beat run",
    )
    return product


def parent_pid(product: Product) -> int:
    assert product.parent is not None
    return product.parent.pid


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_end_all_within_seconds(
    started: Product, number: signal.Signals
) -> None:
    below = descendants_of(parent_pid(started))
    assert len(below) >= len(NAMES)

    started.send(number)

    assert started.wait() == 0
    assert not any(map(is_alive, below))
    assert f"Houseway answers at http://127.0.0.1:{started.port}/" in started.output


def test_killed_parent_leaves_no_child(started: Product) -> None:
    below = descendants_of(parent_pid(started))
    assert len(below) >= len(NAMES)

    started.send(signal.SIGKILL)
    started.wait()

    wait_until(lambda: not any(map(is_alive, below)), seconds=30, what="no child is left")


def test_dead_child_is_started_again_and_the_others_stay(started: Product) -> None:
    web, beat = started.pids("gunicorn"), started.pids("beat")
    worker = started.pids("worker")

    os.kill(min(worker), signal.SIGKILL)

    # The worker's own children may have started after `worker` was read: the line comes first.
    ended = "worker | ended with status -9, again in 1 s"
    wait_until(lambda: ended in started.output, seconds=60, what=ended)
    wait_until(
        lambda: bool(started.pids("worker")) and not set(started.pids("worker")) & set(worker),
        seconds=60,
        what="another worker",
    )
    assert set(web) <= set(started.pids("gunicorn"))
    assert started.pids("beat") == beat


def test_taken_port_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert said == f"dev: port {port} of 127.0.0.1 is taken or not allowed; use --port.\n"


def test_each_line_carries_the_name_of_its_process(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from config.processes import run;"
        "child = [sys.executable, '-c', 'print(1); print(chr(233) * 3); raise SystemExit(3)'];"
        "asyncio.run(run({'job': child}, int(sys.argv[1])))"
    )
    product = Product(tmp_path)
    product.launch("-c", program, str(free_port()))
    try:
        ended = "job    | ended with status 3, again in 2 s"
        wait_until(lambda: ended in product.output, seconds=60, what=ended)
    finally:
        product.end()
    assert product.output.splitlines()[:4] == [
        "job    | 1",
        "job    | ééé",
        "job    | ended with status 3, again in 1 s",
        "job    | 1",
    ]


def test_every_process_is_run_by_this_python() -> None:
    found = commands(8123)
    assert list(found) == list(NAMES)
    assert all(command[:2] == [sys.executable, "-m"] for command in found.values())
    assert "127.0.0.1:8123" in found["web"]
    subprocess.run([*found["web"], "--check-config"], check=True, timeout=60)
