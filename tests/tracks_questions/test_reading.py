"""What a careful reader would not accept is not asked: what hangs on nothing that can be seen, or is asked
twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.benchmarks.stibench.construction import templates
from fathom.programs.operators.speeds import speed
from fathom.programs.referring import expressions
from fathom.programs.views.video import CAMERA, video_view
from fathom.questions.balancing.video import chosen
from fathom.questions.candidate import Selection
from fathom.questions.contexts.video import WHOLE, Moment, VideoContext, video_context
from fathom.questions.contexts.video_nouns import EXTRAS, FRONTLESS, ROUND
from fathom.questions.contexts.video_visibility import Seeing, Sights, faces, seen_by, sides_px
from fathom.questions.mix import wanted_of
from fathom.questions.numeric.option_sets import Options
from fathom.questions.repeating.video import SAME_SPAN, new, repeats, shared
from fathom.questions.sampling.video import drafted
from fathom.questions.sampling.video_fillings import has_clause
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.questions.writing.video import too_fine, written
from fathom.records import Pose, Scene, SceneObject
from tests.tracks.worlds import level_view, obj, pose, upright, video
from tests.tracks_questions.conftest import RECIPE
from tests.tracks_questions.worlds import projected, street

Worlds = dict[str, tuple[Scene, Sights]]


def fronted(noun: str, size: tuple[float, float, float], known: bool = True) -> SceneObject:
    """An object two metres ahead of the camera, turned half towards it."""
    made = obj("t", [pose((-2.0, 0.0, 0.9), upright(2.5))], noun, size=size)
    front = {"front": "known" if known else "unknown"}
    return msgspec.structs.replace(made, attributes={**made.attributes, **front})


def staged(
    objects: Sequence[SceneObject], setting: str = "indoor", camera: Sequence[Pose] | None = None
) -> VideoContext:
    scene = video(objects, camera, setting=setting, frames=30)
    return video_context(scene, projected(scene), recipe_for("t"))


@pytest.mark.parametrize(
    ("noun", "size", "known", "shape"),
    [
        ("sofa", (0.9, 1.9, 0.8), True, "front"),
        ("bed", (2.0, 1.5, 0.5), True, "long"),
        ("robot vacuum", (0.385, 0.395, 0.09), True, "round"),
        ("box", (0.4, 0.3, 0.2), False, "sides"),
        ("box", (0.31, 0.3, 0.2), False, ""),
        ("vase", (0.3, 0.3, 0.5), False, "round"),
        ("mug", (0.4, 0.3, 0.3), False, "handled"),
        ("lemon", (0.35, 0.3, 0.3), False, ""),
        ("pedestrian", (0.3, 0.5, 1.7), True, ""),
        ("street lamp", (1.5, 0.3, 3.0), False, ""),
    ],
)
def test_words_for_sides_are_those_that_fit(
    noun: str, size: tuple[float, float, float], known: bool, shape: str
) -> None:
    assert staged([fronted(noun, size, known)]).shape(0) == shape


@pytest.mark.parametrize(
    ("noun", "side", "boxed"),
    [("armchair", 0.8, True), ("robot vacuum", 0.8, False), ("toy house", 0.1, False)],
)
def test_boxes_are_asked_where_a_front_can_be_seen_and_centres_elsewhere(
    noun: str, side: float, boxed: bool
) -> None:
    scene = video([fronted(noun, (side, side, side))], frames=30)
    seen = Seeing(clear_px=100, parallax=0.0, anchored_share=0.0)
    found = drafted(scene, projected(scene), recipe_for("t", seeing=seen))
    kinds = {d.template.asks for d in found if d.template.task == "3d_video_grounding"}
    assert "centre" in kinds
    assert ("box" in kinds) == boxed


def test_what_is_nearly_round_is_known_no_finer_than_it_is_round(candidates: list[VideoCandidate]) -> None:
    scene = video([fronted("robot vacuum", (0.385, 0.395, 0.09))], frames=30)
    seen = Seeing(parallax=0.0)
    found = drafted(scene, projected(scene), recipe_for("t", seeing=seen))
    (width,) = [d for d in found if d.template.id == "width"]
    assert width.answered.tolerance[0] >= 0.01
    assert width.shape == "round"


def test_nouns_are_told_apart_by_what_is_known_of_them() -> None:
    assert set(EXTRAS) <= ROUND
    assert not ROUND & {"car", "sofa", "box", "book"}
    assert "robot vacuum" in FRONTLESS


def signs(turned: float) -> tuple[Scene, Sights]:
    """A speed limit sign and a bench ahead of a camera that stands; the sign is turned away by an angle."""
    sign = obj(
        "s", [pose((2, 1, 0.5), upright(np.pi + turned))], "speed limit sign", "white", (0.1, 0.8, 2.0)
    )
    scene = video([sign, obj("b", (2, -1, 0.5), "bench", "brown", (0.5, 1.5, 0.8))], frames=30)
    return scene, projected(scene)


@pytest.mark.parametrize(("turned", "read"), [(0.0, True), (0.8, True), (1.4, False), (3.1, False)])
def test_signs_are_spoken_of_where_their_faces_are_seen(turned: float, read: bool) -> None:
    scene, visibility = signs(turned)
    tracks = seen_by(video_view(scene), visibility, Seeing())
    assert bool(faces(tracks, 60.0)[0].all()) is read
    assert faces(tracks, 60.0)[1].all()
    recipe = recipe_for("t", seeing=Seeing(parallax=0.0))
    assert any("s" in d.objects for d in drafted(scene, visibility, recipe)) is read


def test_a_thin_post_is_made_out_but_not_clear() -> None:
    scene = video([obj("post", (14.0, 0.0, 0.0), "bollard", size=(0.1, 0.1, 3.0))], frames=30)
    visibility = projected(scene)
    many = replace(visibility, visible_px=visibility.visible_px + 400, full_px=visibility.full_px + 400)
    tracks = seen_by(video_view(scene), many, Seeing())
    assert sides_px(tracks)[0].min() == pytest.approx(0.1 * 500 / 18, rel=0.05)
    assert tracks.seen.all()
    assert not tracks.clear_in((0, 29)).any()
    wide = seen_by(video_view(scene), many, Seeing(narrow_px=2.0))
    assert wide.clear_in((0, 29)).all()


def test_what_a_object_is_told_by_is_clear_when_it_is_asked_about() -> None:
    plate = obj("p", (0, 0, 0.9), "plate", "white", (0.6, 0.6, 0.3))
    stage = staged([obj("a", (0, 0.9, 0.9)), obj("b", (0, -0.9, 0.9)), plate])
    called = expressions(stage.tracks)["a"]
    assert called is not None and called.anchor == "p"
    assert stage.told(0, called, Moment(3, 20)) and stage.told(0, called, WHOLE)
    stage.clear[2, 10] = False
    assert not stage.told(0, called, Moment(3, 20))
    assert not stage.told(0, called, Moment(10, 10))
    assert stage.told(0, called, Moment(11, 20)) and stage.told(0, called, WHOLE)
    stage.clear[2, 10:] = False
    assert not stage.told(0, called, WHOLE)


def test_an_order_is_of_objects_without_clauses_and_a_clause_comes_last(
    worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    for d in candidates:
        scene, visibility = worlds[d.scene]
        if len(d.objects) > 1:
            stage = video_context(scene, visibility, RECIPE)
            moment = Moment(*(2 * [_place(stage, d.times[0])]))
            clauses = [has_clause(e) for k in d.objects if (e := stage.called(stage.tracks.index(k), moment))]
            assert clauses == sorted(clauses)
            assert not (len(clauses) == 3 and any(clauses))


def _place(stage: VideoContext, time: str) -> int:
    return int(np.flatnonzero(stage.tracks.shown == stage.tracks.at(float(time)))[0])


def test_forms_are_asked_in_their_settings_alone(candidates: list[VideoCandidate]) -> None:
    assert all(d.setting in d.template.settings for d in candidates)
    assert not any(d.template.id == "camera_acceleration" for d in candidates)
    outside = {d.template.id for d in drafted(street(), projected(street()), RECIPE)}
    assert "camera_acceleration" in outside
    for form in templates().templates:
        assert set(form.settings) <= {"desktop", "indoor", "outdoor"} and form.settings


def test_a_speed_at_a_time_is_the_speed_around_it() -> None:
    """A camera that jerks to and fro between two frames that are shown."""
    nouns = {"sofa": -1, "desk": 1, "chair": 0}
    still = [obj(n, (0, y, 1.0), n, size=(0.4, 0.4, 0.4)) for n, y in nouns.items()]
    swing = 0.02 * np.sin(2 * np.pi * np.arange(300) / 10.5)
    camera = [pose((-4 + 0.004 * k, swing[k], 1.5), level_view(0.0)) for k in range(300)]
    scene = video(still, camera)
    tracks = video_view(scene)

    def missed(frame: int) -> float:
        seen, wide = (speed(tracks, CAMERA, frame, w).numbers[0] for w in (0.1, 0.35))
        return abs(seen - wide)

    recipe = recipe_for("t", tries=60, errors="paper")
    found = [d for d in drafted(scene, projected(scene), recipe) if d.template.quantity == "speed"]
    assert found
    assert all(missed(tracks.at(float(d.times[0]))) <= 0.05 for d in found)
    assert np.mean([missed(f) > 0.05 for f in range(20, 280)]) > 0.3


def test_nothing_is_asked_of_a_video_twice(selection: Selection[VideoSelected]) -> None:
    asked = defaultdict(list)
    for p in selection.selected:
        asked[p.candidate.scene].append(p.candidate)
    pairs = [pair for found in asked.values() for pair in combinations(found, 2)]
    assert len(pairs) > 100
    assert not any(repeats(a, b) for a, b in pairs)


SPANS = st.tuples(st.floats(0, 9), st.floats(0.1, 9)).map(lambda s: (s[0], s[0] + s[1]))


@given(SPANS, SPANS)
def test_what_two_spans_share_is_the_same_from_either_side(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    assert 0 <= shared(one, other) == shared(other, one) <= 1 + 1e-9
    assert shared(one, one) == pytest.approx(1)


def test_ways_over_nearly_the_same_span_repeat_one_another(candidates: list[VideoCandidate]) -> None:
    by_form = {d.template.id: d for d in candidates if not d.template.objects and d.template.when == "span"}

    def told(form: str, start: float, end: float) -> VideoCandidate:
        return replace(by_form[form], times=(f"{start}", f"{end}"), span_s=(start, end))

    path = told("camera_path", 1.0, 6.0)
    assert repeats(path, told("camera_moved", 1.0, 6.0))
    assert repeats(told("camera_average_speed", 1.5, 6.2), path)
    assert repeats(path, told("camera_trajectory", 1.0, 6.0))
    assert not repeats(path, told("camera_moved", 3.5, 9.0))
    assert not repeats(path, told("camera_mean_acceleration", 1.0, 6.0))
    assert new(path, []) and not new(path, [path])
    assert SAME_SPAN < 1


def test_no_two_options_are_nearer_than_anybody_could_tell(selection: Selection[VideoSelected]) -> None:
    fine = 0
    for p in selection.selected:
        options, form = p.options, p.candidate.template
        assert options is not None
        if form.asks == "number" and form.quantity in ("distance", "displacement", "path_length", "height"):
            values = np.array(options.numbers)[:, 0]
            gaps = np.diff(np.sort(values))
            assert gaps.min() >= RECIPE.finest * values.max() - 1e-9
            fine += 1
    assert fine > 10


@given(st.lists(st.floats(0.1, 90), min_size=5, max_size=5), st.floats(0, 60), st.permutations(range(5)))
def test_whether_options_are_too_fine_hangs_on_all_five_alike(
    values: list[float], away: float, order: list[int]
) -> None:
    candidate = replace(some_distance(), away_m=away)
    options = [
        Options(("",) * 5, k, numbers=tuple((values[i],) for i in o)) for k, o in ((0, range(5)), (3, order))
    ]
    assert len({too_fine(candidate, o, RECIPE) for o in options}) == 1


def some_distance() -> VideoCandidate:
    form = next(f for f in templates().templates if f.id == "distance")
    scene = video([obj("a", (0, 0, 0))], frames=2)
    return VideoCandidate(
        scene=scene.id,
        setting="outdoor",
        video=scene.id,
        template=form,
        program=(),
        objects=("a",),
        words=("the mug",),
        nouns=("mug",),
        shape="",
        extra="",
        times=("0.0",),
        span_s=(0.0, 1.0),
        answered=None,  # type: ignore[arg-type]
        steps=(),
        needs=(),
        smallest_px=0,
        smallest_share=1.0,
    )


def test_what_is_too_fine_is_left_out_and_others_are_asked(
    candidates: list[VideoCandidate], worlds: Worlds
) -> None:
    recipe = replace(RECIPE, finest=0.08)
    wanted = wanted_of(recipe.mix, [scene for scene, _ in worlds.values()])
    found = chosen(candidates, wanted, recipe)
    assert sum(found.refused.values()) > 10
    assert not any(too_fine(p.candidate, p.options, recipe) for p in found.selected)
    assert len({p.candidate.names for p in found.selected}) == len(found.selected)
    assert len(written(found.selected, recipe)) >= len(found.selected)
