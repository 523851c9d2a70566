"""The machine that figures belong to."""

import os
import platform
from pathlib import Path


def machine() -> str:
    """One line: processor, cores, Python, and what else is running."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    load = f"{os.getloadavg()[0]:.1f}"
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, load before {load}"
    )
