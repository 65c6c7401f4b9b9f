"""Edits do what they say, and the record says what world knowledge would have said."""

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.palette import BODY_COLORS
from fathom.geometry.poses import pose_at, to_world
from fathom.records import DataError, Scene
from fathom.scenes.animated_scenes import draft_of, draw_animated_scene, kinds_for
from fathom.scenes.attachments import anchors_of
from fathom.scenes.counterfactuals import Twist, main_part, part_colors, twists_of
from fathom.scenes.edits import edited
from fathom.scenes.scene_at_time import Staging, models_at
from fathom.store.seeds import rng


def twist(asset: AnimatedAsset, kind: str) -> Twist:
    found = twists_of(asset, anchors_of(asset), rng("tests", asset.name))
    return next(t for t in found if t.kind == kind)


@pytest.fixture(scope="module")
def untrue(library: AnimatedLibrary) -> tuple[Scene, ...]:
    settings = Staging(stage="props", views=2, kinds={"counterfactual": 1.0})
    drawn = tuple(draw_animated_scene(k, "untrue", library, settings) for k in range(14))
    # Whom nothing suits but going backwards has another story at times.
    assert all(s.source["asset"] == "Robot" for s in drawn if "counterfactual" not in s.source)
    return tuple(s for s in drawn if "counterfactual" in s.source)


def test_every_counterfactual_story_says_what_is_so_and_what_would_be(untrue: tuple[Scene, ...]) -> None:
    for scene in untrue:
        assert scene.source["counterfactual"]
        assert scene.source["actual"] != scene.source["expected"]
        assert scene.source["about"]
    assert len({s.source["counterfactual"] for s in untrue}) >= 5


def test_in_a_large_cast_the_few_of_many_legs_are_edited_more_often(library: AnimatedLibrary) -> None:
    dog, spider = library.asset("Dog"), library.asset("Spider")
    crowd = AnimatedLibrary("crowd", (spider, *(dog,) * 47))
    kinds = {"action": 1.0, "counterfactual": 0.5}
    assert kinds_for(spider, crowd, kinds) == {"action": 1.0, "counterfactual": 4.0}
    assert kinds_for(dog, crowd, kinds) == kinds
    assert kinds_for(spider, library, kinds) == kinds
    assert kinds_for(spider, crowd, {"action": 1.0, "counterfactual": 0.0})["counterfactual"] == 0.0


def test_other_stories_are_not_marked(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        assert ("counterfactual" in scene.source) == (scene.source["kind"] == "counterfactual")
        assert not scene.objects[0].asset.edits or scene.source["kind"] == "counterfactual"


def test_an_unnatural_colour_is_painted_and_written_down(library: AnimatedLibrary) -> None:
    asset = library.asset("Dog")
    t = twist(asset, "unnatural colour")
    model = edited(asset.model_at("", 0.0), t.edits, asset)
    assert t.expected == "brown"
    assert {p.material.color for p in model.parts if p.name == "coat"} == {BODY_COLORS[t.actual]}
    kept = {p.name: p.material.color for p in asset.model_at("", 0.0).parts if p.name != "coat"}
    assert {p.name: p.material.color for p in model.parts if p.name != "coat"} == kept


def test_exchanged_parts_have_each_others_colours(library: AnimatedLibrary) -> None:
    asset = library.asset("Fish")
    before, t = asset.model_at("", 0.0), twist(asset, "exchanged colours")
    after = edited(before, t.edits, asset)
    one, other = t.edits[0].removeprefix("exchange:").split("=")
    was, now = ({p.name: p.material.color for p in m.parts} for m in (before, after))
    assert (now[one], now[other]) == (was[other], was[one])


def test_a_spider_with_six_legs_has_six(library: AnimatedLibrary) -> None:
    asset = library.asset("Spider")
    t = twist(asset, "missing legs")
    assert (t.actual, t.expected, len(t.edits)) == ("six", "eight", 2)
    names = [e.removeprefix("remove:") for e in t.edits]
    assert {n.split()[0] for n in names} == {"left", "right"}
    before = asset.model_at("Walk", 0.2)
    after = edited(before, t.edits, asset)
    gone = [list(asset.limbs).index(n) for n in names]
    for p, q, owner in zip(before.parts, after.parts, asset.limb_of_vertex(), strict=True):
        assert len(p.vertices) == len(q.vertices)
        left = ~np.isin(owner[p.faces], gone).any(axis=1)
        # What closes the holes comes behind.
        assert np.array_equal(q.faces[: left.sum()], p.faces[left])
        assert not np.isin(owner[q.faces], gone).any()


def test_reversed_actors_go_backward_with_their_clips_backward(untrue: tuple[Scene, ...]) -> None:
    backward = [s for s in untrue if s.source["counterfactual"] == "reversed playback"]
    assert backward
    for scene in backward:
        actor = scene.objects[0]
        assert actor.asset.edits == ("reverse",)
        assert all(a.rate < 0 for a in actor.animations)
        assert pose_at(actor.poses, 47).position_m[0] < pose_at(actor.poses, 0).position_m[0]


def test_a_fish_on_wheels_has_them_on_the_ground(library: AnimatedLibrary) -> None:
    settings = Staging(stage="props", views=2, kinds={"counterfactual": 1.0})
    fish = AnimatedLibrary("fish", (library.asset("Fish"),))
    twists = {k: draft_of(k, "wheels", fish, settings).twist for k in range(30)}
    scene = draw_animated_scene(
        next(k for k, t in twists.items() if t and t.kind == "wheels"), "wheels", fish, settings
    )
    wheels = next(t for t in scene.objects if t.attributes["name"] == "wheels")
    lows = []
    for frame in range(0, 48, 4):
        points = np.concatenate([p.vertices for p in models_at(scene, fish, frame)[wheels.id].parts])
        lows.append(to_world(pose_at(wheels.poses, frame), points)[:, 2].min())
    assert abs(min(lows)) < 0.05 * max(scene.objects[0].size_m)


def test_the_main_part_has_a_colour_that_questions_can_say(library: AnimatedLibrary) -> None:
    for asset in library.assets:
        assert part_colors(asset)[main_part(asset)] in BODY_COLORS


def test_unknown_edits_and_colours_are_refused(library: AnimatedLibrary) -> None:
    dog = library.asset("Dog")
    with pytest.raises(DataError, match="unknown edit"):
        edited(dog.model_at("", 0.0), ("stretch:2",), dog)
    with pytest.raises(DataError, match="unknown color"):
        edited(dog.model_at("", 0.0), ("color:coat=beige",), dog)
