"""Verbs that are killed as each of their files is about to be whole, one after the other, until one ends.

    python -m tests.dying LOG

For each line on standard input, JSON of a verb's words, it forks (everything is imported by then). The new
process kills itself with SIGKILL as soon as a file is about to take its name at which none before it was
killed, and adds it to LOG: what was written of that file lies there half. Then it prints how the process
ended: the exit status, or minus the signal.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fathom.cli import main as fathom

ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])}
IMPORTED = ("fathom.api", "fathom.stats.blind", "sklearn.tree", "av")
"""What many verbs import when they are called: once, before the forks."""


def killed_at_each_file(verb: Sequence[object], log: Path) -> list[str]:
    """Start a verb again and again, each time killed one file later, until it ends by itself.

    Returns the names of the files at which it was killed; `log` is a file to keep them in.
    """
    log.unlink(missing_ok=True)
    words = [sys.executable, "-m", "tests.dying", str(log)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENV
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        starts, ended = 0, -signal.SIGKILL
        while ended == -signal.SIGKILL:
            process.stdin.write(json.dumps([str(word) for word in verb]) + "\n")
            process.stdin.flush()
            ended, starts = int(process.stdout.readline()), starts + 1
        assert not ended, f"start {starts} of {' '.join(map(str, verb))} ended with {ended}"
    killed = log.read_text(encoding="utf-8").splitlines()
    assert len(killed) == starts - 1
    return [Path(line.partition(" ")[2]).name for line in killed]


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder, by its path in it."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _die_once_a_file(log: Path) -> None:
    """Have this process kill itself at the first file at which none was killed before; some come twice."""
    take = Path.replace
    before = set(log.read_text(encoding="utf-8").splitlines()) if log.exists() else set[str]()
    seen = Counter[str]()

    def replace(self: Path, target: Any) -> Path:
        seen[str(target)] += 1
        name = f"{seen[str(target)]} {target}"
        if name not in before:
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{name}\n")
            os.kill(os.getpid(), signal.SIGKILL)
        return take(self, target)

    Path.replace = replace  # type: ignore[assignment,method-assign]


def main() -> None:
    """Serve until standard input ends."""
    for name in IMPORTED:
        with suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            code: Any = 1
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                _die_once_a_file(Path(sys.argv[1]))
                sys.argv = ["fathom", *json.loads(line)]
                fathom()
            except SystemExit as e:
                code = e.code or 0
            finally:
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
