"""Which clips a film shows first, and from where: what hardly shows comes last, a fall ends a film, and who
jumps is seen to leave the ground.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fathom.assets.animated.library import AssetClip
from fathom.scenes import act_planning, actions
from fathom.scenes.act_planning import _is_seen_aloft, _pool, planned_acts
from fathom.scenes.actions import PlannedAction, _begins, _is_away
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.clip_motion import ClipPoses
from fathom.scenes.scene_at_time import Staging
from tests.stories.walker import walker


def test_a_flinch_is_filmed_after_all_else_and_idling_after_that() -> None:
    dog = built_in_animated().asset("Dog")
    first, second, third, *_ = dog.clips
    clips = (replace(first, verb="idle"), replace(second, verb="flinch"), replace(third, verb="walk"))
    for seed in map(str, range(12)):
        pool = _pool(0, seed, replace(dog, clips=clips), None)
        assert [c.verb for c in pool if c.verb != "walk"] in (["flinch", "idle"], ["flinch"], ["idle"])
        assert pool[0].verb == "walk"


def test_who_falls_is_filmed_first_only_where_nothing_else_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lies on the ground would be up again in no time."""
    dog, tried = built_in_animated().asset("Dog"), list[list[str]]()

    def first(clips: list[AssetClip], *_: object) -> None:
        tried.append([c.verb for c in clips])

    monkeypatch.setattr(act_planning, "_first_shown", first)
    for index in range(20):
        planned_acts(index, "falls", dog, "temporal", None, [0, 24, 48], Staging(stage="alone", repeats=0.0))
    begun = tried[::2]
    assert any("fall" in verbs for verbs in begun)
    assert all("fall" not in verbs[:-1] for verbs in begun)


@pytest.mark.parametrize(
    ("verb", "rise", "plain"), [("jump", 0.3, True), ("jump", 0.05, False), ("nod", 0.05, True)]
)
def test_who_jumps_is_off_the_ground_in_a_frame_that_is_shown(
    verb: str, rise: float, plain: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = walker(tmp_path)
    clip = replace(asset.clip("Nod"), verb=verb)
    times = np.linspace(clip.start_s, clip.end_s, 13)
    points = np.zeros((13, 2, 3), np.float32)
    points[:, 1, 2] = 1.0
    points[6, :, 2] += rise * max(asset.extents_m)
    monkeypatch.setattr(act_planning, "clip_poses", lambda *_: ClipPoses(times, points, False))
    act = PlannedAction(clip, (0, 24), from_s=clip.start_s)
    middle = round((clip.end_s - clip.start_s) / 2 * 12)
    seen: Any = SimpleNamespace(fps=12.0, sampled_frames=(0, middle))
    missed: Any = SimpleNamespace(fps=12.0, sampled_frames=(0,))
    assert _is_seen_aloft(act, asset, seen) == plain
    assert _is_seen_aloft(act, asset, missed) == (verb != "jump")


def test_who_jumps_again_and_again_is_on_the_ground_at_first(tmp_path: Path) -> None:
    """The middle of the walker goes up in its nod as it would in a jump."""
    asset = walker(tmp_path)
    nod = asset.clip("Nod")
    begins = {}
    for verb in ("nod", "jump"):
        clip = replace(nod, verb=verb)
        found = _begins(PlannedAction(clip, (0, 24)), asset, True, 2.0)
        begins[verb] = [_is_away(asset, replace(clip, verb="jump"), t) for t in found]
    assert any(begins["nod"]) and not any(begins["jump"]) and len(begins["jump"]) > 1


@pytest.mark.parametrize(("verb", "axis"), [("lunge", 0), ("jump", 2)])
def test_what_gets_away_begins_where_it_is_not_yet(
    verb: str, axis: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = walker(tmp_path)
    clip = replace(asset.clip("Nod"), verb=verb)
    times = np.linspace(clip.start_s, clip.end_s, 9)
    points = np.zeros((9, 3, 3), np.float32)
    points[:, :, axis] = np.sin(np.linspace(0.0, np.pi, 9))[:, None]
    monkeypatch.setattr(actions, "clip_poses", lambda *_: ClipPoses(times, points, False))
    away = [_is_away(asset, clip, float(t)) for t in times]
    assert away == [False, False, *[True] * 5, False, False]
