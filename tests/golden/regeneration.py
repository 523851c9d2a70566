"""Make golden files anew and show what that changed."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.golden.registry import Golden


def regenerate(goldens: Sequence[Golden], *, root: Path) -> None:
    """Write every file and print which are new or changed; all are made before one is written."""
    texts = []
    for golden in goldens:
        print(f"making the {golden.name}", flush=True)
        texts.append(golden.text())
    for golden, text in zip(goldens, texts, strict=True):
        path = root / golden.path
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        verdict = "new" if before is None else "same" if before == text else "changed"
        print(f"{verdict:<8}{golden.path}")


def show_diff(goldens: Sequence[Golden], *, root: Path) -> None:
    """Print how much of the files differs from what is staged or committed, in a checkout."""
    if shutil.which("git") is None:
        return
    asked = subprocess.run(
        ["git", "rev-parse", "--is-inside-work-tree"], cwd=root, capture_output=True, check=False
    )
    if asked.returncode:
        return
    paths = [golden.path for golden in goldens]
    diff = subprocess.run(
        ["git", "--no-pager", "diff", "--stat", "--", *paths],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    print(diff.stdout, end="", flush=True)
