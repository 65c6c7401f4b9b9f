"""From a pool of objects to those of a dataset, each of the others with its reason."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from fathom.curation.curate import (
    STAGES,
    Curation,
    CurationSettings,
    curate,
    curation_rows,
    decide,
    write_curation,
)
from fathom.curation.figures import composition_figure
from fathom.curation.measuring import MeasuredObject, PoolObject, measure
from fathom.curation.quality import Floors
from fathom.records import AssetError, InputError, Verdict
from fathom.store.files import read_json
from tests.curation.made import FPS, Picture, blob, candidate, film, places

MOVES = places((6, 0), (12, 1.5), (6, 0))
GRAZES = places((4, 0), (16, 1.0), (4, 0))
BACKS = places((6, 0), (12, -1.0), (6, 0))
STILL = places((24, 0))


def unreadable(name: str) -> PoolObject:
    def films() -> Iterator[Iterator[Picture]]:
        yield film(MOVES)
        raise AssetError(f"{name}.glb: the file is cut off; replace it")

    return PoolObject(name=name, category="animal", films=films, fps=FPS)


def pool() -> list[PoolObject]:
    """One object for each reason to go, and some to stay."""
    return [
        candidate("fox-walk", MOVES, part=blob("fox"), sequence=("Walk",), motions=("walk",)),
        candidate("fox-eat", GRAZES, part=blob("fox"), sequence=("Eating",), motions=("eat",), y=70),
        candidate("kitsune-walk", MOVES, part=blob("fox"), sequence=("Walk",), motions=("walk",), y=40),
        candidate("statue", STILL, part=blob("statue"), y=80),
        candidate("shadow", MOVES, part=blob("shadow"), y=30, first=(90,) * 3, second=(95,) * 3),
        candidate("sketch", MOVES, part=blob("sketch", rings=5), y=90),
        unreadable("torn"),
        candidate("shark", BACKS, category="fish", part=blob("shark"), motions=("swim",)),
        candidate("ugly", places((6, 0), (12, -1.2), (6, 0)), part=blob("ugly"), motions=("jump",), y=50),
        candidate("wolf", places((6, 0), (12, 1.0), (6, 0)), part=blob("wolf"), motions=("walk",), y=45),
        candidate("bear", places((6, 0), (12, 0.8), (6, 0)), part=blob("bear"), motions=("walk",), y=85),
    ]  # fmt: skip


def dull(views: Sequence[Picture]) -> float:
    """Return a grade: what stands lowest in the picture is thought little of."""
    assert len(views) == 2
    return 0.9


@pytest.fixture(scope="module")
def curation() -> Curation:
    verdicts = [
        Verdict(question="ugly", reviewer="ann", decision="reject", reason="the hands pass through the body"),
        Verdict(question="who", reviewer="ann", decision="keep"),
    ]
    return curate(pool(), CurationSettings(most=4), dull, verdicts)


def test_every_object_stays_or_has_a_reason(curation: Curation) -> None:
    gone = {d.name: (d.stage, d.reason) for d in curation.dropped}
    assert sorted([*gone, *curation.kept]) == sorted(c.name for c in pool())
    assert gone["torn"] == ("unreadable", "torn.glb: the file is cut off; replace it")
    assert gone["statue"][0] == "static"
    assert gone["shadow"] == ("quality", "colors that have a name of their own: 1, at least 2 asked for; "
                              "entropy of colors (bits): 0.00, at least 0.15 asked for")  # fmt: skip
    assert "triangles: 72, at least 200 asked for" in gone["sketch"][1]
    assert gone["kitsune-walk"][0] == "duplicate"
    assert gone["ugly"] == ("verdict", "rejected by 1 (ann: the hands pass through the body)")
    assert gone.keys() & {"wolf", "bear", "fox-walk"}
    assert {"fox-eat", "shark"} <= set(curation.kept)
    assert curation.unknown_verdicts == ("who",)


def test_what_is_left_after_each_stage_adds_up(curation: Curation) -> None:
    assert curation.left["all"] == 11
    assert curation.left["balance"] == len(curation.kept) == 4
    assert {d.stage for d in curation.dropped} <= set(STAGES)
    rows = curation_rows(curation)
    assert rows[1] == ("all", "11", "")
    assert sum(int(gone) for _, _, gone in rows[2:]) == 7
    assert curation.after.cells_even > curation.before.cells_even


def test_motion_is_compared_with_the_animation(curation: Curation) -> None:
    steps, segments, kept = curation.agreement
    assert (kept.found, kept.true, kept.precision, kept.recall) == (9, 9, 1.0, 1.0)
    assert (segments.precision, segments.recall) == (1.0, 1.0)
    assert steps.precision is not None
    assert steps.precision > 0.95


def test_the_order_of_the_pool_does_not_matter(curation: Curation) -> None:
    measured = [measure(c) for c in pool()]
    assert decide(measured) == decide(measured[::-1])


def test_a_low_grade_goes() -> None:
    found = curate(pool()[:1], grade=lambda views: 0.25)
    assert found.dropped[0].stage == "classifier"
    assert found.dropped[0].reason == "graded 0.25 by the classifier, at least 0.50 asked for"


def test_strict_stops_at_the_first_that_cannot_be_read() -> None:
    with pytest.raises(AssetError, match="cut off"):
        curate([unreadable("torn")], CurationSettings(strict=True))


def test_two_objects_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="'fox' is given twice"):
        curate([candidate("fox", STILL), candidate("fox", MOVES)])


def test_measures_and_the_curation_survive_being_written(curation: Curation, tmp_path: Path) -> None:
    measured = measure(pool()[0])
    assert msgspec.json.decode(msgspec.json.encode(measured), type=MeasuredObject) == measured
    write_curation(tmp_path, curation, {"action": 3, "appearance": 1})
    assert read_json(tmp_path / "curation.json", Curation) == curation
    first = {p.name: p.read_bytes() for p in (tmp_path / "figures").iterdir()}
    assert {n.rsplit(".")[-1] for n in first} == {"svg", "pdf", "png"}
    write_curation(tmp_path, curation, {"action": 3, "appearance": 1})
    assert {p.name: p.read_bytes() for p in (tmp_path / "figures").iterdir()} == first


def test_an_object_without_triangles_is_judged_by_its_films() -> None:
    assert curate([candidate("film", MOVES)]).kept == ("film",)


def test_an_empty_pool_leaves_nothing() -> None:
    assert curate([]).kept == ()


def test_objects_are_looked_at_one_by_one_and_let_go() -> None:
    """The frames of an object come to 900 kB; what stays of it is a few kilobytes."""
    alive: list[int] = []
    xs = places((3, 0), (5, 3.0))

    def objects(count: int) -> Iterator[PoolObject]:
        for i in range(count):
            yield candidate(f"object-{i:03d}", xs, y=30 + i % 60)

    def note(done: int, measured: MeasuredObject) -> None:
        if done in (20, 60):
            gc.collect()
            alive.append(tracemalloc.get_traced_memory()[0])
            tracemalloc.reset_peak()

    tracemalloc.start()
    try:
        found = curate(objects(60), progress=note)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.left["all"] == 60
    assert (alive[1] - alive[0]) / 40 < 8_000
    assert peak - alive[1] < 8 << 20


def test_the_figure_shows_counts_and_joins_the_rarest() -> None:
    many = {f"category {i:02d}": 40 - i for i in range(40)}
    figure = composition_figure({"Questions by subtask": {"action": 3, "none": 0}, "Objects": many})
    left, right = figure.axes
    assert [t.get_text() for t in left.get_yticklabels()] == ["action", "none"]
    assert right.get_yticklabels()[-1].get_text() == "17 others"
    assert "n = 820" in right.get_title(loc="left")
    assert not composition_figure({}).axes


def test_floors_can_be_set_for_a_pool() -> None:
    grey = candidate("grey", MOVES, first=(90, 90, 90), second=(95, 95, 95))
    loose = CurationSettings(floors=Floors(least_colors=1, least_color_bits=0))
    assert curate([grey], loose).kept == ("grey",)
