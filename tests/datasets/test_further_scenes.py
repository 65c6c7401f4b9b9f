"""Still scenes: further ones are drawn for what is lacking, and no more is asked than was wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

import fathom
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.datasets.generators import stills, stills_blocks
from fathom.datasets.generators.stills_blocks import (
    Block,
    BlockChoice,
    Work,
    blocks_of,
    chosen_for,
    further_of,
)
from fathom.datasets.plan import AnyPlan, DatasetPlan
from fathom.questions.asking import StillCandidate, StillSelected
from fathom.questions.making import Recipe

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


ASKING = recipe("0", "fathom").asking


def asked_of(scenes: range, lack: str = "", without: int = 0) -> Work:
    """Return work in which scenes have their share of every family, but for so many questions of one."""
    total = {t.id: ASKING.shares[t.id] * ASKING.amounts[t.task] * len(scenes) for t in ASKING.templates}
    work: dict[int, list[StillSelected]] = {k: [] for k in scenes}
    for name, wanted in total.items():
        for j in range(round(wanted) - without * (name == lack)):
            k = scenes[j % len(scenes)]
            work[k].append(StillSelected(StillCandidate(f"s{k}", name, (), "yes"), ("yes", "no")))
    return work


def test_further_scenes_go_to_the_blocks_that_lack_something() -> None:
    one, two = range(250), range(250, 500)
    there = blocks_of(500, 250, range(500))
    assert further_of(there, {**asked_of(one), **asked_of(two)}, ASKING, 0.5) == []
    lacking: Work = {**asked_of(one), **asked_of(two, "L4.pose", 60)}
    found = further_of(there, lacking, ASKING, 0.5)
    assert found == [501 + 2 * j for j in range(25)], "those of the second block, a tenth at least"
    more = blocks_of(500, 250, [*range(500), *found])
    assert [b.more for b in more] == [(), tuple(found)], "a scene stays in its block"
    assert not set(further_of(more, lacking, ASKING, 0.5)) & set(found)
    assert further_of(more, lacking, ASKING, 0.1) == [], "there may be no more of them"
    much: Work = {**asked_of(one), **asked_of(two, "L4.hides.size", 150)}
    assert 25 < len(further_of(there, much, ASKING, 0.5)) < 50, "more where more is missing"


def test_a_block_that_gets_no_further_scenes_is_not_chosen_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Block] = []

    def choose(plan: AnyPlan, recipe: Recipe, block: Block) -> BlockChoice:
        done.append(block)
        return BlockChoice(
            work=dict.fromkeys((*block.first, *block.more), ()), tried={}, short={"t": len(done)}
        )

    monkeypatch.setattr(stills_blocks, "_chosen", choose)
    plan = DatasetPlan(
        out=tmp_path,
        benchmark="b",
        benchmark_version="1",
        generator="g",
        scenes=10,
        recipe="r",
        seed="0",
        own=None,
    )
    of_all = recipe("0", "fathom")
    for drawn in (range(10), range(10), [*range(10), 11]):
        found = [chosen_for(plan, of_all, block) for block in blocks_of(10, 5, drawn)]
    # Two blocks were chosen for, then neither, then the one that got a scene.
    assert [b.number for b in done] == [0, 1, 1] and done[-1].more == (11,)
    assert [c.short["t"] for c in found] == [1, 3]
    assert set(found[1].work) == {5, 6, 7, 8, 9, 11}
