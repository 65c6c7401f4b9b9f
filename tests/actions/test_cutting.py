"""A clip shows exactly the frames of its stretch."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.media.cutting import cut
from fathom.media.video import probe, read_frames
from tests.actions import made

pytest.importorskip("av", reason="PyAV is not installed")


def shown(path: Path) -> list[int]:
    return [made.number_in(p) for p in read_frames(path, range(probe(path).frames))]


@pytest.mark.parametrize(
    ("start", "stop", "fps", "numbers"),
    [
        (1.0, 2.0, 10, list(range(10, 20))),
        (1.0, 2.0, 60, list(range(10, 20))),
        (0.5, 1.5, 5, [5, 7, 9, 11, 13]),
        (2.0, 9.0, 10, list(range(20, 40))),
    ],
)
def test_the_frames_are_those_of_the_stretch(
    tmp_path: Path, start: float, stop: float, fps: float, numbers: list[int]
) -> None:
    source = made.film(tmp_path / "a.mp4", 4)
    cut(source, probe(source), start, stop, tmp_path / "clip.mp4", fps, 480)
    assert shown(tmp_path / "clip.mp4") == numbers


def test_no_frame_at_or_after_the_end_is_shown(tmp_path: Path) -> None:
    source = made.film(tmp_path / "a.mp4", 4, fps=29.97)
    for stop in (1.01, 1.5, 2.0033):
        cut(source, probe(source), 0.3, stop, tmp_path / "clip.mp4", 15, 480)
        assert all(number / 29.97 < stop for number in shown(tmp_path / "clip.mp4"))


def test_a_clip_is_no_higher_than_wanted(tmp_path: Path) -> None:
    source = made.film(tmp_path / "a.mp4", 2)
    cut(source, probe(source), 0.0, 1.0, tmp_path / "clip.mp4", 10, 16)
    info = probe(tmp_path / "clip.mp4")
    assert (info.width, info.height) == (48, 16)
    assert shown(tmp_path / "clip.mp4") == list(range(10))
