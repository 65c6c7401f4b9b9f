"""Parts with a name are objects: they lie on what they are of, go where it goes, and are asked about by
height and distance alone.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from fathom.assets.furniture.catalogue import furniture_model, room_assets
from fathom.benchmarks.threedsrbench.sentences import read_text
from fathom.geometry.poses import to_world
from fathom.programs.synonyms import calls, is_kind_of
from fathom.questions.balancing.viewpoints import chosen
from fathom.questions.view_candidate import OF_PARTS
from fathom.questions.writing.viewpoints import written_views
from fathom.records import Scene, SceneObject
from fathom.scenes.videos.indoor_objects import SKIN_M, models_at
from tests.viewpoints.conftest import RECIPE, SeenRoom


def _parts(scene: Scene) -> list[tuple[SceneObject, SceneObject]]:
    by_id = {o.id: o for o in scene.objects}
    return [(o, by_id[o.attributes["part_of"]]) for o in scene.objects if "part_of" in o.attributes]


def test_a_part_lies_on_what_it_is_of_at_all_times(rooms: list[SeenRoom]) -> None:
    found = 0
    for room in rooms:
        models = models_at(room.scene, 0)
        for part, whole in _parts(room.scene):
            found += 1
            assert part.attributes["name"].endswith(f" of the {whole.attributes['name']}")
            points, around = (np.concatenate([p.vertices for p in models[o.id].parts]) for o in (part, whole))
            assert np.ptp(points, axis=0) == pytest.approx(part.size_m, abs=1e-5)
            for own, others in zip(part.poses, whole.poses, strict=True):
                there, box = to_world(own, points), to_world(others, around)
                assert (there.min(axis=0) >= box.min(axis=0) - 2 * SKIN_M).all()
                assert (there.max(axis=0) <= box.max(axis=0) + 2 * SKIN_M).all()
    assert found >= 4


def test_parts_are_asked_about_by_height_and_distance_alone(rooms: list[SeenRoom]) -> None:
    asked = set()
    for room in rooms:
        wholes = {part.id: whole.id for part, whole in _parts(room.scene)}
        for candidate in room.candidates:
            if set(candidate.objects) & set(wholes):
                asked.add(candidate.template.quantity)
                assert len({wholes.get(o, o) for o in candidate.objects}) == len(candidate.objects)
    assert asked and asked <= set(OF_PARTS)


def test_some_of_what_is_asked_about_are_parts(rooms: list[SeenRoom]) -> None:
    """About one in ten, and what they are of is asked about beside them."""
    candidates = [c for room in rooms for c in room.candidates if c.template.quantity in OF_PARTS]
    wanted = {(form.task, "indoor"): 14 for form in RECIPE.forms if form.quantity in OF_PARTS}
    asked = [s.candidate for s in chosen(candidates, wanted, RECIPE).selected]
    parts, every = sum(len(c.parts) for c in asked), sum(len(c.objects) for c in asked)
    assert 0.05 * every < parts < 0.2 * every
    assert all(" of the " in c.words[k] for c in asked for k in c.parts)
    wholes = {(room.scene.id, whole.id) for room in rooms for _, whole in _parts(room.scene)}
    assert wholes & {(c.scene, o) for room in rooms for c in room.candidates for o in c.objects}


def test_a_part_is_no_kind_of_what_it_is_of() -> None:
    assert is_kind_of("office chair", "chair") and is_kind_of("screen of the monitor", "screen")
    assert not is_kind_of("screen of the monitor", "monitor") and not calls(
        "monitor", "screen of the monitor"
    )
    assert not is_kind_of("chair", "office chair")


def test_a_sentence_about_another_ones_part_is_found_out(rooms: list[SeenRoom]) -> None:
    scenes = {room.scene.id: room.scene for room in rooms}
    some = [c for room in rooms for c in room.candidates if any(" of the " in w for w in c.words)]
    wanted = {(form.task, "indoor"): 6 for form in RECIPE.forms}
    questions = list(
        written_views(chosen(some, wanted, RECIPE).selected, ("common", "uncommon"), scenes, RECIPE)
    )
    assert questions
    for q in questions:
        scene = scenes[q.scene]
        assert read_text(q, scene).verdict == "agree"
        moved = [_elsewhere(o, q.evidence.objects if q.evidence else ()) for o in scene.objects]
        wrong = msgspec.structs.replace(scene, objects=tuple(moved))
        assert read_text(q, wrong).verdict == "disagree"


def _elsewhere(obj: SceneObject, asked: tuple[str, ...]) -> SceneObject:
    """Return an asked part as one of something else."""
    if obj.id not in asked or "part_of" not in obj.attributes:
        return obj
    said = {**obj.attributes, "part_of": "floor"}
    changed: SceneObject = msgspec.structs.replace(obj, attributes=said)
    return changed


def test_every_named_part_is_in_its_file() -> None:
    named = [spec for spec in room_assets(None).values() if spec.named_parts]
    assert len(named) > 15
    for spec in named:
        there = {p.name for p in furniture_model(spec).parts}
        assert {node for _, node in spec.named_parts} <= there, spec.name
