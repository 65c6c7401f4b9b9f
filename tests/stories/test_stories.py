"""What a story is: the same for the same names, sound in space and time, and as its record says."""

from collections import Counter
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Model
from fathom.assets.props.catalogue import SCREEN
from fathom.benchmarks.fourdbench.protocol import PAPER, frames_shown
from fathom.geometry.cameras import project
from fathom.geometry.poses import heading_rad, pose_at, to_world
from fathom.records import DataError, InputError, Media, Scene, SceneObject, UnfitError
from fathom.scenes.actions import BLEND, WAYS
from fathom.scenes.animated_scenes import draft_of, draw_animated_scene
from fathom.scenes.designs import DESIGNS
from fathom.scenes.free_space import audit
from fathom.scenes.scene_at_time import Staging, clip_time, limbs_of, models_at, state_at
from fathom.scenes.screening import shown_through

FRAMES = (0, 13, 24, 35, 47)


def points_of(model: Model) -> np.ndarray:
    return np.concatenate([p.vertices[np.unique(p.faces)] for p in model.parts if len(p.faces)])


def body_color(model: Model) -> tuple[float, float, float]:
    return next(p.material.color for p in model.parts if p.material.name == "body")


def props_of(scene: Scene) -> list[SceneObject]:
    return [t for t in scene.objects if t.category == "prop"]


