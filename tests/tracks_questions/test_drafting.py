"""What is asked can be seen, is said so that only one object is meant, and has an answer that stands firm."""

from __future__ import annotations

import pickle
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.benchmarks.stibench.construction import templates
from fathom.benchmarks.stibench.tasks import TASKS
from fathom.ground_truth.cells import cells_of
from fathom.programs.engine import run, traced
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.contexts.video_visibility import (
    Seeing,
    Sights,
    cells_text,
    has_scale,
    seen_by,
    sights_of,
)
from fathom.questions.sampling.video import drafted
from fathom.questions.video_candidate import VideoCandidate
from fathom.records import InputError, Scene
from fathom.scenes.videos.desktop import models_at
from tests.tracks.worlds import level_view, obj, pose, video
from tests.tracks_questions.conftest import RECIPE
from tests.tracks_questions.worlds import projected, street

Worlds = dict[str, tuple[Scene, Sights]]


def tracks_by_scene(worlds: Worlds) -> dict[str, VideoView]:
    return {n: seen_by(video_view(s), visibility, RECIPE.seeing) for n, (s, visibility) in worlds.items()}


def test_programs_come_to_the_answer_again(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    tracks = tracks_by_scene(worlds)
    for d in candidates[::7]:
        again = run(d.program, tracks[d.scene])
        assert again.value == d.answered.value
        assert again.least.ratio >= 1


def test_words_select_the_object_that_is_meant(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    tracks = tracks_by_scene(worlds)
    for d in candidates[::5]:
        for name in d.objects:
            chosen = traced(d.program, tracks[d.scene]).selected(tracks[d.scene])
            assert (name,) in chosen


def test_what_is_asked_about_is_clear_when_it_is_asked_about(
    worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    for d in candidates:
        scene, visibility = worlds[d.scene]
        clear = visibility.clear(RECIPE.seeing)
        for name in d.objects:
            k = visibility.objects.index(name)
            assert clear[k].sum() >= RECIPE.seeing.clear_frames
            for time in d.times:
                frame = int(np.argmin(np.abs(np.array(scene.times_s) - float(time))))
                assert clear[k, visibility.frames.index(frame)], (d.names, time)
            if len(d.times) == 2:
                times = np.array(scene.times_s)[list(visibility.frames)]
                inside = (times >= float(d.times[0]) - 0.01) & (times <= float(d.times[1]) + 0.01)
                assert clear[k, inside].mean() >= RECIPE.seeing.span_share


def test_sizes_are_asked_of_what_is_seen_whole(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    for d in candidates:
        if not d.times:
            visibility = worlds[d.scene][1]
            k = visibility.objects.index(d.objects[0])
            assert (visibility.shares[k] >= RECIPE.seeing.whole_share).sum() >= 2


def test_needs_name_frames_that_are_shown(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    for d in candidates:
        frames = set(map(str, worlds[d.scene][1].frames))
        assert d.needs
        for need in d.needs:
            ends = {e for piece in need.cells[0].split(",") for e in piece.split("-")}
            assert ends <= frames and need.cells[0], (d.names, need)


def test_what_cannot_be_made_out_is_never_spoken_of(worlds: Worlds) -> None:
    scene, visibility = next(iter(worlds.values()))
    hidden = visibility.visible_px.copy()
    hidden[2] = 0
    found = drafted(scene, replace(visibility, visible_px=hidden), RECIPE)
    assert found
    assert all(visibility.objects[2] not in d.objects for d in found)
    assert all(visibility.objects[2] not in ids for d in found for ids in d.steps)


def test_stated_times_are_those_of_frames_that_are_shown(
    worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    for d in candidates:
        scene, visibility = worlds[d.scene]
        shown = np.array(scene.times_s)[list(visibility.frames)]
        assert all(np.abs(shown - float(t)).min() <= 0.005 + 1e-9 for t in d.times)


def test_only_what_moves_is_asked_how_far_it_moves(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    for d in candidates:
        if d.template.moving:
            scene, _ = worlds[d.scene]
            assert len(next(t for t in scene.objects if t.id == d.objects[0]).poses) > 1


def test_drafts_are_a_function_of_the_video_alone(worlds: Worlds, candidates: list[VideoCandidate]) -> None:
    scene, visibility = list(worlds.values())[3]
    again = [d.names for d in drafted(scene, visibility, RECIPE)]
    assert again == [d.names for d in candidates if d.scene == scene.id]


def test_every_task_can_be_asked_on_a_table_and_on_a_street(candidates: list[VideoCandidate]) -> None:
    assert {d.template.task for d in candidates} == set(TASKS)
    scene = street()
    outside = drafted(scene, projected(scene), RECIPE)
    assert {d.template.task for d in outside} == set(TASKS)
    assert {d.setting for d in outside} == {"outdoor"}
    assert {"moved", "speed", "box", "camera_path"} <= {d.template.id for d in outside}


def test_a_object_called_camera_is_confused_with_the_camera_and_left_out(worlds: Worlds) -> None:
    scene, visibility = next(iter(worlds.values()))
    first = scene.objects[1]
    named = msgspec.structs.replace(first, attributes={**first.attributes, "name": "camera"})
    renamed = msgspec.structs.replace(scene, objects=(scene.objects[0], named, *scene.objects[2:]))
    assert not any(d.objects for d in drafted(renamed, visibility, RECIPE))


@pytest.mark.parametrize(
    ("moved_m", "noun", "judged"), [(0.0, "gadget", False), (2.0, "gadget", True), (0.0, "mug", True)]
)
def test_metres_need_parallax_or_something_of_a_usual_size(moved_m: float, noun: str, judged: bool) -> None:
    camera = [pose((-4, moved_m * i / 29, 1.0), level_view(0.0)) for i in range(30)]
    scene = video([obj("a", (0, 0, 0.5), "widget"), obj("b", (0, 1, 0.5), noun)], camera, frames=30)
    tracks = video_view(scene)
    assert has_scale(tracks, np.ones((2, 30), dtype=bool), 0, Seeing()) is judged


def test_sights_count_the_pixels_of_cells_in_any_order(worlds: Worlds) -> None:
    scene = next(iter(worlds.values()))[0]
    small = msgspec.structs.replace(
        scene.cameras[0], width=128, height=96, fx=90.0, fy=90.0, cx=64.0, cy=48.0
    )
    scene = msgspec.structs.replace(scene, cameras=(small,))
    cells = [next(cells_of(scene, models_at(scene, f), f, (0,))) for f in (120, 0)]
    visibility = sights_of(scene, cells)
    assert visibility.frames == (0, 120)
    for k in range(len(scene.objects)):
        assert visibility.visible_px[k, 1] == np.count_nonzero(cells[0].ids == k)
    assert (visibility.visible_px <= visibility.full_px).all()
    assert (np.isnan(visibility.depth_m) == (visibility.visible_px == 0)).all()
    assert not (visibility.clear(Seeing()) & ~visibility.made_out(Seeing())).any()
    with pytest.raises(InputError, match="one cell for each frame"):
        sights_of(scene, [cells[0], cells[0]])


def test_sights_of_other_objects_are_refused(worlds: Worlds) -> None:
    (scene, _), (_, other) = list(worlds.values())[:2]
    with pytest.raises(InputError, match="make them anew"):
        drafted(scene, replace(other, objects=(*other.objects, "more")), RECIPE)


def test_settings_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(InputError, match="raise the first two"):
        Seeing(clear_px=10)
    with pytest.raises(InputError, match="correct the recipe"):
        recipe_for("x", least_span=0.8, most_span=0.2)


def test_cells_are_written_as_ranges_of_shown_frames() -> None:
    mask = np.array([True, True, False, True])
    assert cells_text((0, 10, 20, 30), mask) == "0-10,30"


def test_drafts_can_go_from_one_process_to_another(candidates: list[VideoCandidate]) -> None:
    assert pickle.loads(pickle.dumps(candidates[:40])) == candidates[:40]


def test_nothing_turns_to_a_side_by_less_than_is_told(candidates: list[VideoCandidate]) -> None:
    assert all(abs(d.value) >= 1 for d in candidates if d.template.sides)


def test_every_form_has_two_wordings_and_says_when() -> None:
    for form in templates().templates:
        for texts in form.texts_of.values() or (form.texts,):
            assert len(set(texts)) >= 2
            for text in texts:
                assert ("{t}" in text) == (form.when == "time")
                assert ("{s}" in text and "{e}" in text) == (form.when == "span")
