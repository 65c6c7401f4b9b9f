"""Rooms in HSSD's format stand as they say, and are asked about; what is broken is left out and said."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from fathom import api
from fathom.formats.hssd import read_placed_rooms
from fathom.geometry.poses import heading_rad, to_world
from fathom.records import InputError, Scene
from fathom.scenes.imported_rooms import LEFT_OUT, draw_placed_room, open_placed_rooms
from fathom.scenes.videos.indoor_objects import models_at
from fathom.scenes.viewpoints import Viewpoints
from tests.placed_rooms.made import PLACES, entry, folder_of

WANTED = Viewpoints(seen=3)


def _drawn(folder: Path) -> Scene:
    return draw_placed_room(0, "tests", open_placed_rooms(folder), WANTED)


def test_objects_stand_where_and_as_the_file_says(tmp_path: Path) -> None:
    # Of two lamps neither has a name of its own, so that none is moved.
    lamps = [entry(n) for n in PLACES] + [entry("lamp1", translation=[-0.4, 0.745, -1.8])]
    scene = _drawn(folder_of(tmp_path / "a", lamps))
    found = {o.asset.name.removeprefix("hssd:"): o for o in scene.objects if o.id.startswith("thing")}
    assert set(found) == set(PLACES)
    # The room is moved as a whole: y up becomes z up, and z turns to −y.
    offs = [
        np.subtract(found[n].poses[0].position_m, (x, -z, y))
        for n, ((x, y, z), _) in PLACES.items()
        if n in ("desk1", "box1", "picture1")
    ]
    assert np.ptp(np.array(offs)[:, 2]) == pytest.approx(0, abs=1e-3)
    for name, (_, turn) in PLACES.items():
        # A front along +z looks along −y here, and a turn about y is one about z.
        wanted = math.radians(turn - 90.0 if name not in ("lamp1", "box1", "picture1") else turn + 90.0)
        off = math.remainder(heading_rad(found[name].poses[0]) - wanted, 2 * math.pi)
        assert off == pytest.approx(0, abs=1e-5), name
    assert found["lamp1"].attributes["stands_on"] == found["desk1"].id
    assert found["picture1"].attributes["stands_on"] == "wall"
    assert found["lamp1"].attributes["front"] == "unknown" and "front" not in found["desk1"].attributes


def test_vertices_are_where_the_file_puts_them(tmp_path: Path) -> None:
    """An independent way: the file's own vertices, scaled, turned about y, moved, and laid with z up."""
    entries = [entry(n) for n in PLACES if n != "sofa1"]
    entries.append(entry("sofa1", non_uniform_scale=[0.8, 1.1, 0.9]))
    folder = folder_of(tmp_path / "a", entries)
    scene = _drawn(folder)
    models = models_at(scene, 0, open_placed_rooms(folder).library)
    boxes = {}
    for name in ("sofa1", "desk1"):
        obj = next(o for o in scene.objects if o.asset.name == f"hssd:{name}")
        points = np.concatenate([p.vertices for p in models[obj.id].parts])
        boxes[name] = to_world(obj.poses[0], points)
    for name, scale in (("sofa1", (0.8, 1.1, 0.9)), ("desk1", (1, 1, 1))):
        place, turn = PLACES[name]
        wanted = _by_hand(folder / "objects" / f"{name}.glb", tuple(place), turn, scale)
        found = boxes[name]
        assert np.ptp(found, axis=0) == pytest.approx(np.ptp(wanted, axis=0), abs=2e-3)
        boxes[f"{name} off"] = found.min(axis=0) - wanted.min(axis=0)
    assert boxes["sofa1 off"] == pytest.approx(boxes["desk1 off"], abs=2e-3)


def _by_hand(path: Path, place: tuple[float, ...], turn: float, scale: tuple[float, ...]) -> np.ndarray:
    from fathom.assets.gltf import read_document, still_parts

    points = np.concatenate([p.vertices for p in still_parts(read_document(path))]) * scale
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y, z = points.T
    turned = np.stack([c * x + s * z, y, c * z - s * x], axis=1) + place
    return np.asarray(turned[:, [0, 2, 1]] * (1, -1, 1))


def test_what_is_broken_is_left_out_and_said(tmp_path: Path) -> None:
    more = [
        {"template_name": "objects/unknown", "translation": [0, 0, 0]},
        {**entry("box1"), "translation": [0, 0]},
        {**entry("box1"), "rotation": [0.7, 0.7, 0, 0]},
        {**entry("box1"), "uniform_scale": 0},
        "nothing",
    ]
    folder = folder_of(tmp_path / "a", [*(entry(n) for n in PLACES), *more], without=["truck1"])
    (folder / "objects" / "box1.glb").write_bytes(b"broken")
    (folder / "scenes" / "other.scene_instance.json").write_text("{", "utf-8")
    scene = _drawn(folder)
    nouns = {o.attributes["name"] for o in scene.objects if o.id.startswith("thing")}
    assert "desk" in nouns and not {"toy truck", "cardboard box"} & nouns
    said = scene.source[LEFT_OUT]
    for words in ("unknown.glb", "truck1.glb", "translation", "does not stand upright", "a scale of 0"):
        assert words in said, words
    for words in ("box1.glb", "expected an object with a template_name", "other.scene_instance.json"):
        assert words in said, words


def test_a_folder_without_rooms_is_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match="found none"):
        read_placed_rooms(tmp_path)
    with pytest.raises(InputError, match="expected files"):
        api.build_dataset("3dsrbench", tmp_path / "o", scenes=1, settings={"hssd": str(tmp_path / "no")})
    folder = folder_of(tmp_path / "a")
    (folder / "semantics" / "objects.csv").write_text("a,b\n1,2", "utf-8")
    with pytest.raises(InputError, match="columns id and name"):
        read_placed_rooms(folder)
    (folder / "scenes" / "study.scene_instance.json").write_text(json.dumps({"a": 1}), "utf-8")
    with pytest.raises(InputError):
        read_placed_rooms(folder)


def test_a_set_is_built_of_such_rooms_and_both_derivations_agree(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "a")
    settings = {"width": "320", "height": "240", "seen": "3", "hssd": str(folder)}
    api.build_dataset("3dsrbench", tmp_path / "set", scenes=2, seed="t", renderer="none", settings=settings)
    checked = api.check_dataset(tmp_path / "set", blind=False)
    assert checked.passed, checked.text
    lines = (tmp_path / "set" / "questions.jsonl").read_text("utf-8").splitlines()
    tasks = {json.loads(line)["task"] for line in lines}
    assert len(tasks) >= 6