def test_the_same_names_give_the_same_record(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    for k in (0, 7, 11):
        again = draw_animated_scene(k, "tests", library, Staging(stage="props", views=4))
        assert msgspec.json.encode(again) == msgspec.json.encode(stories[k])


def test_another_seed_gives_another_story(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    other = draw_animated_scene(0, "other", library, Staging(stage="props", views=4))
    assert other.id != stories[0].id
    assert other.objects != stories[0].objects


def test_a_record_read_back_shows_the_same(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    for scene in stories[:4]:
        read = msgspec.json.decode(msgspec.json.encode(scene), type=Scene)
        assert read == scene
        for frame in FRAMES:
            one, two = models_at(scene, library, frame), models_at(read, library, frame)
            assert one.keys() == two.keys()
            for name in one:
                assert np.array_equal(points_of(one[name]), points_of(two[name]))


def test_ids_are_of_the_official_form_and_differ(stories: tuple[Scene, ...]) -> None:
    assert len({s.id for s in stories}) == len(stories)
    assert all(len(s.id) == 32 and int(s.id, 16) >= 0 for s in stories)


def test_the_actor_comes_first_and_faces_the_first_view(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        assert scene.objects[0].id == "actor"
        assert heading_rad(pose_at(scene.objects[0].poses, 0)) == pytest.approx(0.0, abs=1e-9)
        x, y, _ = scene.cameras[0].poses[0].position_m
        others = [c.poses[0].position_m for c in scene.cameras]
        middle = np.mean(others, axis=0)
        assert x - middle[0] > 0
        assert y == pytest.approx(middle[1], abs=1e-5)


def test_every_view_holds_everything_at_all_times(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    for scene in stories[:8]:
        for frame in FRAMES:
            models = models_at(scene, library, frame)
            for obj in scene.objects:
                if obj.id in models:
                    world = to_world(pose_at(obj.poses, frame), points_of(models[obj.id]))
                    for camera in scene.cameras:
                        pixels, depth = project(camera, world)
                        assert (depth > 0).all()
                        assert pixels.min() >= -1
                        assert pixels.max() <= camera.width + 1


def test_nothing_crosses_floats_or_sinks(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        found = audit(scene, library, step=16)
        assert (found.crossing, found.floating, found.sunk, found.loose) == (0, 0, 0, 0), scene.source


def test_the_audit_finds_what_is_wrong(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    scene = next(s for s in stories if len([t for t in props_of(s) if t.id.startswith("prop")]) >= 2)
    prop = next(t for t in scene.objects if t.id == "prop0")

    def at(x: float, y: float, z: float) -> Scene:
        pose = msgspec.structs.replace(prop.poses[0], position_m=(x, y, z))
        moved = msgspec.structs.replace(
            prop, poses=(pose,), attributes={"name": prop.attributes["name"], "color": ""}
        )
        objects = tuple(moved if t.id == "prop0" else t for t in scene.objects)
        return msgspec.structs.replace(scene, objects=objects)

    x, y, _ = prop.poses[0].position_m
    size = max(scene.objects[0].size_m)
    assert audit(at(x, y, 0.2 * size), library, step=16).floating >= 1
    assert audit(at(x, y, -0.2 * size), library, step=16).sunk >= 1
    other = next(t for t in scene.objects if t.id == "prop1").poses[0].position_m
    assert audit(at(other[0], other[1], 0.0), library, step=16).crossing >= 1


def test_the_audit_finds_what_is_worn_by_nobody(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    scene = next(s for s in stories if any("worn_on" in t.attributes for t in props_of(s)))
    worn = next(t for t in props_of(scene) if "worn_on" in t.attributes)
    up = 0.5 * max(scene.objects[0].size_m)
    poses = tuple(
        msgspec.structs.replace(p, position_m=(p.position_m[0], p.position_m[1], p.position_m[2] + up))
        for p in worn.poses
    )
    raised = msgspec.structs.replace(worn, poses=poses)
    objects = tuple(raised if t.id == worn.id else t for t in scene.objects)
    assert audit(scene, library, step=24).loose == 0
    assert audit(msgspec.structs.replace(scene, objects=objects), library, step=24).loose == 1


def test_acts_follow_one_another_on_even_frames(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        acts = scene.objects[0].animations
        assert 1 <= len(acts) <= 3
        assert acts[0].start_s == 0.0
        assert acts[-1].end_s == pytest.approx(len(scene.times_s) / 12, abs=1e-5)
        for a, b in pairwise(acts):
            assert b.start_s - a.end_s == pytest.approx((BLEND - 1) / 12)
            assert b.blend_s == pytest.approx(BLEND / 12)
            assert a.verb != b.verb
        for a in acts:
            assert round(a.start_s * 12) % 2 == 0
            assert a.end_s - a.start_s >= (16 - BLEND + 1) / 12 - 1e-5


def test_changes_lie_on_even_frames_well_apart(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        begins = [round(a.start_s * 12) for a in scene.objects[0].animations[1:]]
        frames = sorted({round(e.start_s * 12) for t in scene.objects for e in t.events})
        assert len(frames) >= 3
        assert all(f % 2 == 0 and 4 <= f <= 40 for f in frames)
        assert all(b - a >= 8 for a, b in pairwise(frames))
        assert all(abs(f - b) >= 4 for f in frames for b in begins)


def test_the_frames_shown_to_models_tell_before_from_after(stories: tuple[Scene, ...]) -> None:
    film = Media(id="m", kind="video", path="m.mp4", size=(512, 512), sha256="0" * 64, frames=48, fps=12.0)
    shown = frames_shown(PAPER, film)
    for scene in stories:
        changes = sorted({round(e.start_s * 12) for t in scene.objects for e in t.events})
        for first, end in pairwise([0, *changes, 48]):
            assert any(first <= f < end for f in shown)
        for act in scene.objects[0].animations:
            first, end = round(act.start_s * 12), round(act.end_s * 12)
            middle = (first + end) // 2
            assert any(first <= f < middle for f in shown)
            assert any(middle <= f < end for f in shown)


def test_changes_that_follow_one_another_are_seen_from_different_sides(stories: tuple[Scene, ...]) -> None:
    same = total = 0
    for scene in stories:
        screens = {t.id: t for t in scene.objects if t.category == SCREEN}
        changing = [t for t in props_of(scene) if t.events and "stands_in" in t.attributes]
        changing.sort(key=lambda t: t.events[0].start_s)
        openings = [heading_rad(pose_at(screens[t.attributes["stands_in"]].poses, 0)) for t in changing]
        sides = [shown_through(a) for a in openings]
        same += sum(a == b for a, b in pairwise(sides))
        total += len(list(pairwise(sides)))
    assert total >= 20
    assert same < 0.2 * total


def test_events_are_honoured_frame_by_frame(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    seen: Counter[str] = Counter()
    for scene in stories:
        for obj in props_of(scene):
            for event in obj.events:
                frame = round(event.start_s * 12)
                before, after = (models_at(scene, library, f).get(obj.id) for f in (frame - 1, frame))
                seen[event.what] += 1
                if event.what == "appears":
                    assert before is None
                    assert after is not None
                elif event.what == "vanishes":
                    assert before is not None
                    assert after is None
                else:
                    assert before is not None
                    assert after is not None
                    same = body_color(before) == body_color(after)
                    assert same == (event.what == "swaps")
                    assert (before.subtype != after.subtype) == (event.what == "swaps")
    assert set(seen) == {"appears", "vanishes", "recolours", "swaps"}


def test_between_events_objects_keep_their_triangles(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    for scene in stories[:10]:
        faces: dict[tuple[object, ...], list[np.ndarray]] = {}
        for frame in FRAMES:
            for name, model in models_at(scene, library, frame).items():
                obj = next(t for t in scene.objects if t.id == name)
                key = (name, state_at(obj, scene.times_s[frame]))
                now = [p.faces for p in model.parts]
                then = faces.setdefault(key, now)
                assert all(np.array_equal(a, b) for a, b in zip(now, then, strict=True))


def test_what_is_worn_moves_rigidly_with_its_wearer(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    worn = [
        (s, t) for s in stories for t in props_of(s) if "worn_on" in t.attributes or "held_in" in t.attributes
    ]
    assert len(worn) >= 5
    for scene, obj in worn:
        actor = scene.objects[0]
        assert len(obj.poses) == len(scene.times_s)
        for frame in FRAMES:
            model = models_at(scene, library, frame)["actor"]
            away = to_world(pose_at(actor.poses, frame), points_of(model)) - obj.poses[frame].position_m
            assert np.linalg.norm(away, axis=1).min() < 0.15 * max(actor.size_m)


def test_nothing_that_carries_or_stands_on_another_comes_or_goes(stories: tuple[Scene, ...]) -> None:
    stacked = 0
    for scene in stories:
        for obj in props_of(scene):
            under = obj.attributes.get("stands_on")
            if under:
                stacked += 1
                pair = (obj, next(t for t in scene.objects if t.id == under))
                assert all(e.what == "recolours" for t in pair for e in t.events)
    assert stacked >= 2


def test_counting_stories_have_groups_to_count(stories: tuple[Scene, ...]) -> None:
    counting = [s for s in stories if s.source["kind"] == "counting"]
    assert counting
    for scene in counting:
        props = props_of(scene)
        assert max(Counter(t.attributes["name"] for t in props).values()) >= 2
        assert max(Counter(t.attributes["color"] for t in props).values()) >= 2


def test_names_tell_props_apart_where_nothing_is_counted(stories: tuple[Scene, ...]) -> None:
    for scene in stories:
        if scene.source["kind"] != "counting":
            names = [t.attributes["name"] for t in props_of(scene)]
            assert len(set(names)) == len(names)


def test_outside_of_all_clips_an_actor_stands_still(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    scene = stories[0]
    actor, asset = scene.objects[0], library.asset(scene.objects[0].asset.name)
    end = actor.animations[-1].end_s
    assert clip_time(asset, actor.animations, end + 5.0) == clip_time(asset, actor.animations, end)
    later = tuple(
        msgspec.structs.replace(a, start_s=a.start_s + 1, end_s=a.end_s + 1) for a in actor.animations
    )
    assert clip_time(asset, later, 0.0) == clip_time(asset, actor.animations, 0.0)
    assert clip_time(asset, (), 1.0) == ("", 0.0, None)


def test_actors_and_kinds_are_drawn_evenly(library: AnimatedLibrary) -> None:
    drafts = [draft_of(k, "even", library, Staging(stage="props")) for k in range(60)]
    assert set(Counter(d.asset.name for d in drafts).values()) == {15}
    kinds = Counter(d.kind for d in drafts)
    assert set(kinds) == set(DESIGNS)
    assert min(kinds.values()) >= 4


def test_ways_are_all_gone_and_the_ground_passes_under_the_actor(library: AnimatedLibrary) -> None:
    settings = Staging(stage="props", kinds={"action": 1.0})
    drafts = [draft_of(k, "ways", library, settings) for k in range(60)]
    ways = {a.way for d in drafts for a in d.acts}
    assert ways == {"", *WAYS}
    for d in drafts:
        for act in d.acts:
            first, last = (pose_at(d.actor.poses, min(f, 47)) for f in act.span)
            gone = np.subtract(last.position_m, first.position_m)
            ahead = float(gone[0] * np.cos(heading_rad(first)) + gone[1] * np.sin(heading_rad(first)))
            if not act.way:
                # Only where a clip itself has taken it away does the next one begin elsewhere.
                assert np.linalg.norm(gone) < max(d.asset.extents_m) and not gone[2]
                assert np.allclose(gone, 0) or act is not d.acts[-1]
            elif act.way == "forward":
                assert ahead > 0
            elif act.way == "backward":
                assert ahead < 0
                assert act.backwards


def test_a_mix_of_one_kind_gives_that_kind(library: AnimatedLibrary) -> None:
    assert {
        draft_of(k, "mix", library, Staging(stage="props", kinds={"temporal": 2.0})).kind for k in range(8)
    } == {"temporal"}


def test_limbs_are_known_for_every_vertex(library: AnimatedLibrary, stories: tuple[Scene, ...]) -> None:
    for scene in stories[:6]:
        limbs, models = limbs_of(scene, library), models_at(scene, library, 0)
        assert set(limbs) == {"actor"}
        for part, owner in zip(models["actor"].parts, limbs["actor"].of_vertex, strict=True):
            assert owner.shape == (len(part.vertices),)


def test_props_that_find_no_room_are_refused(library: AnimatedLibrary) -> None:
    with pytest.raises(UnfitError, match="could not be placed about"):
        draw_animated_scene(0, "full", library, Staging(stage="props", kinds={"counting": 1.0}, gap=3.0))


def test_other_assets_than_the_story_was_drawn_with_are_refused(
    library: AnimatedLibrary, stories: tuple[Scene, ...]
) -> None:
    scene = stories[0]
    changed = msgspec.structs.replace(
        scene.objects[0], asset=msgspec.structs.replace(scene.objects[0].asset, sha256="0" * 64)
    )
    with pytest.raises(DataError, match="use the assets the dataset was built with"):
        models_at(msgspec.structs.replace(scene, objects=(changed,)), library, 0)
    with pytest.raises(InputError, match="no such asset in the library"):
        models_at(scene, AnimatedLibrary("empty", ()), 0)
