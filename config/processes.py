"""One parent for web server, worker and beat: starts them, restarts a dead one, stops them all.

Our own: honcho restarts nothing; supervisor's and circus's children outlive a killed parent.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Final

from celery.platforms import set_pdeathsig  # type: ignore[attr-defined]  # not in celery-types

from config import env

HOST: Final = "127.0.0.1"
STOP_SECONDS: Final = 10.0
PAUSE_SECONDS_MAX: Final = 30.0


def commands(port: int) -> dict[str, list[str]]:
    """Name what one machine needs: pages and API, the jobs, and the clock of the jobs."""
    web = f"gunicorn config.wsgi --bind {HOST}:{port} --worker-class gthread --workers 2"
    celery = "celery --app config --quiet"
    lines = {
        # The control socket would be a file outside of var/.
        "web": f"{web} --threads 4 --no-control-socket",
        "worker": f"{celery} worker --concurrency 2 --loglevel WARNING --without-mingle",
        # Without a file of its process id: after a crash that would keep beat from starting.
        "beat": f"{celery} beat --loglevel WARNING --pidfile=",
    }
    return {name: [sys.executable, "-m", *line.split()] for name, line in lines.items()}


def say(name: str, line: str) -> None:
    """Print a line with the name of its process."""
    sys.stdout.write(f"{name:<6} | {line}\n")
    sys.stdout.flush()


async def keep(name: str, command: Sequence[str], stopping: asyncio.Event) -> None:
    """Run a command until `stopping`; one that ends before is started again, ever more slowly."""
    pause = 1.0
    while not stopping.is_set():
        started = time.monotonic()
        process = await _start(command)
        echo = asyncio.create_task(_echo(name, process))
        try:
            await _first(process.wait(), stopping.wait())
        finally:
            await _end(process)
            await echo
        if not stopping.is_set():
            pause = 1.0 if time.monotonic() - started > PAUSE_SECONDS_MAX else pause
            say(name, f"ended with status {process.returncode}, again in {pause:.0f} s")
            await _first(asyncio.sleep(pause), stopping.wait())
            pause = min(2 * pause, PAUSE_SECONDS_MAX)


async def _start(command: Sequence[str]) -> asyncio.subprocess.Process:
    # A session of its own keeps the terminal's Ctrl-C from the children: the parent passes it on.
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
        preexec_fn=partial(_end_with, os.getpid()),
    )


def _end_with(parent: int) -> None:
    """In the child: be killed by Linux when the parent is gone, even if it was killed itself."""
    set_pdeathsig("SIGKILL")
    if os.getppid() != parent:
        os._exit(1)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ask a process to stop, wait a while, then kill what is left of its group."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
        await _first(process.wait(), asyncio.sleep(STOP_SECONDS))
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def _echo(name: str, process: asyncio.subprocess.Process) -> None:
    start = b""
    while process.stdout and (chunk := await process.stdout.read(65536)):
        *lines, start = (start + chunk).split(b"\n")
        for line in lines:
            say(name, line.decode(errors="replace"))


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Wait until one of these is done and drop the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    _, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()


async def _announce(port: int, stopping: asyncio.Event) -> None:
    """Print the address as soon as the web server answers there, whatever the answer is."""
    answer = b""
    while not answer and not stopping.is_set():
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            answer = await reader.read(1)
            writer.close()
        await _first(asyncio.sleep(0.2), stopping.wait())
    if answer:
        say("run", f"Houseway answers at http://{HOST}:{port}/ (Ctrl-C stops it)")


async def run(children: Mapping[str, Sequence[str]], port: int) -> None:
    """Keep the children running until Ctrl-C, SIGTERM or the end of the terminal."""
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with asyncio.TaskGroup() as group:
        for name, command in children.items():
            group.create_task(keep(name, command, stopping))
        group.create_task(_announce(port, stopping))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; the entry of `python -m config.processes`."""
    parser = argparse.ArgumentParser(prog="./dev run")
    parser.add_argument("--port", type=int, default=env.PORT, help="where to serve: %(default)s")
    port = parser.parse_args(arguments).port
    try:
        socket.create_server((HOST, port)).close()
    except (OSError, OverflowError):
        sys.stderr.write(f"dev: port {port} of {HOST} is taken or not allowed; use --port.\n")
        return 1
    asyncio.run(run(commands(port), port))
    return 0


if __name__ == "__main__":
    sys.exit(main())
