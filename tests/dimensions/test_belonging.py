"""What is not where it is kept: staged rooms, by both derivations, in questions and in their explanations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fathom.benchmarks.seedbench.sentences import read_text
from fathom.programs.operators.belonging import KEPT, MOVED, TOPS, out_of_place
from fathom.programs.values import Unanswerable
from fathom.questions.balancing.choices import with_options
from fathom.questions.choice_candidate import ChoiceCandidate, ChoiceSelected, DrawnOption
from fathom.questions.writing.choices import written_choices
from fathom.scenes.misplaced import add_misplaced
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.videos.furnishing_rooms import Stand
from fathom.verify.engine import derive
from fathom.verify.operators.belonging import RAISED
from tests.dimensions.conftest import RECIPE, Seen
from tests.dimensions.test_contacts import a, layout_of, looked_into
from tests.dimensions.test_rooms import camera_of, room, seen_from

EYE = np.array([0.2, -2.1, 1.4])
TABLE, DESK = a("coffee table", -0.5, 0.0, math.pi / 2), a("desk", 1.1, 0.9, -math.pi / 2)


def on(carrier: Stand, name: str, aside_m: float) -> Stand:
    """Return something on a piece of furniture."""
    x, y = carrier.ahead(0.0, aside_m)
    return replace(a(name, 0, 0), place_m=(float(x), float(y), carrier.size_m[2]), on=0)


def staged(*more: Stand, path: Path) -> Seen:
    """A coffee table with a teapot, a desk with a lamp, and a bin on the floor."""
    kept = on(TABLE, "teapot", 0.3), on(DESK, "table lamp", 0.0), a("bin", 0.7, -0.3)
    return looked_into(layout_of(TABLE, DESK, *kept, *more), path, EYE)


def asked(seen: Seen) -> list[ChoiceCandidate]:
    return [c for c in seen.candidates if c.template.quantity == "out_of_place"]


@pytest.mark.parametrize(
    ("odd", "where"), [(a("biscuit tin", 0.3, -0.6), "floor"), (on(TABLE, "stool", -0.3), "furniture")]
)
def test_one_object_is_not_where_it_is_kept(odd: Stand, where: str, tmp_path: Path) -> None:
    seen = staged(odd, path=tmp_path)
    (found,) = asked(seen)
    assert found.answer.value == "thing5"
    assert {o.value for o in found.pool} == {"thing2", "thing3", "thing4"}
    second = derive(found.program, seen.observed)
    assert second is not None
    assert second.word == "thing5"
    (question,) = written_choices([ChoiceSelected(found, (found.answer, *found.pool))], RECIPE)
    assert read_text(question, seen.scene).verdict == "agree"
    assert odd.asset.noun in question.tags["explanation"]
    assert (out_of_place(seen.view, 0).truth.ratio >= 1) and (KEPT[odd.asset.noun] == "floor") != (
        where == "floor"
    )


@pytest.mark.parametrize(
    "more",
    [
        (),
        (a("biscuit tin", 0.3, -0.6), on(TABLE, "stool", -0.3)),
        (replace(a("biscuit tin", 0.3, -0.6), place_m=(0.3, -0.6, 0.12)),),
    ],
    ids=["none", "two", "in the air"],
)
def test_where_none_is_out_of_place_or_two_are_nothing_is_asked(
    more: Sequence[Stand], tmp_path: Path
) -> None:
    seen = staged(*more, path=tmp_path)
    assert not asked(seen)
    with pytest.raises(Unanswerable):
        out_of_place(seen.view, 0)


def test_both_derivations_know_where_the_same_things_are_kept() -> None:
    assert {noun: place != "floor" for noun, place in KEPT.items()} == RAISED
    assert set(MOVED) == set(KEPT)


def test_what_is_moved_most_often_is_right_no_more_often_than_the_rest(tmp_path: Path) -> None:
    """Who knows that bins are put on tables more often than chairs gains nothing by it."""
    (real,) = asked(staged(on(TABLE, "stool", -0.3), path=tmp_path))
    assert {o.value: o.side for o in real.pool} == {"thing2": 1, "thing3": 1, "thing4": -1}
    g = np.random.default_rng(0)
    taken = [_made(real, k, int(g.integers(0, 6))) for k in range(60)]
    sides = {o.value: o.side for c in taken for o in c.pool}
    ranks = Counter(sum(sides.get(o.value, 0) < 0 for o in s.options) for s in with_options(taken, "tests"))
    assert len(ranks) == 4
    assert max(ranks.values()) - min(ranks.values()) <= 2


def _made(real: ChoiceCandidate, k: int, before: int) -> ChoiceCandidate:
    pool = tuple(DrawnOption(f"{k}-{j}", f"the thing {j}", -1 if j < before else 1) for j in range(6))
    return replace(real, scene=f"made{k}", pool=pool, answer=DrawnOption(f"{k}", f"the answer {k % 5}"))


def test_what_is_put_where_it_does_not_belong_is_the_only_such_object() -> None:
    placed: set[str] = set()
    for seed in range(6):
        layout = room(seed, "dresser", "coffee table", "desk")
        picture = RoomPicture(layout)
        picture.look(camera_of(layout, layout.stands[1]))
        add_misplaced(picture, 1.0)
        kept = [s for s in layout.stands if s.asset.noun in KEPT]
        odd = [s for s in kept if (s.on >= 0) != (KEPT[s.asset.noun] == "furniture")]
        assert len(odd) <= 1
        if odd:
            group = next(g for g in picture.groups if g[0] is odd[0])
            assert len(group) >= 4
            assert all(s.on < 0 or layout.stands[s.on].asset.noun in TOPS for s in group)
            view = seen_from(layout, picture.camera)  # type: ignore[arg-type]
            where = "furniture" if odd[0].on >= 0 else "floor"
            found = out_of_place(view, 0)
            assert found.truth.ratio >= 1
            placed.add(where)
    assert placed == {"floor", "furniture"}
