"""Killing a run again and again at random moments, and what must hold each time."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.records import Response
from fathom.store.journal import FOLDER, read_responses, shard_paths
from fathom.store.seeds import rng
from tests.inference.endpoints import serving
from tests.inference.folders import make_dataset


@dataclass(frozen=True)
class Outcome:
    """What a series of kills came to."""

    kills: int
    finished: int
    questions: int
    sent: int
    concurrency: int
    torn: int


def kill_runs(work: Path, kills: int, questions: int, concurrency: int = 8, seed: int = 0) -> Outcome:
    """Kill runs of one dataset at random moments until `kills` have hit, then let it end.

    After each kill: every answer that was in the journal before is there, byte for byte; no question with an
    answer in the journal was sent again; and what was sent twice was in flight at a kill. When a run comes
    to its end before it is killed, the next one begins in a new folder.
    """
    dataset = make_dataset(work / "d", questions=questions, per_scene=20)
    moments = rng(seed, "kills")
    hit = finished = sent = torn = 0
    with serving(delay_s=0.002) as server:
        while hit < kills or not finished:
            out = work / f"r{finished}"
            server.asked.clear()
            server.keys.clear()
            known: list[set[int]] = []
            ended = -signal.SIGKILL
            with starter(dataset.path, server.url, out, concurrency) as process:
                while ended:
                    before = journal_lines(out)
                    known.append(answered(out))
                    wait_s = None if hit >= kills else float(moments.uniform(0, 0.35))
                    ended = start_and_kill(process, wait_s)
                    assert ended in (0, -signal.SIGKILL), f"the run ended with {ended}"
                    after = journal_lines(out)
                    assert after[: len(before)] == before, "a line of the journal was lost or changed"
                    hit += ended != 0
            check_requests(server.sent(), known, questions, concurrency)
            responses = list(read_responses(out / FOLDER))
            assert len(responses) == len(journal_lines(out)) == questions, (
                "an answer is missing, or there twice"
            )
            assert {r.status for r in responses} == {"ok"}
            finished += 1
            sent += len(server.asked)
            torn += len(list((out / FOLDER / "torn").glob("*")))
    return Outcome(hit, finished, questions, sent, concurrency, torn)


def check_requests(
    sent: list[tuple[int, str]], known: list[set[int]], questions: int, concurrency: int
) -> None:
    """Check what each start sent against what was answered before it."""
    for number, there in enumerate(known):
        asked = Counter(question for question, key in sent if key == f"Bearer start-{number}")
        assert not asked.keys() & there, "a question with an answer was asked again"
        assert max(asked.values(), default=1) == 1, "a question was sent twice by one start"
    assert len(sent) <= questions + (len(known) - 1) * concurrency


def starter(dataset: Path, url: str, out: Path, concurrency: int) -> subprocess.Popen[str]:
    """Return the process that starts runs."""
    arguments = [str(dataset), url, str(out), str(concurrency)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.inference.starter", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def start_and_kill(process: subprocess.Popen[str], wait_s: float | None) -> int:
    """Start a run, kill it after `wait_s` (None: let it end), and return how it ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n" if wait_s is None else f"{wait_s}\n")
    process.stdin.flush()
    process.stdout.readline()
    return int(process.stdout.readline())


def journal_lines(out: Path) -> list[bytes]:
    """Return the whole lines of the journal."""
    lines = [line for shard in shard_paths(out / FOLDER) for line in shard.read_bytes().splitlines(True)]
    return [line for line in lines if line.endswith(b"\n")]


def answered(out: Path) -> set[int]:
    """Return the numbers of the questions that have an answer in the journal."""
    responses = [msgspec.json.decode(line, type=Response) for line in journal_lines(out)]
    return {int(r.question[1:]) for r in responses if r.status == "ok"}
