"""Still scenes: further ones are drawn for what is lacking, and no more is asked than was wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

import fathom
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.datasets.generators import stills

SCENES = 5


def built(out: Path, further: float) -> fathom.BenchmarkDataset:
    return fathom.build(
        "pulsecheck457",
        out,
        scenes=SCENES,
        seed="further",
        renderer="none",
        workers=1,
        settings={"further": further},
    )


def test_further_scenes_are_drawn_for_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "LARGE", SCENES)
    alone, more = built(tmp_path / "alone", 0), built(tmp_path / "more", 0.4)
    first = [s.id for s in alone.scenes()]
    scenes = [s.id for s in more.scenes()]
    counts = [len(s.objects) for s in more.scenes()]
    most = stills.StillSettings().world.most
    assert min(counts[:SCENES]) < most - stills.FULLEST <= min(counts[SCENES:]), (
        "further scenes are full ones"
    )
    assert len(first) == SCENES and scenes[:SCENES] == first
    assert SCENES < len(scenes) <= SCENES + 2
    assert len(more) > len(alone)
    wanted = recipe("0", "fathom").asking.amounts
    for task, count in more.tasks.items():
        assert count <= round(wanted[task] * SCENES), "as many are wanted as of the scenes asked for"
    asked = {s.question.scene for s in more}
    assert set(scenes[SCENES:]) <= asked, "further scenes that nothing is asked about are left out"


def test_a_small_set_draws_none(small_dataset: Path) -> None:
    assert len(list(fathom.load_dataset(small_dataset).scenes())) == 4
    assert stills.LARGE > 4
