"""A run that is killed, interrupted or out of disk loses nothing, and does nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fathom.store.journal import FOLDER, read_responses
from tests.inference.endpoints import serving
from tests.inference.folders import make_dataset
from tests.inference.killing import journal_lines, kill_runs, start_and_kill, starter

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need processes that fork")


def test_twenty_kills_at_random_moments_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    outcome = kill_runs(tmp_path, kills=20, questions=400)
    assert outcome.kills == 20
    assert outcome.finished >= 1


def test_ctrl_c_ends_a_run_cleanly_and_it_carries_on(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=60, per_scene=60)
    out = tmp_path / "r"
    with serving(delay_s=0.1) as server, starter(dataset.path, server.url, out, 4) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        child = int(process.stdout.readline())
        while len(journal_lines(out)) < 10:
            time.sleep(0.005)
        os.kill(child, signal.SIGINT)
        assert int(process.stdout.readline()) == 130
        kept = len(list(read_responses(out / FOLDER)))
        assert 10 <= kept < 60
        assert start_and_kill(process, None) == 0
        assert len(list(read_responses(out / FOLDER))) == 60
        assert len(server.asked) <= 60 + 4


def test_a_full_disk_ends_a_run_with_2_and_it_carries_on(tmp_path: Path) -> None:
    """The limit on the size of a file stands in for a disk that is full."""
    dataset = make_dataset(tmp_path / "d", questions=60, per_scene=60)
    out = tmp_path / "r"
    code = (
        "import resource, signal, sys; from tests.inference import starter; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY)); starter.main()"
    )
    with serving() as server:
        arguments = [str(dataset.path), server.url, str(out), "4"]
        with subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        ) as process:
            assert start_and_kill(process, None) == 2
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.close()
            assert "could not be written (File too large); free some space" in process.stderr.read()
        kept = journal_lines(out)
        assert 0 < len(kept) < 60
        with starter(dataset.path, server.url, out, 4) as process:
            assert start_and_kill(process, None) == 0
        assert journal_lines(out)[: len(kept)] == kept
        assert len(journal_lines(out)) == 60
