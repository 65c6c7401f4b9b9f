"""Somebody who acts: the body, steps, stories, and what both derivations tell of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.assets.acting.body import LOOKS, body
from fathom.assets.acting.postures import Palm, Posture, read, standing, written
from fathom.benchmarks.seedbench.sentences import read_text
from fathom.geometry.poses import Array
from fathom.programs.engine import run
from fathom.programs.operators.acting import DEEDS, deeds_of, next_deed, walks_next
from fathom.programs.values import Unanswerable
from fathom.programs.views.video import VideoView
from fathom.questions.choice_candidate import ACTED, ACTED_AT
from fathom.questions.sampling.acted import SEEN_PX
from fathom.questions.writing.viewpoints import option_of
from fathom.records import Question
from fathom.scenes.acting.footsteps import FloorSpot, Footsteps
from fathom.scenes.acting.performance import Held, Performance
from fathom.scenes.acting.playing import played
from fathom.scenes.acting.rooms import ACTOR, acting_at
from fathom.scenes.acting.stories import drawn_story
from fathom.verify.engine import derive
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.acting import SEATS, _up
from fathom.verify.operators.acting_objects import pushing
from fathom.verify.operators.relations import middle
from fathom.verify.undecided import InsufficientEvidence
from tests.dimensions.conftest import Seen

SCALE = 0.95
THING = Held("thing", (0.2, 0.14, 0.16), 0.3)


def crouching() -> Posture:
    up = standing()
    palms = (Palm((0.33, 0.13, 0.52), (0.0, 0.0, -1.0)), Palm((0.2, -0.3, 1.8), (1.0, 0.0, 0.0)))
    return replace(up, hips_m=(-0.08, 0.37), lean_rad=0.45, palms=palms)


def test_a_posture_is_read_back_from_its_text() -> None:
    for posture in (standing(), crouching()):
        assert written(read(written(posture))) == written(posture)
        assert read(written(posture)).hips_m == pytest.approx(posture.hips_m, abs=5e-4)


@pytest.mark.parametrize("looks", list(LOOKS))
def test_a_body_has_the_same_triangles_in_every_posture(looks: str) -> None:
    for one, other in zip(body(looks, standing()), body(looks, crouching()), strict=True):
        assert one.name == other.name and (one.faces == other.faces).all()
        assert np.isfinite(other.vertices).all() and other.normals is not None
    points = np.concatenate([p.vertices for p in body(looks, standing())])
    assert points[:, 2].min() == pytest.approx(0.0, abs=0.02) and 1.7 < points[:, 2].max() < 1.9


def test_hands_are_where_they_are_to_be() -> None:
    for posture in (standing(), crouching()):
        parts = {p.name.split(maxsplit=1)[1]: p.vertices for p in body("man", posture)}
        for name, palm in zip(("left hand", "right hand"), posture.palms, strict=True):
            assert np.ptp(parts[name], axis=0).max() < 0.17
            assert parts[name].mean(axis=0) == pytest.approx(palm.place_m, abs=0.04)


def ankles(steps: Footsteps, time: float) -> Array:
    """Return (2, 2) where both ankles are in the world."""
    root = steps.root(np.array([time]))[0]
    c, s = math.cos(root[2]), math.sin(root[2])
    out = []
    for foot in steps.feet(time, root):
        x, y, _ = (steps.scale * v for v in foot.place_m)
        out.append((root[0] + c * x - s * y, root[1] + s * x + c * y))
    return np.array(out)


def test_a_foot_on_the_floor_does_not_slide() -> None:
    steps = Footsteps(0.4, FloorSpot(0.0, 0.0, 0.3), SCALE)
    steps.turn(-1.4)
    steps.walk((2.0 * math.cos(-1.4), 2.0 * math.sin(-1.4)))
    steps.turn(1.6)
    lifted = 0
    for tread in steps.treads:
        still = 1 if tread.side == 1 else 0
        moments = np.linspace(tread.begin_s, tread.end_s, 7)
        there = np.array([ankles(steps, float(t))[still] for t in moments])
        assert np.ptp(there, axis=0).max() < 1e-6
        middle = float(moments[3])
        foot = steps.feet(middle, steps.root(np.array([middle]))[0])[1 - still]
        lifted += foot.place_m[2] > 0.08
    assert lifted == len(steps.treads)
    assert steps.root(np.array([steps.now_s]))[0, 2] == pytest.approx(1.6)
    assert np.hypot(*steps.root(np.array([steps.now_s]))[0, :2]) == pytest.approx(2.0)


def acted() -> Performance:
    show = Performance(FloorSpot(0.0, 0.0, 0.0), SCALE)
    show.go(FloorSpot(1.5, 0.5, 2.0), "table")
    show.pick(THING, (0.45, 0.02, 0.78))
    show.go(FloorSpot(0.0, 0.4, -1.0), "chair")
    show.sit(0.49, 0.38, "chair")
    show.rest(0.3)
    show.get_up("chair")
    show.crouch()
    show.wave()
    show.put((0.46, 0.0, 0.8))
    show.stretch()
    return show


def test_what_is_held_stays_at_a_hand() -> None:
    show = acted()
    times = np.arange(0.0, show.now_s, 0.05)
    shown = played(show, times)
    held = np.isfinite(shown.things[:, 0])
    assert held.any() and not held[0] and not held[-1]
    thing = show.thing.at(times)
    for n in np.flatnonzero(held):
        middle = thing[n] + (0.0, 0.0, THING.size_m[2] / 2 / SCALE)
        gaps = [float(np.linalg.norm(np.array(p.place_m) - middle)) for p in shown.postures[n].palms]
        assert min(gaps) < 0.15
    steps = np.linalg.norm(np.diff(shown.things[held, :3], axis=0), axis=1) / 0.05
    assert steps.max() < 2.5  # metres a second: nothing is thrown


def test_what_is_pushed_goes_ahead_on_the_floor_with_both_palms_at_it() -> None:
    show = Performance(FloorSpot(0.3, -0.2, 0.7), SCALE)
    show.push(Held("chair", (0.5, 0.5, 0.9), 0.0), (0.75, 0.0, 0.0), (0.5, 0.85), 1.0)
    show.rest(0.2)
    times = np.arange(0.0, show.now_s, 0.05)
    shown = played(show, times)
    (act,) = show.acts
    assert act.deed == "pushes" and act.obj == "chair"
    moved = np.isfinite(shown.things[:, 0])
    way = shown.things[moved, :3]
    assert way[:, 2] == pytest.approx(0.0, abs=1e-9), "it stays on the floor"
    assert np.linalg.norm(way[-1] - way[0]) == pytest.approx(SCALE, abs=0.03)
    assert math.atan2(*(way[-1] - way[0])[1::-1]) == pytest.approx(0.7)
    for n in np.flatnonzero(moved):
        for palm, side in zip(shown.postures[n].palms, (1, -1), strict=True):
            assert palm.place_m == pytest.approx((0.5, side * 0.13, 0.85), abs=1e-6)
    assert not moved[0] and not moved[-1]


def test_who_sits_is_on_the_seat_and_hands_move_like_hands() -> None:
    show = acted()
    sits = next(a for a in show.acts if a.deed == "sits")
    shown = played(show, np.array([sits.end_s + 0.1]))
    ahead, up = shown.postures[0].hips_m
    assert (ahead, up) == pytest.approx((-0.38, 0.585), abs=0.01)
    assert [a.deed for a in show.acts if a.deed in DEEDS] == [
        "picks", "sits", "rises", "crouches", "waves", "puts", "stretches",
    ]  # fmt: skip
    times = np.arange(0.0, show.now_s, 0.02)
    for k in (0, 1):
        hands = np.array([p.palms[k].place_m for p in played(show, times).postures])
        assert np.linalg.norm(np.diff(hands, axis=0), axis=1).max() / 0.02 < 5.0


@pytest.mark.parametrize(
    "listed", [("sits", "puts", "waves", "crouches"), ("sits", "pushes", "waves", "stretches")]
)
def test_stories_come_in_every_order_as_often(listed: tuple[str, ...]) -> None:
    counts: Counter[tuple[str, ...]] = Counter()
    for k in range(30_000):
        story = drawn_story(np.random.default_rng(k))
        assert story.deeds.count("picks") <= 1 and (not story.holds or "picks" not in story.deeds)
        if story.seated:
            assert story.deeds[0] == "rises"
        done = tuple(d for d in story.deeds if d != "rises")
        if set(done) == set(listed):
            counts[done] += 1
    assert len(counts) == 24
    assert min(counts.values()) > 0.3 * max(counts.values()), counts


def test_what_is_done_next_has_begun_and_is_not_yet_done(seen: Sequence[Seen]) -> None:
    asked = 0
    for one in (s for s in seen if s.scene.source["setting"] == "acted"):
        person = one.view.index(ACTOR)
        for frame in range(one.view.frames):
            try:
                found = next_deed(one.view, person, frame)
            except Unanswerable:
                continue
            deed = next(d for d in deeds_of(one.view, person) if d.deed == found.value)
            assert deed.begin_s < one.view.times_s[frame] < deed.end_s
            asked += 1
    assert asked >= 4


def test_what_comes_next_is_asked_when_two_seconds_have_been_seen(seen: Sequence[Seen]) -> None:
    for one in (s for s in seen if s.scene.source["setting"] == "acted"):
        person, early = one.view.index(ACTOR), [f for f, t in enumerate(one.view.times_s) if t < 2.0]
        assert early
        for frame, tell in ((f, tell) for f in early for tell in (next_deed, walks_next)):
            with pytest.raises(Unanswerable, match="hardly begun"):
                tell(one.view, person, frame)


def test_who_walks_past_is_not_asked_where_they_go(seen: Sequence[Seen]) -> None:
    one = next(s for s in seen if s.scene.source["setting"] == "acted" and "walks_next" in forms(s))
    person = one.view.index(ACTOR)
    frame, goal = next((f, v) for f in range(one.view.frames) if (v := goes(one.view, person, f)))
    # Something else at the same place: nobody could say to which of them the way leads.
    positions = one.view.positions_m.copy()
    k = one.view.index(goal)
    other = next(
        j for j, name in enumerate(one.view.names)
        if j not in (k, person) and not one.view.stands[j] and positions[j, 0, 2] < 0.01
    )  # fmt: skip
    positions[other, :, :2] = positions[k, :, :2]
    assert goes(replace(one.view, positions_m=positions, memo={}), person, frame) is None


def test_where_somebody_walks_has_four_options_that_show_where_the_video_stops(seen: Sequence[Seen]) -> None:
    found = 0
    for one in seen:
        for c in (c for c in one.candidates if c.template.quantity == "walks_next"):
            assert c.span_s is not None
            frame = int(np.argmin(np.abs(one.view.times_s - c.span_s[1])))
            place = one.view.shown.tolist().index(frame)
            for option in (c.answer, *c.pool):
                assert one.visibility.visible_px[one.view.index(option.value), place] >= SEEN_PX
            found += 1
    assert found


def forms(one: Seen) -> set[str]:
    return {c.template.quantity for c in one.candidates}


def goes(view: VideoView, person: int, frame: int) -> str | None:
    try:
        found = walks_next(view, person, frame)
    except Unanswerable:
        return None
    return str(found.value) if found.truth.ratio >= 1 else None


def test_a_hand_that_is_hidden_while_it_is_up_has_not_come_down() -> None:
    low, high, gone = -0.5, 0.2, math.nan
    over = np.array([[low] * 9, [low, high, high, gone, gone, high, low, gone, high]])
    assert _up(over)[1].tolist() == [False, True, True, True, True, True, False, False, True]
    longer = np.array([[low] * 8, [high, *[gone] * 5, high, low]])
    assert _up(longer)[1].tolist() == [True, *[False] * 5, True, False]


def test_both_derivations_agree_on_all_that_could_be_asked(seen: Sequence[Seen]) -> None:
    told: Counter[str] = Counter()
    for one in (s for s in seen if s.scene.source["setting"] == "acted"):
        for c in one.candidates:
            second = derive(c.program, one.observed)
            if second is not None:
                assert second.word == c.answer.value, (one.scene.id, c.program)
                told[c.template.quantity] += 1
            assert run(c.program, one.view).value == c.answer.value
    assert set(told) >= {"does_deed", *ACTED_AT}, told


def test_another_story_is_not_what_is_seen(seen: Sequence[Seen]) -> None:
    """Where the record told something else, the second derivation would say so."""
    differs = 0
    for one in (s for s in seen if s.scene.source["setting"] == "acted"):
        person, acts = one.view.index(ACTOR), list(one.view.acts)
        acts[person] = exchanged(acts[person])
        planted = replace(one.view, acts=tuple(acts), memo={})
        for c in (c for c in one.candidates if c.template.quantity in ACTED):
            answered, second = run(c.program, planted), derive(c.program, one.observed)
            if answered.value is not None and second is not None:
                differs += answered.value != second.word
    assert differs


def exchanged(acts: str) -> str:
    """Return a record in which the first two things that somebody does have changed places."""
    lines = [line.split() for line in acts.split("; ")]
    first, other, *_ = (k for k, line in enumerate(lines) if line[0] in DEEDS)
    lines[first][0], lines[other][0] = lines[other][0], lines[first][0]
    return "; ".join(" ".join(line) for line in lines)


def pushed(video: ObservedVideo, person: int, away_m: float, up_m: float) -> ObservedVideo:
    """Return a video in which an armchair goes over the floor, hands so far from it, or rises so far."""
    chair = next(k for k, name in enumerate(video.names) if name in SEATS and video.fits[k][0] is not None)
    own = video.fits[chair][0]
    assert own is not None
    far = np.clip(np.arange(len(video.shown)) - 5, 0, 12)[:, None] * np.array([0.08, 0.0, 0.0])
    far = far + np.clip(np.arange(len(video.shown)) - 5, 0, 12)[:, None] * np.array([0.0, 0.0, up_m / 12])
    fits = list(video.fits)
    fits[chair] = tuple(replace(own, place_m=own.place_m + step) for step in far)
    course = replace(video.courses[chair], places_m=(middle(video, chair, 0) + far)[None])
    courses = [course if k == chair else one for k, one in enumerate(video.courses)]
    back = course.places_m[0] - (float(video.size(chair)[:2].max()) / 2 + away_m) * np.array([1.0, 0.0, 0.0])
    figure = replace(video.figures[person], hands_m=np.stack([back, back]))
    return replace(video, fits=tuple(fits), courses=tuple(courses), figures={person: figure}, memo={})


def test_what_goes_over_the_floor_while_hands_are_at_it_is_pushed(seen: Sequence[Seen]) -> None:
    some = (s for s in seen if s.scene.source["setting"] == "acted")
    one = next(s for s in some if "pushes" not in s.view.acts[s.view.index(ACTOR)])
    person = one.observed.objects.index(ACTOR)
    others = [e.obj for e in pushing(one.observed, person)]
    (event,) = (e for e in pushing(pushed(one.observed, person, 0.02, 0.0), person) if e.obj not in others)
    assert (event.deed, event.first, event.last) == ("pushes", 5, 17)
    with pytest.raises(InsufficientEvidence):
        list(pushing(pushed(one.observed, person, 0.5, 0.0), person))
    assert not [e for e in pushing(pushed(one.observed, person, 0.02, 0.6), person) if e.obj not in others]


def test_questions_about_who_acts_are_read_back(seen: Sequence[Seen], questions: Sequence[Question]) -> None:
    scenes = {s.scene.id: s.scene for s in seen}
    some = [q for q in questions if q.tags["setting"] == "acted"]
    assert {q.task for q in some} == {
        "action_recognition", "action_prediction", "procedure_understanding",
    }  # fmt: skip
    for q in some:
        assert read_text(q, scenes[q.scene]).verdict == "agree", q.text
        turned = msgspec.structs.replace(q, tags={**q.tags, "options_mean": ", ".join(_turned(q))})
        assert read_text(turned, scenes[q.scene]).verdict != "agree", q.text
        assert option_of(q, _turned(q)[0]) in q.choices
        if q.program[-1].op in ACTED_AT:
            assert q.answer in q.tags["explanation"] and q.span_s is not None


def _turned(question: Question) -> list[str]:
    """Return what a question's options mean, each what the one before it means."""
    meant = question.tags["options_mean"].split(", ")
    return [*meant[1:], meant[0]]


def test_the_body_of_another_version_is_not_taken(seen: Sequence[Seen]) -> None:
    scene = next(s.scene for s in seen if s.scene.source["setting"] == "acted")
    actor = next(o for o in scene.objects if o.id == ACTOR)
    other = msgspec.structs.replace(actor, asset=msgspec.structs.replace(actor.asset, sha256="0" * 64))
    objects = tuple(other if o.id == ACTOR else o for o in scene.objects)
    with pytest.raises(Exception, match="the body at hand"):
        acting_at(msgspec.structs.replace(scene, objects=objects), 0)
