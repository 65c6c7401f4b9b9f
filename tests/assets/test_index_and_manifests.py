"""Manifests say clearly what is wrong with them, proposals can be completed, and folders become libraries."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from fathom.assets.catalogue import FILE_NAME, PACKS, PROPOSED_NAME, read_catalogue
from fathom.assets.gltf.axes import turn_of
from fathom.assets.libraries import Library, open_library
from fathom.assets.loading import load, shape_hash, unit_length_m, unit_model
from fathom.assets.model import BODY, Material, Part, painted
from fathom.assets.shapes import box, merged
from fathom.assets.spec import AssetSpec
from fathom.indexing import still as index
from fathom.indexing.fronts import guess_front
from fathom.records import AssetError
from fathom.scenes.scatter import draw_objects
from fathom.scenes.scatter_settings import Scatter
from fathom.store.files import sha256_file
from tests.assets.tiny_gltf import wedge

ENTRY: dict[str, Any] = {
    "file": "wedge.gltf", "category": "car", "subtype": "sedan", "size_m": 4.5, "reviewed": True,
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "pack"
    wedge().write(found / "wedge.gltf")
    return found


def described(folder: Path, *entries: dict[str, Any], **more: Any) -> Path:
    (folder / FILE_NAME).write_text(json.dumps({"name": "pack", "models": list(entries), **more}))
    return folder


def spec_of(folder: Path, entry: dict[str, Any]) -> AssetSpec:
    return msgspec.convert(entry, AssetSpec).completed(str(folder), "pack", "bodies")


def complaint(folder: Path, *entries: dict[str, Any], **more: Any) -> str:
    with pytest.raises(AssetError) as caught:
        for e in open_library(described(folder, *entries, **more)).assets:
            shape_hash(e)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_described_folder_is_a_library_of_standing_models_that_look_along_x(folder: Path) -> None:
    library = open_library(described(folder, ENTRY | {"body_materials": ["paint"]}))
    assert library.subtypes() == (("car", "sedan"),)
    entry = library.asset("wedge")
    model = unit_model(entry)
    assert entry.recolourable
    assert max(model.extents[:2]) == pytest.approx(unit_length_m("car", "sedan"))
    points = np.concatenate([p.vertices for p in model.parts])
    assert points[:, 2].min() == pytest.approx(0)
    assert (points.max(axis=0) + points.min(axis=0))[:2] == pytest.approx((0, 0))
    assert points[points[:, 2] > 0.01, 0].max() < 0
    assert painted(model, (0, 0, 1)).parts[0].material.color == (0, 0, 1)


def test_a_model_turns_with_the_front_that_its_entry_names(folder: Path) -> None:
    there = load(spec_of(folder, ENTRY | {"front": "-z"}))
    points = there.parts[0].vertices
    assert points[points[:, 2] > 0.01, 0].min() > 0


def test_objects_that_cannot_be_recoloured_have_no_colour(folder: Path) -> None:
    library = open_library(described(folder, ENTRY))
    objects = draw_objects("0", "scene", library, Scatter())
    assert {t.attributes["color"] for t in objects} == {""}
    assert {t.asset.sha256 for t in objects} == {shape_hash(library.asset("wedge"))}


def test_the_hash_of_a_model_changes_with_its_file_and_with_how_it_is_turned(folder: Path) -> None:
    def its_hash(**changes: Any) -> str:
        return shape_hash(open_library(described(folder, ENTRY | changes)).asset("wedge"))

    first = its_hash()
    assert its_hash(note="looked at again") == first
    assert its_hash(front="-z") != first


def test_what_is_tall_does_not_tower_over_everything(folder: Path) -> None:
    model = load(spec_of(folder, ENTRY | {"front": "+x", "up": "+z"}))
    assert max(model.extents) == pytest.approx(unit_length_m("car", "sedan"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"catagory": "car"}, "did you mean 'category'?"),
        ({"zzz": 1}, "there are file, category"),
        ({"size_m": "4.5"}, "models[0] (wedge.gltf): Expected `float`"),
        ({"size_m": 0}, "size_m is 0"),
        ({"front": "forward"}, "front is 'forward'; there are +x"),
        ({"front": "-y"}, "right angles"),
        ({"category": ""}, "category is ''"),
        ({"subtype": "<b>"}, "small letters"),
        ({"name": "a\nb"}, "cannot be its name"),
        ({"file": "../wedge.gltf", "name": "w"}, "outside the folder"),
        ({"file": "/etc/passwd", "name": "w"}, "outside the folder"),
        ({"file": "absent.glb"}, "no such file"),
        ({"reviewed": False}, "not reviewed (wedge)"),
        ({"body_materials": ["pant"]}, "there are 'paint'"),
    ],
)
def test_a_mistake_in_an_entry_is_named_with_its_remedy(
    folder: Path, change: dict[str, Any], words: str
) -> None:
    assert words in complaint(folder, ENTRY | change)


def test_a_model_as_thin_as_a_line_cannot_stand(folder: Path) -> None:
    def thin(t: Any) -> None:
        points = np.array([(0, 0, 0), (2e-5, 0, 0), (0, 1, 0)], dtype=np.float32)
        t.json["meshes"][0]["primitives"] = [{"attributes": {"POSITION": t.add(points)}}]

    wedge(thin).write(folder / "wedge.gltf")
    assert "footprint" in complaint(folder, ENTRY)


def test_a_mistake_in_the_manifest_itself_is_named(folder: Path) -> None:
    assert "did you mean 'license'?" in complaint(folder, ENTRY, licence="CC0-1.0")
    assert "lists no models" in complaint(folder)
    assert "is taken by" in complaint(folder, ENTRY, ENTRY)
    other = ENTRY | {"name": "other", "category": "bus"}
    assert "a subtype has one category" in complaint(folder, ENTRY, other)
    assert "SHA-256" in complaint(folder, ENTRY, files={"wedge.gltf": "0" * 64})
    for text, words in (
        (b"", "not JSON"),
        (b"[1]", "object"),
        (b"\xff", "not JSON"),
        (b"[" * 10**5, "nested"),
    ):
        (folder / FILE_NAME).write_bytes(text)
        with pytest.raises(AssetError, match=words):
            open_library(folder)


def test_a_folder_without_a_manifest_is_told_how_to_get_one(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="fathom assets index"):
        open_library(folder)
    with pytest.raises(AssetError, match="there is none"):
        open_library(tmp_path / "absent")


def test_a_textured_material_cannot_be_the_body(folder: Path) -> None:
    def color(t: Any) -> None:
        tints = t.add(np.full((6, 4), 128, np.uint8), normalized=True)
        t.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = tints

    wedge(color).write(folder / "wedge.gltf")
    assert "take another color" in complaint(folder, ENTRY | {"body_materials": ["paint"]})


def test_a_material_that_happens_to_be_called_body_keeps_its_colour(folder: Path) -> None:
    wedge(lambda t: t.json["materials"][0].update(name=BODY)).write(folder / "wedge.gltf")
    (part,) = load(spec_of(folder, ENTRY)).parts
    assert part.material.name != BODY


def test_a_proposal_lists_what_can_be_used_and_why_the_rest_cannot(folder: Path) -> None:
    (folder / "broken.glb").write_bytes(b"glTF but not really")
    wedge().write(folder / "more" / "Pickup.gltf")
    (folder / ".hidden").mkdir()
    wedge().write(folder / ".hidden" / "a.gltf")
    proposal = index.propose(folder).catalogue
    assert [m.file for m in proposal.models] == ["more/Pickup.gltf", "wedge.gltf"]
    assert proposal.models[0].subtype == "truck"
    assert list(proposal.refused) == ["broken.glb"]
    assert proposal.models[1].body_materials == ("paint",)
    assert proposal.files["wedge.gltf"] == sha256_file(folder / "wedge.gltf")
    assert not any(m.reviewed for m in proposal.models)


def test_a_proposal_becomes_the_manifest_once_somebody_has_reviewed_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_draw", lambda proposal, place, say: [])
    said = index.index_folder(folder)
    assert PROPOSED_NAME in said
    text = (folder / PROPOSED_NAME).read_text()
    (folder / FILE_NAME).write_text(text)
    with pytest.raises(AssetError, match="not reviewed"):
        open_library(folder)
    (folder / FILE_NAME).write_text(text.replace('"reviewed": false', '"reviewed": true'))
    assert len(open_library(folder).assets) == 1


def test_a_folder_in_which_nothing_can_be_used_is_refused(folder: Path) -> None:
    (folder / "wedge.gltf").write_text("{}")
    with pytest.raises(AssetError, match="no model that can be used"):
        index.propose(folder)


def car(sign: float, axis: int) -> list[Part]:
    """Return boxes that look like a car whose front is at `sign` along x (0) or z (2), +y up."""
    lamp = box((0, 0.5, 1.95 * sign), (1.2, 0.1, 0.1))
    body = merged(box((0, 0.5, 0), (1.6, 0.6, 4)), box((0, 1, -0.3 * sign), (1.4, 0.5, 1.8)))
    parts = [Part("body", *body, Material("paint")), Part("lamps", *lamp, Material("headlight"))]
    if axis == 2:
        return parts
    quarter = np.array([(0, 0, 1), (0, 1, 0), (-1, 0, 0)])
    return [replace(p, vertices=p.vertices @ quarter.T) for p in parts]


@pytest.mark.parametrize("axis", [0, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_head_lamps_tell_the_front(axis: int, sign: int) -> None:
    guess = guess_front(car(sign, axis))
    assert guess.front == f"{'+' if sign > 0 else '-'}{'xyz'[axis]}"
    assert guess.confidence > 0.8


def test_a_featureless_box_is_guessed_without_confidence() -> None:
    guess = guess_front([Part("box", *box((0, 0, 0), (1, 1, 1)), Material("grey"))])
    assert guess.confidence < 0.75


def test_the_packs_that_the_project_knows_are_valid_and_reviewed() -> None:
    packs = [read_catalogue(p) for p in sorted(PACKS.glob("*.json"))]
    assert packs
    for pack in packs:
        assert all(m.reviewed and m.license for m in pack.models)
        assert {m.file for m in pack.models} <= set(pack.files)


@pytest.fixture(scope="module")
def vehicles(assets_folder: Path) -> Library:
    pytest.importorskip("DracoPy")
    return open_library(assets_folder / "vehicles")


def test_every_vehicle_of_the_reviewed_pack_loads(vehicles: Library) -> None:
    assert len(vehicles.assets) == 23
    for entry in vehicles.assets:
        length, width, height = unit_model(entry).extents
        assert 0.7 <= max(length, width) <= 0.95, entry.name
        assert height <= 0.9, entry.name
        assert length >= width, entry.name
        assert entry.recolourable == any(p.material.name == BODY for p in unit_model(entry).parts)


def test_a_known_pack_with_a_changed_file_is_refused(assets_folder: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(assets_folder / "vehicles", tmp_path / "vehicles")
    (tmp_path / "vehicles" / "boat-small.gltf").write_text("{}")
    with pytest.raises(AssetError, match="boat-small"):
        open_library(tmp_path / "vehicles")


def test_fronts_are_guessed_right_where_the_guess_is_confident(
    assets_folder: Path, vehicles: Library
) -> None:
    reviewed = {m.file: m.front for m in read_catalogue(PACKS / "market-vehicles.json").models}
    right = sure = 0
    for file, front in reviewed.items():
        guess = index.measure(assets_folder / "vehicles", file).guess
        right += guess.front == front
        if guess.confidence >= 0.75:
            sure += 1
            assert guess.front == front, file
    assert right >= 19
    assert sure >= 15


SAMPLES = (
    "animated/Fox_textured.glb", "animated/MorphStressTest.gltf", "animated/Wasp.glb",
    "animated/Mech_Mike.glb", "characters/male.gltf", "indoor/Bed_Bunk.glb", "street/Sign_Stop.glb",
    "street/TrafficLight.glb", "nature/cactus.gltf", "tabletop/apple.gltf", "tabletop/mug.gltf",
)  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_models_of_other_packs_load_at_rest(assets_folder: Path, name: str) -> None:
    pytest.importorskip("DracoPy")
    path = assets_folder / name
    if not path.is_file():
        pytest.skip(f"{name} is not among the models")
    measured = index.measure(path.parent, path.name)
    assert measured.model.triangles > 0
    assert turn_of(measured.entry.front, measured.entry.up).shape == (3, 3)
