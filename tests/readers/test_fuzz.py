"""Hundreds of broken recordings: each is read with a report, or refused in one sentence with a remedy."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.formats.recordings import Recording, pictures, read
from fathom.records import InputError, Scene
from fathom.store.seeds import rng
from tests.readers import made
from tests.readers.breaking import damage, spoil_cells

CASES = 420 if os.environ.get("HYPOTHESIS_PROFILE") == "search" else 120
"""Of each format; `make search` has more."""

REMEDY = re.compile(
    r"; [^;]*\b(again|replace|put|set|check|name|invert|divide|write|negate|export|fetch|unpack|match|give"
    r"|save|turn|take|correct|mend|convert)\b|pip install"
)


def outcome(name: str, folder: Path, done: list[str] | str) -> str:
    """Read a broken recording, check what comes of it, and return whether it was read."""
    try:
        recordings = list(read(name, folder))
    except InputError as e:
        said = str(e)
        assert REMEDY.search(said), f"{done}: no remedy in {said!r}"
        assert "\n" not in said and len(said) < 1200, said
        assert any(word in said for word in (str(folder), made.SCAN, made.SEGMENT, "000123")), said
        return "refused"
    for recording in recordings:
        sound(recording, folder)
    return "read"


def sound(recording: Recording, folder: Path) -> None:
    """Check that a recording can be used: one pose and one file a frame, finite, no path outside."""
    scene = recording.scene
    encoded = msgspec.json.encode(scene)
    assert msgspec.json.decode(encoded, type=Scene) == scene
    assert b"NaN" not in encoded and b"null" not in encoded
    frames = len(scene.times_s)
    assert len(recording.frames) == len(scene.cameras[0].poses) == frames > 0
    assert all(a < b for a, b in zip(scene.times_s, scene.times_s[1:], strict=False))
    assert all(len(t.poses) in (1, frames) for t in scene.objects)
    numbers = [v for t in scene.objects for p in t.poses for v in (*p.position_m, *p.rotation_wxyz)]
    numbers += [v for p in scene.cameras[0].poses for v in (*p.position_m, *p.rotation_wxyz)]
    numbers += [v for t in scene.objects for v in t.size_m]
    assert np.isfinite(numbers).all()
    assert len({t.id for t in scene.objects}) == len(scene.objects)
    for frame in recording.frames:
        for place in (frame.picture, frame.depth):
            assert place is None or place.path.resolve().is_relative_to(folder.resolve())
    assert str(recording.report)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reader", "make"),
    [
        ("scannet", partial(made.scannet, frames=10)),
        ("scannet", made.sens),
        ("omni6dpose", partial(made.omni6dpose, frames=8)),
    ],
    ids=["scannet", "sens", "omni6dpose"],
)
def test_broken_files_are_read_with_a_report_or_refused_with_a_remedy(
    reader: str, make: Callable[[Path], Path], tmp_path: Path
) -> None:
    whole = make(tmp_path / "whole")
    outside = tmp_path / "secret.txt"
    outside.write_text("1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n")
    outcomes = []
    for case in range(CASES):
        folder = tmp_path / "case" / whole.name
        shutil.copytree(whole, folder, symlinks=True)
        done = damage(folder, outside, rng("readers", reader, whole.name, len(list(whole.rglob("*"))), case))
        outcomes.append(outcome(reader, folder, done))
        shutil.rmtree(folder)
    assert outcomes.count("read") > CASES // 10
    assert outcomes.count("refused") > 0


@pytest.mark.slow
def test_broken_parquet_is_read_with_a_report_or_refused_with_a_remedy(tmp_path: Path) -> None:
    whole = made.waymo(tmp_path / "whole", frames=6)
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    outcomes = []
    for case in range(CASES):
        folder = tmp_path / "case"
        draw = rng("readers", "waymo", case)
        if case % 2:
            shutil.copytree(whole, folder)
            done: list[str] | str = damage(folder, outside, draw)
        else:
            tables = made.waymo_tables(6)
            done = [spoil_cells(tables, draw) for _ in range(int(draw.integers(1, 3)))]
            try:
                made.write_waymo(folder, tables)
            except Exception:  # a column of two types, which Parquet cannot hold
                shutil.rmtree(folder, ignore_errors=True)
                continue
        outcomes.append(outcome("waymo", folder, done))
        shutil.rmtree(folder)
    assert len(outcomes) == CASES
    assert outcomes.count("read") > CASES // 10
    assert outcomes.count("refused") > CASES // 10


def test_pictures_of_a_container_that_changed_are_refused(tmp_path: Path) -> None:
    folder = made.sens(tmp_path)
    (recording,) = read("scannet", folder)
    path = folder / f"{made.SCAN}.sens"
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(InputError, match="fetch it again"):
        list(pictures(recording.frames))
