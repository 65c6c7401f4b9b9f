"""Which clips a film shows first, and from where: what hardly shows comes last, a fall ends a film, and who
jumps is seen to leave the ground.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fathom.assets.animated.library import AnimatedLibrary
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


def test_nothing_follows_a_fall_where_something_else_can_come_before_it(library: AnimatedLibrary) -> None:
    falls = 0
    for asset in library.assets:
        if not any(c.verb == "fall" for c in asset.clips):
            continue
        for index in range(20):
            acts = planned_acts(index, "falls", asset, "temporal", None, (0, 24, 48), Staging(frames=48))
            verbs = [a.clip.verb for a in acts]
            falls += "fall" in verbs
            assert "fall" not in verbs[:-1]
    assert falls


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
