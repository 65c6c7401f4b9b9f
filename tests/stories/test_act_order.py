"""Which clips a film shows first, and from where: what hardly shows comes last, a fall ends a film, and who
jumps is seen to leave the ground.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fathom.assets.animated.library import AssetClip
from fathom.scenes import act_planning
from fathom.scenes.act_planning import _pool, planned_acts
from fathom.scenes.actions import PlannedAction, _begins, _is_aloft
from fathom.scenes.animated_assets import built_in_animated
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


def test_who_jumps_again_and_again_is_on_the_ground_at_first(tmp_path: Path) -> None:
    """The middle of the walker goes up in its nod as it would in a jump."""
    asset = walker(tmp_path)
    nod = asset.clip("Nod")
    begins = {}
    for verb in ("nod", "jump"):
        clip = replace(nod, verb=verb)
        found = _begins(PlannedAction(clip, (0, 24)), asset, True, 2.0)
        begins[verb] = [_is_aloft(asset, clip, t) for t in found]
    assert any(begins["nod"]) and not any(begins["jump"]) and len(begins["jump"]) > 1
