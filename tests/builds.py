"""Builds in processes of their own, and what they leave in a folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with its bytes."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def killed(build: Sequence[str], out: Path, after: str, workers: int = 2) -> bool:
    """Start a build, kill it and its workers when the first file like `after` is there; else it ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fathom.cli", *build, "--out", str(out), "--workers", str(workers)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and not list(out.glob(after)):
        time.sleep(0.01)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    _, said = process.communicate()
    assert "Traceback" not in said, said
    return process.returncode == -signal.SIGKILL
