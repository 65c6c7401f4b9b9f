"""glTF becomes the triangles, places and surfaces that its specification says."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.gltf import read_document, still_parts
from fathom.assets.gltf.axes import AXES, turn_of, turned
from fathom.assets.gltf.meshes import FAN, LISTS, STRIP, triangles
from fathom.assets.gltf.still import world_matrices
from fathom.assets.model import Part
from fathom.assets.shapes import volume
from tests.assets.tiny_gltf import FACES, POINTS, Array, Tiny, f4, png, u2, wedge

numbers = st.floats(-5, 5, width=32)


def parts_of(tiny: Tiny, folder: Path) -> tuple[Part, ...]:
    return still_parts(read_document(tiny.write(folder / "model.gltf")))


def corners(part: Part) -> Array:
    found: Array = part.vertices[part.faces]
    return found


def test_a_file_in_one_piece_or_beside_its_buffer_is_the_same_model(tmp_path: Path) -> None:
    tiny = wedge()
    (tmp_path / "a b.bin").write_bytes(tiny.data)
    (tmp_path / "beside.gltf").write_text(json.dumps(tiny.with_buffer("a%20b.bin")))
    (tmp_path / "whole.glb").write_bytes(tiny.glb())
    tiny.write(tmp_path / "inline.gltf")
    found = [still_parts(read_document(tmp_path / n)) for n in ("beside.gltf", "whole.glb", "inline.gltf")]
    for (part,) in found:
        assert np.allclose(corners(part), POINTS[FACES])
        assert part.material.name == "paint"


@pytest.mark.parametrize("front", AXES)
@pytest.mark.parametrize("up", AXES)
def test_whatever_the_axes_a_model_ends_up_looking_along_x_with_z_up(front: str, up: str) -> None:
    if front[1] == up[1]:
        return
    m = turn_of(front, up)
    assert np.linalg.det(m) == pytest.approx(1)
    assert m @ AXES[front] == pytest.approx((1, 0, 0))
    assert m @ AXES[up] == pytest.approx((0, 0, 1))


def test_by_custom_left_is_plus_x_of_the_file() -> None:
    assert turn_of("+z", "+y") @ (1, 0, 0) == pytest.approx((0, 1, 0))


def test_the_sharp_end_of_the_wedge_comes_to_the_front(tmp_path: Path) -> None:
    (part,) = turned(parts_of(wedge(), tmp_path), "+z", "+y")
    tops = part.vertices[part.vertices[:, 2] > 0.5]
    assert (tops[:, 0] < 0).all()
    assert np.ptp(part.vertices, axis=0) == pytest.approx((4, 2, 1))


@given(st.tuples(numbers, numbers, numbers), st.tuples(*[st.floats(-1, 1)] * 4), st.floats(0.1, 3))
def test_translation_rotation_and_scale_are_the_matrix_that_they_stand_for(
    tmp_path_factory: pytest.TempPathFactory,
    shift: tuple[float, float, float],
    turn: tuple[float, float, float, float],
    scale: float,
) -> None:
    length = math.sqrt(sum(v * v for v in turn))
    if length < 0.1:
        return
    q = [v / length for v in turn]
    tiny = wedge(lambda t: t.json["nodes"][0].update(translation=shift, rotation=q, scale=[scale] * 3))
    folder = tmp_path_factory.mktemp("trs")
    m = world_matrices(read_document(tiny.write(folder / "a.gltf")))[0]
    assert m[:3, 3] == pytest.approx(shift)
    assert m[:3, :3] @ m[:3, :3].T == pytest.approx(np.eye(3) * scale**2, abs=1e-6)
    same = wedge(lambda t: t.json["nodes"][0].update(matrix=m.T.reshape(-1).tolist()))
    (one,), (other,) = parts_of(tiny, folder), parts_of(same, folder)
    assert np.allclose(one.vertices, other.vertices, atol=1e-6)


def test_children_move_with_their_parents(tmp_path: Path) -> None:
    def nest(t: Tiny) -> None:
        t.json["nodes"] = [
            {"mesh": 0, "translation": [0, 0, 1]},
            {"children": [0], "scale": [2, 2, 2], "translation": [10, 0, 0]},
        ]
        t.json["scenes"] = [{"nodes": [1]}]

    (part,) = parts_of(wedge(nest), tmp_path)
    assert np.allclose(corners(part), POINTS[FACES] * 2 + (10, 0, 2))


def test_a_child_that_a_scene_lists_as_a_root_is_shown_once(tmp_path: Path) -> None:
    def list_all(t: Tiny) -> None:
        t.json["nodes"] = [{"mesh": 0}, {"children": [0]}]
        t.json["scenes"] = [{"nodes": [0, 1, 0]}]

    assert len(parts_of(wedge(list_all), tmp_path)) == 1


def test_what_is_not_in_the_default_scene_is_not_shown(tmp_path: Path) -> None:
    def aside(t: Tiny) -> None:
        t.json["nodes"].append({"mesh": 0, "translation": [9, 9, 9]})

    assert len(parts_of(wedge(aside), tmp_path)) == 1


def test_a_mirrored_model_still_faces_outwards(tmp_path: Path) -> None:
    mirrored = wedge(lambda t: t.json["nodes"][0].update(scale=[-1, 1, 1]))
    for tiny in (wedge(), mirrored):
        (part,) = parts_of(tiny, tmp_path)
        assert volume((part.vertices, part.faces)) == pytest.approx(4.0)


def test_normals_stay_at_right_angles_when_a_model_is_squeezed(tmp_path: Path) -> None:
    flat = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 1)], dtype=np.float32)

    def squeeze(t: Tiny) -> None:
        t.json["meshes"][0]["primitives"] = [
            {
                "attributes": {
                    "POSITION": t.add(flat),
                    "NORMAL": t.add(np.tile(f4([0, -1, 1]), (3, 1))),
                }
            }
        ]
        t.json["nodes"][0]["scale"] = [1, 5, 1]

    (part,) = parts_of(wedge(squeeze), tmp_path)
    assert part.normals is not None
    edge = part.vertices[2] - part.vertices[0]
    assert part.normals @ edge == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(part.normals, axis=1) == pytest.approx(1)


def test_strips_and_fans_are_the_triangles_that_they_stand_for() -> None:
    four = np.arange(4)
    assert triangles(four, STRIP).tolist() == [[0, 1, 2], [2, 1, 3]]
    assert triangles(four, FAN).tolist() == [[0, 1, 2], [0, 2, 3]]
    assert triangles(four, LISTS).tolist() == [[0, 1, 2]]
    assert len(triangles(np.arange(2), STRIP)) == 0


def test_points_and_lines_are_passed_over(tmp_path: Path) -> None:
    def add_lines(t: Tiny) -> None:
        for mode in (0, 1, 2, 3):
            t.primitive(mode=mode)

    assert len(parts_of(wedge(add_lines), tmp_path)) == 1


def test_interleaved_and_sparse_and_normalised_arrays_are_read_alike(tmp_path: Path) -> None:
    def weave(t: Tiny) -> None:
        woven = np.zeros(6, dtype=[("p", "<f4", 3), ("c", "u1", 4)])
        woven["p"], woven["c"] = POINTS, (255, 0, 51, 255)
        woven["p"][5] = (7, 7, 7)
        view = t.add_bytes(woven.tobytes())
        t.json["bufferViews"][view]["byteStride"] = 16
        rows, values = t.add_bytes(np.array([5], "<u2").tobytes()), t.add_bytes(POINTS[5].tobytes())
        sparse: dict[str, Any] = {
            "count": 1,
            "indices": {"bufferView": rows, "componentType": 5123},
            "values": {"bufferView": values},
        }
        place = {"bufferView": view, "componentType": 5126, "count": 6, "type": "VEC3", "sparse": sparse}
        color = {
            "bufferView": view, "byteOffset": 12, "componentType": 5121, "count": 6, "type": "VEC4",
            "normalized": True,
        }  # fmt: skip
        t.json["accessors"] += [place, color]
        k = len(t.json["accessors"])
        t.json["meshes"][0]["primitives"][0]["attributes"] = {"POSITION": k - 2, "COLOR_0": k - 1}

    (part,) = parts_of(wedge(weave), tmp_path)
    assert np.allclose(corners(part), POINTS[FACES])
    assert part.vertex_colors is not None
    assert part.vertex_colors[0] == pytest.approx((1, 0, 0.4845), abs=1e-3)


def test_a_skin_in_its_bind_pose_leaves_the_mesh_and_a_moved_joint_moves_it(tmp_path: Path) -> None:
    def bind(t: Tiny, lift: float) -> None:
        inverse = np.eye(4, dtype=np.float32)
        inverse[1, 3] = -2
        t.json["nodes"] = [
            {"mesh": 0, "skin": 0, "translation": [100, 100, 100]},
            {"name": "bone", "translation": [0, 2 + lift, 0]},
        ]
        t.json["scenes"] = [{"nodes": [0, 1]}]
        t.json["skins"] = [{"joints": [1], "inverseBindMatrices": t.add(inverse.T.reshape(1, 16))}]
        t.json["meshes"][0]["primitives"][0]["attributes"] |= {
            "JOINTS_0": t.add(np.zeros((6, 4), np.uint8)),
            "WEIGHTS_0": t.add(np.tile(f4([1, 0, 0, 0]), (6, 1))),
        }

    for lift in (0.0, 3.0):
        (part,) = parts_of(wedge(lambda t, lift=lift: bind(t, lift)), tmp_path)  # type: ignore[misc]
        assert np.allclose(corners(part), POINTS[FACES] + (0, lift, 0), atol=1e-5)


def test_morph_targets_are_on_as_far_as_their_default_weights(tmp_path: Path) -> None:
    def morph(t: Tiny) -> None:
        t.json["meshes"][0]["weights"] = [0.5, 0]
        t.json["meshes"][0]["primitives"][0]["targets"] = [
            {"POSITION": t.add(np.tile(f4([0, 4, 0]), (6, 1)))},
            {"POSITION": t.add(np.tile(f4([9, 9, 9]), (6, 1)))},
        ]

    (part,) = parts_of(wedge(morph), tmp_path)
    assert np.allclose(corners(part), POINTS[FACES] + (0, 2, 0))


def test_animations_are_read_when_asked_for(tmp_path: Path) -> None:
    def animate(t: Tiny) -> None:
        times, values = t.add(f4([0, 1])), t.add(f4([(0, 0, 0), (0, 0, 5)]))
        t.json["animations"] = [
            {
                "name": "drive",
                "samplers": [{"input": times, "output": values}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            }
        ]

    path = wedge(animate).write(tmp_path / "a.gltf")
    assert read_document(path).clips == ()
    (clip,) = read_document(path, clips=True).clips
    assert (clip.name, clip.channels[0].path) == ("drive", "translation")
    assert clip.channels[0].values[-1] == pytest.approx((0, 0, 5))


def textured(t: Tiny, uri: str | None, transform: dict[str, Any] | None = None) -> None:
    if uri is None:
        t.json["images"] = [{"bufferView": t.add_bytes(png()), "mimeType": "image/png"}]
    else:
        t.json["images"] = [{"uri": uri}]
    t.json["textures"] = [{"source": 0}]
    use: dict[str, Any] = {"index": 0}
    if transform:
        use["extensions"] = {"KHR_texture_transform": transform}
    t.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": use}
    uv = np.tile(f4([0.25, 0.25]), (6, 1))
    t.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = t.add(uv)


def test_pictures_are_found_inside_beside_and_in_the_text(tmp_path: Path) -> None:
    (tmp_path / "Textures").mkdir()
    (tmp_path / "Textures" / "a map.png").write_bytes(png())
    written_out = "data:image/png;base64," + base64.b64encode(png()).decode()
    for uri in (None, "Textures/a%20map.png", written_out):
        (part,) = parts_of(wedge(lambda t, uri=uri: textured(t, uri)), tmp_path)  # type: ignore[misc]
        assert part.material.texture is not None
        assert part.material.texture[0, 3].tolist() == [200, 10, 10]
        assert part.uv is not None
        assert part.uv[0] == pytest.approx((0.25, 0.75))


def test_a_texture_transform_scales_turns_and_shifts(tmp_path: Path) -> None:
    moved = {"offset": [0.5, 0], "scale": [2, 2], "rotation": math.pi / 2}
    (part,) = parts_of(wedge(lambda t: textured(t, None, moved)), tmp_path)
    assert part.uv is not None
    # (0.25, 0.25) doubled is (0.5, 0.5); turned by 90° it is (0.5, -0.5); shifted it is (1, -0.5).
    assert part.uv[0] == pytest.approx((1.0, 1.5))


def test_colours_are_linear_in_the_file_and_srgb_in_the_model(tmp_path: Path) -> None:
    (part,) = parts_of(wedge(), tmp_path)
    assert part.material.color == pytest.approx((0.7354, 0.3492, 0.3492), abs=1e-3)


def test_what_can_be_seen_through_is_dark_and_what_cannot_be_seen_is_left_out(tmp_path: Path) -> None:
    def glaze(t: Tiny, alpha: float) -> None:
        t.primitive(material=1)
        surface = {"baseColorFactor": [1, 1, 1, alpha]}
        t.json["materials"].append({"name": "glass", "alphaMode": "BLEND", "pbrMetallicRoughness": surface})

    found = parts_of(wedge(lambda t: glaze(t, 0.2)), tmp_path)
    assert max(found[1].material.color) < 0.6
    assert len(parts_of(wedge(lambda t: glaze(t, 0.0)), tmp_path)) == 1


def test_triangles_without_an_area_are_left_out_with_their_corners(tmp_path: Path) -> None:
    def needle(t: Tiny) -> None:
        far = np.concatenate([POINTS, f4([(50, 50, 50)])])
        t.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = t.add(far)
        faces = np.concatenate([FACES, u2([(0, 6, 6)])])
        t.json["meshes"][0]["primitives"][0]["indices"] = t.add(faces.reshape(-1))

    (part,) = parts_of(wedge(needle), tmp_path)
    assert len(part.faces) == len(FACES)
    assert part.vertices.max() == 2


def test_draco_gives_the_same_triangles(tmp_path: Path) -> None:
    DracoPy = pytest.importorskip("DracoPy")

    def compress(t: Tiny) -> None:
        data = DracoPy.encode(POINTS, faces=FACES.astype(np.uint32), quantization_bits=16)
        p = t.json["meshes"][0]["primitives"][0]
        p["extensions"] = {
            "KHR_draco_mesh_compression": {"bufferView": t.add_bytes(data), "attributes": {"POSITION": 0}}
        }
        for accessor in t.json["accessors"]:
            del accessor["bufferView"]
        t.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]

    (part,) = parts_of(wedge(compress), tmp_path)
    assert volume((part.vertices, part.faces)) == pytest.approx(4.0, abs=1e-3)
    assert len(part.faces) == len(FACES)
