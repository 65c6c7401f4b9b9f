"""What a model has that is not shown, or a folder that is not read, is said; what can be shown is."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fathom.assets.animated.manifest import read_animated_manifest
from fathom.assets.blender.runner import VARIABLE
from fathom.assets.gltf import LIMITS, read_document, still_parts
from fathom.assets.gltf.images import decoded_picture
from fathom.assets.gltf.ktx2 import PACKAGE
from fathom.assets.gltf.moving import open_moving
from fathom.assets.model import Part
from fathom.indexing.animated import index_animated
from fathom.records import AssetError, InputError
from fathom.scenes.scene_at_time import Staging
from tests.animated.moving_gltf import primitive, skinned, sliding
from tests.assets.tiny_gltf import POINTS, Tiny, f4, png, wedge


def instanced(tiny: Tiny, required: bool = False) -> Tiny:
    """Return a file with its first node drawn three times, 5 apart, the last one twice as large."""
    rows = {"TRANSLATION": f4([[0, 0, 0], [5, 0, 0], [10, 0, 0]]), "SCALE": f4([[1] * 3, [1] * 3, [2] * 3])}
    attributes = {name: tiny.add(values) for name, values in rows.items()}
    tiny.json["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    if required:
        tiny.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    return tiny


@pytest.mark.parametrize("required", [False, True])
def test_every_instance_of_a_mesh_is_shown_still_and_moving(tmp_path: Path, required: bool) -> None:
    path = instanced(wedge(), required).write(tmp_path / "three.gltf")
    parts = still_parts(read_document(path))
    assert len(parts) == 3
    for p, (shift, scale) in zip(parts, ((0, 1), (5, 1), (10, 2)), strict=True):
        assert np.allclose(p.vertices.min(axis=0), POINTS.min(axis=0) * scale + (shift, 0, 0), atol=1e-6)
    moving = open_moving(instanced(sliding(), required).write(tmp_path / "slide.gltf"))
    spread = np.ptp(moving.vertices_at("Slide", 0.0), axis=0)
    assert np.allclose(np.ptp(moving.vertices_at("Slide", 2.0), axis=0), spread)
    assert spread[0] == pytest.approx(13)
    assert np.allclose(
        moving.vertices_at("Slide", 2.0) - moving.vertices_at("Slide", 0.0), (4, 0, 0), atol=1e-5
    )


def textured(tiny: Tiny, source: dict[str, object], picture: bytes = b"", **material: object) -> Tiny:
    tiny.json["images"] = [{"bufferView": tiny.add_bytes(picture or png()), "mimeType": "image/png"}]
    tiny.json["textures"] = [source]
    paint = tiny.json["materials"][0]
    paint["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    paint.update(material)
    corners = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    corners["TEXCOORD_0"] = tiny.add(f4(np.zeros((len(POINTS), 2))))
    return tiny


def test_what_is_not_shown_as_the_file_has_it_stands_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    textured(sliding(), {"extensions": {"KHR_texture_basisu": {"source": 0}}}).write(tmp_path / "wedge.gltf")
    text = index_animated(tmp_path)
    assert "not shown as the file has it (1)" in text
    assert "KTX2 alone" in text
    entry = read_animated_manifest(tmp_path / "fathom-cast.proposed.json").assets[0]
    assert ["KTX2 alone" in loss for loss in entry.losses] == [True]
    sliding().write(tmp_path / "wedge.gltf")
    assert "not shown" not in index_animated(tmp_path)


def test_scenes_that_are_not_shown_are_named(tmp_path: Path) -> None:
    tiny = sliding()
    tiny.json["nodes"].append({"name": "other", "mesh": 0})
    tiny.json["scenes"].append({"nodes": [1]})
    (loss,) = open_moving(tiny.write(tmp_path / "two.gltf")).document.losses
    assert "2 scenes, of which only scene 0 is shown" in loss


def test_meshes_that_are_compressed_in_a_way_that_is_not_read_say_so(tmp_path: Path) -> None:
    tiny = wedge()
    tiny.json["extensionsUsed"] = ["KHR_meshopt_compression"]
    path = tiny.write(tmp_path / "wedge.gltf")
    raw = json.loads(path.read_text("utf-8"))
    del raw["buffers"][0]["uri"]
    path.write_text(json.dumps(raw), "utf-8")
    with pytest.raises(AssetError, match="compressed by 'KHR_meshopt_compression' alone, which is not read"):
        read_document(path)


def leaf(alpha: int) -> bytes:
    """A picture whose left half is opaque, and whose right half is so opaque."""
    pixels = np.full((8, 8, 4), 255, np.uint8)
    pixels[:, 4:, 3] = alpha
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def looked_at(path: Path) -> Sequence[Part]:
    """Return the parts of a file, read as one that stands still or as one that moves."""
    return still_parts(read_document(path)) if path.stem == "still" else open_moving(path).parts_at("", 0.0)


@pytest.mark.parametrize(
    ("u", "alpha", "cutoff", "refused"),
    [(0.75, 0, 0.5, True), (0.25, 0, 0.5, False), (0.75, 200, 0.5, False), (0.75, 200, 0.9, True)],
)
def test_a_model_whose_texture_cuts_holes_into_it_is_refused_still_and_moving(
    tmp_path: Path, u: float, alpha: int, cutoff: float, refused: bool
) -> None:
    for name, tiny in (("still", wedge()), ("moving", sliding())):
        whole = textured(tiny, {"source": 0}, leaf(alpha), name="leaf", alphaMode="MASK", alphaCutoff=cutoff)
        corners = whole.json["meshes"][0]["primitives"][0]["attributes"]
        corners["TEXCOORD_0"] = whole.add(f4(np.full((len(POINTS), 2), u)))
        path = whole.write(tmp_path / f"{name}.gltf")
        if not refused:
            assert looked_at(path)
            continue
        with pytest.raises(AssetError, match=r"the material 'leaf' cuts holes into 100.0% of its surface"):
            looked_at(path)


def test_a_plain_surface_below_its_cutoff_is_not_there(tmp_path: Path) -> None:
    tiny = wedge()
    tiny.json["materials"][0] |= {"alphaMode": "MASK"}
    tiny.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [1, 1, 1, 0.4]
    with pytest.raises(AssetError, match="no triangles"):
        still_parts(read_document(tiny.write(tmp_path / "gone.gltf")))


def test_a_model_of_another_format_is_named_where_no_blender_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/python")
    sliding().write(tmp_path / "wedge.gltf")
    for name in ("horse.fbx", "deep/cube.obj", "wedge.usd"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"something")
    text = index_animated(tmp_path)
    refused = read_animated_manifest(tmp_path / "fathom-cast.proposed.json").refused
    assert set(refused) == {"horse.fbx", "deep/cube.obj"}  # the wedge is there as glTF
    for why in refused.values():
        assert f"no Blender can convert it; name a Python with the module bpy in {VARIABLE}" in why
        assert why in text


@pytest.mark.skipif(not os.environ.get(VARIABLE), reason=f"no {VARIABLE}")
def test_a_model_of_another_format_is_converted_where_blender_is_at_hand(tmp_path: Path) -> None:
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in POINTS.tolist())
    (tmp_path / "wedge.obj").write_text(f"{corners}f 1 3 2\nf 1 4 3\n")
    sliding().write(tmp_path / "slide.gltf")
    assert "wedge.glb" in index_animated(tmp_path)
    assert (tmp_path / "wedge.glb").is_file()


def test_a_file_of_version_1_or_without_a_byte_says_so(tmp_path: Path) -> None:
    path = tmp_path / "old.gltf"
    path.write_text('{"asset": {"version": "1.0"}, "nodes": {"a": {}}, "meshes": {}}')
    with pytest.raises(AssetError, match=r"expected glTF version 2, found '1\.0'"):
        read_document(path)
    path.write_bytes(b"")
    with pytest.raises(AssetError, match="it is empty"):
        read_document(path)


def test_a_required_extension_that_is_not_read_has_one_remedy(tmp_path: Path) -> None:
    tiny = wedge()
    tiny.json["extensionsRequired"] = ["KHR_meshopt_compression"]
    with pytest.raises(AssetError, match="KHR_meshopt_compression") as found:
        read_document(tiny.write(tmp_path / "wedge.gltf"))
    assert str(found.value).count("export") == 1


def test_nine_large_textures_are_read_since_they_are_shrunk(tmp_path: Path) -> None:
    assert LIMITS.texture_pixels >= 9 * 4096**2
    _, spent = decoded_picture(png(64, 64), "image 8", LIMITS, LIMITS.texture_pixels - 8 * 4096**2)
    assert spent == 64 * 64


def test_a_texture_that_is_shrunk_is_named(tmp_path: Path) -> None:
    large = textured(sliding(), {"source": 0}, png(2048, 4)).write(tmp_path / "large.gltf")
    assert list(read_document(large).losses) == [
        "a texture of up to 8,192 pixels shrunk to 1,024 along the longer side"
    ]
    assert read_document(textured(sliding(), {"source": 0}).write(tmp_path / "small.gltf")).losses == ()


def finely_bent(side: int) -> Tiny:
    """Return a square sheet of side² vertices whose right half hangs on another joint, lifted by 3 in 1 s."""
    tiny = skinned()
    y, x = np.divmod(np.arange(side * side), side)
    cell = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
    faces = np.stack([cell, cell + 1, cell + side, cell + 1, cell + side + 1, cell + side], axis=-1)
    right = (x >= side // 2).astype(np.float32)
    primitive(tiny)["attributes"] = {
        "POSITION": tiny.add(f4(np.stack([x, 0 * x, y], axis=-1)) / (side - 1)),
        "JOINTS_0": tiny.add(np.tile(np.array([0, 1, 0, 0], np.uint8), (len(x), 1))),
        "WEIGHTS_0": tiny.add(f4(np.stack([1 - right, right, 0 * right, 0 * right], axis=-1))),
    }
    primitive(tiny)["indices"] = tiny.add(faces.reshape(-1).astype(np.uint32))
    return tiny


def test_a_mesh_with_too_many_vertices_is_simplified_moves_as_before_and_is_named(tmp_path: Path) -> None:
    path = finely_bent(200).write(tmp_path / "sheet.gltf")
    whole = open_moving(path)
    coarse = open_moving(path, limits=replace(LIMITS, vertices_kept=10_000))
    assert whole.document.losses == ()
    (said,) = coarse.document.losses
    assert said.startswith("its 40,000 vertices were simplified to ")
    rest, lifted = coarse.vertices_at("", 0.0), coarse.vertices_at("Bend", 1.0)
    assert 3_000 < len(rest) <= 10_000
    known = {tuple(p) for p in whole.vertices_at("", 0.0).tolist()}
    assert all(tuple(p) in known for p in rest.tolist())
    assert np.array_equal((lifted - rest)[:, 1], np.where(rest[:, 0] >= 100 / 199 - 1e-6, 3.0, 0.0))
    (part,) = coarse.parts_at("", 0.0)
    edges = np.diff(part.vertices[part.faces][:, [0, 1, 2, 0]], axis=1)
    assert np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum() / 2 == pytest.approx(1, abs=0.02)


def test_no_kind_of_story_at_all_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"no story can be drawn; expected weights of 0 or more"):
        Staging(kinds=dict.fromkeys(Staging().kinds, 0.0))
    with pytest.raises(InputError, match="no story can be drawn"):
        Staging(kinds={"action": -1.0, "spatial": 2.0})
