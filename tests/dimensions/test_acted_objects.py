"""With what somebody does something: options that name objects, hands, and rooms that hold more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.assets.acting.body import body
from fathom.assets.acting.figures import POSTURES
from fathom.assets.acting.hands import THICK_M, hand
from fathom.benchmarks.seedbench.sentences import read_text
from fathom.programs.engine import run
from fathom.programs.operators.acting import deed_object, deeds_of, does_deed, put_on
from fathom.programs.values import Unanswerable
from fathom.questions.sampling.object_options import IN_TIME
from fathom.records import Question
from fathom.scenes.acting.rooms import ACTOR
from fathom.scenes.acting.stage import BEARERS, SEATS, THINGS
from tests.dimensions.conftest import Seen


def acted(seen: Sequence[Seen]) -> list[Seen]:
    return [s for s in seen if s.scene.source["setting"] == "acted"]


def test_what_is_done_is_told_with_its_object(seen: Sequence[Seen]) -> None:
    told = 0
    for one in acted(seen):
        view, person = one.view, one.view.index(ACTOR)
        whole = (0, view.frames - 1)
        for deed in deeds_of(view, person):
            if deed.obj < 0 or deed.deed not in IN_TIME:
                continue
            if sum(d.deed == deed.deed for d in deeds_of(view, person)) == 1:
                assert (
                    does_deed(view, person, whole, deed.deed).value == f"{deed.deed} {view.objects[deed.obj]}"
                )
                assert deed_object(view, person, whole, deed.deed).value == view.objects[deed.obj]
                told += 1
            else:
                with pytest.raises(Unanswerable):
                    deed_object(view, person, whole, deed.deed)
        with pytest.raises(Unanswerable):
            put_on(view, person, person, whole)
    assert told


def test_what_waves_is_done_with_nothing(seen: Sequence[Seen]) -> None:
    one = acted(seen)[0]
    person = one.view.index(ACTOR)
    acts = list(one.view.acts)
    acts[person] = "waves - 1.000 3.000"
    view = replace(one.view, acts=tuple(acts), memo={})
    assert does_deed(view, person, (0, view.frames - 1), "waves").value == "waves"
    with pytest.raises(Unanswerable):
        deed_object(view, person, (0, view.frames - 1), "waves")


def test_false_options_are_not_done_and_name_what_it_could_be_done_with(seen: Sequence[Seen]) -> None:
    named = 0
    for one in acted(seen):
        person = one.view.index(ACTOR)
        done = {d.deed for d in deeds_of(one.view, person)}
        for c in (c for c in one.candidates if c.template.quantity == "does_deed"):
            for option in c.pool:
                assert option.kind not in done
                _, _, obj = option.value.partition(" ")
                if obj:
                    assert one.view.names[one.view.index(obj)] in IN_TIME[option.kind]
                    named += 1
    assert named


def test_an_option_that_names_another_object_is_not_read_as_the_right_one(
    seen: Sequence[Seen], questions: Sequence[Question]
) -> None:
    scenes = {s.scene.id: s.scene for s in seen}
    tried = 0
    for q in (q for q in questions if q.program[-1].op in ("does_deed", "doing")):
        values = q.tags["options_mean"].split(", ")
        for k, value in enumerate(values):
            deed, _, obj = value.partition(" ")
            other = next((o.id for o in scenes[q.scene].objects if o.id != obj), "")
            if obj:
                meant = ", ".join((*values[:k], f"{deed} {other}", *values[k + 1 :]))
                wrong = msgspec.structs.replace(q, tags={**q.tags, "options_mean": meant})
                assert read_text(wrong, scenes[q.scene]).verdict != "agree"
                tried += 1
    assert tried


def test_more_stands_where_somebody_acts_and_nobody_walks_into_it(seen: Sequence[Seen]) -> None:
    for one in acted(seen):
        view, person = one.view, one.view.index(ACTOR)
        names = [n for n, still in zip(view.names, view.stands, strict=True) if not still]
        assert sum(n in THINGS for n in names) >= 2 and sum(n in SEATS for n in names) >= 2
        assert sum(n in BEARERS for n in names) >= 2
        walks = [d for d in deeds_of(view, person) if d.deed == "walks"]
        for d in walks:
            inside = (view.times_s >= d.begin_s + 0.3) & (view.times_s <= d.end_s - 0.3)
            for k in range(len(view.objects)):
                if k == person or view.stands[k] or view.positions_m[k, 0, 2] > 0.01:
                    continue
                off = view.positions_m[person, inside, :2] - view.centres_m[k, inside, :2]
                local = np.abs(np.einsum("fi,fij->fj", off, view.rotations[k, inside, :2, :2]))
                assert (local > view.sizes_m[k, :2] / 2).any(axis=1).all(), (one.scene.id, view.objects[k])


@pytest.mark.parametrize("side", [1, -1])
def test_a_flat_hand_has_its_palm_in_one_plane_and_its_thumb_inside(side: int) -> None:
    vertices, faces = hand(side, np.zeros(3), np.array([0.0, 0.0, 1.0]), (1.0, 0.0, 0.0))
    assert vertices[:, 0].max() == pytest.approx(THICK_M, abs=1e-3)
    assert np.ptp(vertices, axis=0).max() < 0.17 and faces.max() < len(vertices)
    low, high = vertices[:, 1].min(), vertices[:, 1].max()
    # Raised with the palm ahead, a left hand's thumb is to its right, towards the head.
    assert (abs(low) > abs(high)) == (side == 1)


def test_fingers_of_hanging_hands_are_bent_and_of_pushing_ones_are_not() -> None:
    hanging = {p.name: p.vertices for p in body("man", POSTURES["stands"][0]())}
    pushing = {p.name: p.vertices for p in body("man", POSTURES["pushes"][0]())}
    left = next(name for name in hanging if "left hand" in name)
    assert np.ptp(hanging[left][:, 1]) > 0.05, "bent fingers reach across"
    assert np.ptp(pushing[left][:, 0]) < 0.035, "a flat hand is thin"


def test_programs_come_to_what_is_offered(seen: Sequence[Seen]) -> None:
    for one in acted(seen):
        for c in (c for c in one.candidates if c.template.quantity in ("does_deed", "deed_object", "put_on")):
            assert run(c.program, one.view).value == c.answer.value
