"""Killing a build again and again at random moments, and what must hold each time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fathom.records import Manifest, Media
from fathom.store.datasets import MANIFEST, MEDIA, Dataset, open_dataset
from fathom.store.files import read_json, read_jsonl, sha256_file
from fathom.store.seeds import rng

PARTS = ("work/observed", "work/proved", "work/painted")
IDENTICAL = ("scenes.jsonl", "outlines.jsonl", "questions.jsonl", "checks.json")
"""The files that are the same bytes whenever and however often a build was stopped; truth comes on top."""


def _heeds_ctrl_c() -> None:
    """Undo what a shell does to a job in the background: it, and all that it starts, ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass(frozen=True)
class Order:
    """What to build; the folder comes last."""

    scenes: int = 6
    workers: int = 2
    renderer: str = "none"
    seed: str = "0"

    def start(self, out: Path) -> subprocess.Popen[str]:
        """Start the build in a process group of its own."""
        words = [
            "build",
            "pulsecheck457",
            "--out",
            str(out),
            "--scenes",
            str(self.scenes),
            "--seed",
            self.seed,
        ]
        words += [
            "--workers",
            str(self.workers),
            "--renderer",
            self.renderer,
            "--quality",
            "preview",
            "--quiet",
        ]
        return subprocess.Popen(
            [sys.executable, "-m", "fathom.cli", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_heeds_ctrl_c,
        )


@dataclass
class Outcome:
    """What a series of kills came to; `at` counts the kills by what the build was doing."""

    kills: int = 0
    finished: int = 0
    starts: int = 0
    at: Counter[str] = field(default_factory=Counter)


@dataclass
class _Seen:
    """Every finished part that was ever seen of one build: which file it is, and since when."""

    parts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def look(self, out: Path) -> None:
        """Look at every finished part; one that was seen before must still be the very same file."""
        for place in PARTS:
            for name, mark in _files(out / place).items():
                key = f"{place}/{name}"
                assert self.parts.setdefault(key, mark) == mark, f"{key} was written a second time"
                # What a part vouches for was in place before it, and is never touched again.
                for vouched in _vouched(place, name):
                    there = _mark(out / vouched)
                    assert there is not None, f"{key} is there, and {vouched} is not"
                    assert self.parts.setdefault(vouched, there) == there, f"{vouched} was written again"

    def nothing_lost(self, out: Path) -> None:
        """Check that every part that was seen is still there (while the build is unfinished)."""
        for key, mark in self.parts.items():
            assert _mark(out / key) == mark, f"{key} was lost or written a second time"


def kill_builds(work: Path, kills: int, order: Order, seed: int = 0) -> Outcome:
    """Kill builds at random moments until `kills` have hit, then let the last one end.

    After each kill, and every few milliseconds between them: a finished part is never written again and never
    lost, and a manifest that says complete tells the truth. Each dataset that is finished in the end equals
    one whose build was never stopped. When a build ends before it is killed, the next one begins anew.
    """
    begun = time.monotonic()
    _ended_well(order.start(work / "whole"))
    longest_s = time.monotonic() - begun
    whole = open_dataset(work / "whole")
    moments = rng(seed, "kills")
    outcome = Outcome()
    while outcome.kills < kills or not outcome.finished:
        out = work / f"d{outcome.finished}"
        seen = _Seen()
        complete = False
        while not complete:
            wait_s = None if outcome.kills >= kills else float(moments.uniform(0, 0.8 * longest_s))
            outcome.starts += 1
            if _start_and_kill(order, out, wait_s, seen):
                outcome.kills += 1
                outcome.at[doing(out, order.scenes)] += 1
            complete = _complete(out)
            if not complete:
                seen.nothing_lost(out)
        if (out / "work").exists():  # killed after its last file, before it had tidied up
            _ended_well(order.start(out))
        check_equal(whole, out)
        outcome.finished += 1
    return outcome


def _start_and_kill(order: Order, out: Path, wait_s: float | None, seen: _Seen) -> bool:
    """Start a build, look at it until it is killed or ends, and return whether the kill hit."""
    process = order.start(out)
    until = time.monotonic() + (3600 if wait_s is None else wait_s)
    while process.poll() is None and time.monotonic() < until:
        if not _complete(out):
            seen.look(out)
        time.sleep(0.01)
    kill_group(process)
    if process.returncode == 0:
        return False
    assert process.returncode == -signal.SIGKILL, f"the build ended with {process.returncode}"
    if not _complete(out):
        seen.look(out)
    return True


def kill_group(process: subprocess.Popen[str]) -> None:
    """Kill a build and its workers, and wait until they are gone."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    _, said = process.communicate()  # ends when the last of them has let go of standard error
    assert "Traceback" not in said, said


def _ended_well(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate()
    assert process.returncode == 0, said


def doing(out: Path, scenes: int) -> str:
    """Return what a build that was stopped had been doing."""
    if not (out / MANIFEST).exists():
        return "starting"
    if _complete(out):
        return "tidying up"
    worlds, proofs, pictures = (len(_files(out / place)) for place in PARTS)
    if pictures:
        return "painting" if pictures < scenes else "checking"
    if proofs:
        return "proving answers" if proofs < scenes else "after the proofs"
    if worlds:
        return "making worlds" if worlds < scenes else "choosing questions"
    return "before the first world"


def _complete(out: Path) -> bool:
    """Return whether the manifest says complete; where it does, everything is in place."""
    if not (out / MANIFEST).exists() or not read_json(out / MANIFEST, Manifest).complete:
        return False
    dataset = open_dataset(out)
    dataset.verify()
    for media in read_jsonl(out / MEDIA, Media):
        dataset.media_bytes(media.id)
    return True


def check_equal(whole: Dataset, out: Path) -> None:
    """Check that the dataset in `out` is the same as `whole`, and that nothing else lies in its folder."""
    found = open_dataset(out)
    assert found.manifest.identity == whole.manifest.identity
    assert found.manifest.counts == whole.manifest.counts
    truth = [name for name in whole.manifest.files if name.startswith("truth/")]
    for name in (*IDENTICAL, *truth):
        assert sha256_file(out / name) == sha256_file(whole.path / name), f"{name} differs"
    assert contents(out) == contents(whole.path)


def contents(folder: Path) -> list[str]:
    """Return the path of every file in a folder."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    try:
        found = {e.name: e.stat() for e in os.scandir(folder) if not e.name.startswith(".")}
    except FileNotFoundError:  # not begun, or tidied up while we look
        return {}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found.items()}


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_mtime_ns


def _vouched(place: str, name: str) -> tuple[str, ...]:
    scene = name.removesuffix(".json")
    return {
        "work/observed": (f"truth/{scene}.npz",),
        "work/painted": (f"media/{scene}.png",),
    }.get(place, ())
