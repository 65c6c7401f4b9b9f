"""Clips go over to one another without a jump, feet stay where they stand, and what is done is shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.model import Points
from fathom.geometry.poses import pose_at, to_world
from fathom.records import SceneObject
from fathom.scenes.act_planning import LEFT, planned_acts
from fathom.scenes.actions import BLEND, SHOWN, PlannedAction, ends
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.clip_motion import clip_poses
from fathom.scenes.courses import ROOM, fits, gets_along, poses_of
from fathom.scenes.designs import SceneDraft
from fathom.scenes.scene_at_time import Staging, clip_time, model_at
from tests.stories.walker import SPEED_MPS, walker

FPS = 12.0


def own_points(actor: SceneObject, library: AnimatedLibrary, frames: int) -> list[Points]:
    """Return the vertices (n, 3) of an actor in its own frame at each frame."""
    models = [model_at(actor, library, k / FPS) for k in range(frames)]
    return [np.concatenate([p.vertices for p in m.parts]) for m in models if m is not None]


def steps(actor: SceneObject, library: AnimatedLibrary, frames: int = 48) -> np.ndarray:
    """Return how far any vertex gets from each frame to the next."""
    points = own_points(actor, library, frames)
    return np.array([np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(points)])


def test_one_clip_goes_over_to_the_next_in_even_steps(
    library: AnimatedLibrary, drafts: tuple[SceneDraft, ...]
) -> None:
    shares = []
    for actor in (d.actor for d in drafts):
        cut = msgspec.structs.replace(
            actor, animations=tuple(msgspec.structs.replace(a, blend_s=0.0) for a in actor.animations)
        )
        smooth, hard = steps(actor, library), steps(cut, library)
        for act in actor.animations[1:]:
            at = round(act.start_s * FPS)
            gap = float(hard[at - 4 : at].max())
            usual = max(float(np.delete(smooth, range(at - BLEND, at)).max()), 1e-9)
            assert smooth[at - BLEND : at].max() <= 0.4 * gap + usual
            shares += [float(smooth[at - BLEND : at].max()) / gap] if gap > usual else []
    assert len(shares) >= 2
    assert np.mean(shares) < 0.7


def test_joints_turn_on_the_shorter_arc_between_two_clips(tmp_path: Path) -> None:
    made = walker(tmp_path)
    begins, ends = (made.moving.joints_over("Tip", np.array([t])) for t in (0.0, 1.0))
    first, half, last = (p.rotation_xyzw[0, 0] for p in (begins, begins.mixed(ends, 0.5), ends))
    assert np.degrees(2 * np.arccos(abs(first @ last))) == pytest.approx(90, abs=1e-3)
    for end in (first, last):
        assert np.degrees(2 * np.arccos(abs(end @ half))) == pytest.approx(45, abs=1e-3)


def acted(asset: AnimatedAsset, clip: str, way: str, span: tuple[int, int] = (0, 24)) -> PlannedAction:
    return PlannedAction(asset.clip(clip), span, way, loop=True)


@pytest.mark.parametrize("way", ["forward", "left", "right"])
def test_a_foot_stays_where_it_stands(tmp_path: Path, way: str) -> None:
    made = walker(tmp_path)
    act = acted(made, "Walk", way)
    poses = poses_of([act], made, 24, FPS, 0.0, np.radians(60))
    slid, slides = [], []
    for frame in range(23):
        own = [made.vertices_at("Walk", act.time_s(f, FPS) % 1.0) for f in (frame, frame + 1)]
        down = (own[0][:, 2] < 1e-6) & (own[1][:, 2] < 1e-6)
        world = [to_world(pose_at(poses, frame + k), own[k]) for k in (0, 1)]
        slides += np.linalg.norm(own[1] - own[0], axis=1)[down].tolist()
        slid += np.linalg.norm(world[1] - world[0], axis=1)[down].tolist()
    assert len(slid) > 40
    assert np.mean(slides) == pytest.approx(SPEED_MPS / FPS, rel=0.02)
    assert np.mean(slid) < (0.08 if way == "forward" else 0.3) * np.mean(slides)
    if way == "forward":
        assert poses[-1].position_m[0] == pytest.approx(SPEED_MPS * 23 / FPS, rel=0.05)


def test_what_goes_too_far_for_the_picture_stays_and_what_is_played_backwards_goes_back(
    tmp_path: Path,
) -> None:
    made = walker(tmp_path)
    assert gets_along(made, made.clip("Walk")) and not gets_along(made, made.clip("Nod"))
    assert fits([acted(made, "Walk", "forward", (0, 48))], made, FPS)
    assert not fits([acted(made, "Walk", "forward", (0, 96))], made, FPS)
    act = PlannedAction(
        made.clip("Walk"), (0, 24), "backward", backwards=True, from_s=1.0, rate=-1.0, loop=True
    )
    assert poses_of([act], made, 24, FPS, 0.0, 1.0)[-1].position_m[0] == pytest.approx(
        -SPEED_MPS * 23 / FPS, rel=0.05
    )


def test_the_frames_that_are_shown_show_what_is_done(drafts: tuple[SceneDraft, ...]) -> None:
    for draft in drafts:
        assert draft.acts and all(a.shown >= SHOWN for a in draft.acts)


def test_who_falls_alone_lies_in_the_last_frame_that_is_shown_and_stays_down() -> None:
    dog, staging, fallen = built_in_animated().asset("Dog"), Staging(stage="alone", repeats=0.0), 0
    fall = replace(next(c for c in dog.clips if c.verb == "sit"), verb="fall", loops=False)
    asset = replace(dog, clips=(*(c for c in dog.clips if c.verb != "sit"), fall))
    for index in range(60):
        acts = planned_acts(index, "falls", asset, "temporal", None, [0, 16, 32, 48], staging)
        assert not any(ends(a.clip) for a in acts[:-1])
        if len(acts) > 1 and ends(acts[-1].clip):
            act, fallen = acts[-1], fallen + 1
            shown = act.time_s(staging.sampled_frames[-1], staging.fps)
            first, there, end = clip_poses(asset, act.clip).at([act.from_s, shown, act.clip.end_s])
            left, whole = (np.linalg.norm(p - end, axis=1).mean() for p in (there, first))
            assert left <= LEFT * whole
    assert fallen >= 3


def test_a_clip_that_repeats_at_the_sampling_step_is_played_at_another_rate(tmp_path: Path) -> None:
    made = walker(tmp_path)
    staging = Staging(sampled=4)  # every twelfth frame: the walk comes round in just twelve
    acts = planned_acts(0, "rates", made, "spatial", None, [0, 48], staging)
    assert len(acts) == 1 and acts[0].shown >= SHOWN
    assert acts[0].rate != 1.0


def test_a_film_has_room_for_its_ways(drafts: tuple[SceneDraft, ...]) -> None:
    went = 0
    for draft in drafts:
        assert fits(draft.acts, draft.asset, FPS) or draft.twist is not None
        far = np.linalg.norm(np.subtract(draft.actor.poses[-1].position_m, draft.actor.poses[0].position_m))
        assert far <= (ROOM + 0.2) * max(draft.asset.extents_m)
        went += int(far > 0.1)
    assert went >= 3


def test_between_two_clips_both_go_on(drafts: tuple[SceneDraft, ...]) -> None:
    draft = next(d for d in drafts if len(d.actor.animations) > 1)
    asset, (one, other) = draft.asset, draft.actor.animations[:2]
    name, time_s, towards = clip_time(asset, draft.actor.animations, other.start_s - 2 / FPS)
    assert (name, towards and towards.clip) == (one.clip, other.clip)
    assert towards is not None and towards.share == pytest.approx(0.5)
    _, before, none = clip_time(asset, draft.actor.animations, one.end_s - 1 / FPS)
    assert none is None
    assert time_s != before or not one.loop
