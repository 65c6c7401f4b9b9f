"""Which clips a film shows first: what hardly shows comes last, and standing about after that."""

from __future__ import annotations

from dataclasses import replace

from fathom.scenes.act_planning import _pool
from fathom.scenes.animated_assets import built_in_animated


def test_a_flinch_is_filmed_after_all_else_and_idling_after_that() -> None:
    dog = built_in_animated().asset("Dog")
    first, second, third, *_ = dog.clips
    clips = (replace(first, verb="idle"), replace(second, verb="flinch"), replace(third, verb="walk"))
    for seed in map(str, range(12)):
        pool = _pool(0, seed, replace(dog, clips=clips), None)
        assert [c.verb for c in pool if c.verb != "walk"] in (["flinch", "idle"], ["flinch"], ["idle"])
        assert pool[0].verb == "walk"
