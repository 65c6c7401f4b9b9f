"""A build that is killed, interrupted, or out of disk loses nothing and does nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom import api
from fathom.datasets import pipeline
from fathom.datasets.folders import LOCK
from fathom.records import InputError, Manifest
from fathom.store.datasets import MANIFEST, WORK, open_dataset
from fathom.store.files import read_json, write_bytes, write_json
from fathom.store.locks import FolderLock
from tests.datasets.killing import Order, contents, kill_builds, kill_group

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="kills need process groups")

SMALL = {"scenes": 4, "seed": "walk", "renderer": "none", "workers": 1}
"""The arguments of the shared small dataset."""


def wait_for(what: Callable[[], bool], within_s: float = 120) -> None:
    until = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.005)


def parts_done(out: Path) -> int:
    return len(list((out / "work" / "observed").glob("scene-*.json")))


@pytest.mark.slow
def test_three_kills_at_random_moments_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    outcome = kill_builds(tmp_path, kills=3, order=Order(scenes=3))
    assert outcome.kills == 3
    assert outcome.finished >= 1


def test_ctrl_c_ends_a_build_with_130_one_sentence_and_no_worker_left(tmp_path: Path) -> None:
    out = tmp_path / "d"
    order = Order(scenes=40)
    process = order.start(out)
    wait_for(lambda: parts_done(out) >= 1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)  # ends when the last worker has let go of standard error
    assert process.returncode == 130
    assert said == "fathom: interrupted; start the same command again to carry on where it stopped\n"
    assert not read_json(out / MANIFEST, Manifest).complete
    kept = parts_done(out)
    again = order.start(out)
    wait_for(lambda: parts_done(out) > kept)
    kill_group(again)


def test_workers_end_when_the_process_that_gave_them_work_is_killed(tmp_path: Path) -> None:
    out = tmp_path / "d"
    process = Order(scenes=40).start(out)
    wait_for(lambda: parts_done(out) >= 1)
    process.kill()
    process.communicate(timeout=60)  # ends when the last worker has let go of standard error
    done = parts_done(out)
    time.sleep(0.5)
    assert parts_done(out) == done


def test_a_second_build_of_the_same_folder_is_refused_while_the_first_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "d"
    order = Order(scenes=40)
    first = order.start(out)
    wait_for(lambda: parts_done(out) >= 1)
    second = order.start(out)
    _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert f"process {first.pid} is writing this dataset now" in said
    assert first.poll() is None
    kill_group(first)


def test_a_build_cut_off_before_its_manifest_carries_on(tmp_path: Path) -> None:
    out = tmp_path / "d"
    write_bytes(out / ".manifest.json.k3j2.part", b'{"kind": ')
    FolderLock(out / "work" / "lock", "dataset").release()
    api.build_dataset("pulsecheck457", out, scenes=2, renderer="none", workers=1)
    assert open_dataset(out).manifest.complete
    assert not list(out.rglob("*.part"))


def test_a_folder_called_work_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    write_bytes(tmp_path / "d" / "work" / "thesis.tex", b"")
    with pytest.raises(InputError, match="is not empty, and not a dataset"):
        api.build_dataset("pulsecheck457", tmp_path / "d", **SMALL)  # type: ignore[arg-type]
    assert contents(tmp_path / "d") == ["work/thesis.tex"]


def test_a_build_cut_off_after_its_last_file_is_tidied_up_and_not_done_again(
    small_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(small_copy)
    write_bytes(small_copy / "work" / "observed" / "scene-000000.json", b"{}")
    monkeypatch.setattr(
        pipeline, "make_missing", lambda *a, **k: pytest.fail("a finished build was done again")
    )
    checks = api.build_dataset("pulsecheck457", small_copy, **SMALL)  # type: ignore[arg-type]
    assert contents(small_copy) == before
    assert checks == read_json(small_copy / "checks.json", type(checks))


def test_a_build_that_another_process_ended_while_we_waited_is_not_done_again(
    small_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look finds it unfinished; by the time that the lock is ours, the other one has ended it."""
    whole = read_json(small_copy / MANIFEST, Manifest)
    looks = iter([False, True])
    monkeypatch.setattr(pipeline, "is_whole", lambda plan, wanted: next(looks))
    monkeypatch.setattr(
        pipeline, "make_missing", lambda *a, **k: pytest.fail("a finished build was done again")
    )
    api.build_dataset("pulsecheck457", small_copy, **SMALL)  # type: ignore[arg-type]
    assert read_json(small_copy / MANIFEST, Manifest) == whole
    assert not (small_copy / "work").exists()


def test_what_was_only_half_written_is_swept_up_when_the_build_carries_on(tmp_path: Path) -> None:
    out = tmp_path / "d"
    plan = {"scenes": 2, "renderer": "none", "workers": 1}
    api.build_dataset("pulsecheck457", out, **plan)  # type: ignore[arg-type]
    manifest = read_json(out / MANIFEST, Manifest)
    unfinished = {"complete": False, "files": {}, "counts": {}, "identity": ""}
    write_json(out / MANIFEST, _with(manifest, unfinished))
    for place in ("truth/.scene-000001.npz.x.part", "work/observed/.scene-000001.json.x.part", ".a.part"):
        write_bytes(out / place, b"half")
    api.build_dataset("pulsecheck457", out, **plan)  # type: ignore[arg-type]
    assert read_json(out / MANIFEST, Manifest) == manifest
    assert not list(out.rglob("*.part"))


def test_the_lock_of_a_build_outlives_no_process(tmp_path: Path) -> None:
    lock = tmp_path / "d" / WORK / LOCK
    code = (
        "import os, pathlib, sys; from fathom.store.locks import FolderLock; "
        "FolderLock(pathlib.Path(sys.argv[1]), 'dataset'); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(lock)], check=False)
    FolderLock(lock, "dataset").release()


def _with(manifest: Manifest, changes: dict[str, object]) -> Manifest:
    import msgspec

    changed: Manifest = msgspec.structs.replace(manifest, **changes)
    return changed
