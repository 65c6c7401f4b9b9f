"""A document is posed as its animations say, and always with the same triangles."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fathom.assets.gltf import still_parts
from fathom.assets.gltf.document import Channel
from fathom.assets.gltf.keyframes import tracks_of
from fathom.assets.gltf.moving import REST, Moving, open_moving
from fathom.records import AssetError
from tests.animated.moving_gltf import clip, primitive, skinned, sliding
from tests.assets.tiny_gltf import POINTS, Array, Tiny, f4, png, wedge

HALF = math.sqrt(0.5)


def opened(tiny: Tiny, folder: Path) -> Moving:
    return open_moving(tiny.write(folder / "model.gltf"))


def at(moving: Moving, name: str, time_s: float) -> Array:
    return moving.vertices_at(name, time_s)


def test_a_node_slides_evenly_between_its_keyframes_and_stands_still_beyond_them(tmp_path: Path) -> None:
    moving = opened(sliding(), tmp_path)
    for time_s, x in ((-1.0, 0.0), (0.0, 0.0), (0.5, 1.0), (1.5, 3.0), (2.0, 4.0), (9.0, 4.0)):
        assert at(moving, "Slide", time_s) == pytest.approx(POINTS + f4((x, 0, 0)))


def test_the_rest_pose_is_the_still_model(tmp_path: Path) -> None:
    moving = opened(skinned(), tmp_path)
    (rest,), (still,) = moving.parts_at(REST, 0.0), still_parts(moving.document)
    assert rest.vertices == pytest.approx(still.vertices)
    assert rest.normals == pytest.approx(still.normals)
    assert (rest.faces == still.faces).all()
    assert rest.material == still.material


def test_a_step_holds_until_the_next_keyframe(tmp_path: Path) -> None:
    tiny = clip(
        wedge(), "Hop", (0, "translation", [0, 1, 2], [[0, 0, 0], [0, 5, 0], [0, 1, 0]]), interpolation="STEP"
    )
    moving = opened(tiny, tmp_path)
    heights = [at(moving, "Hop", t)[0, 1] for t in (0.0, 0.99, 1.0, 1.99, 2.0)]
    assert heights == pytest.approx([0, 0, 5, 5, 1])


def test_a_turn_runs_at_an_even_rate_along_the_shorter_arc(tmp_path: Path) -> None:
    # The second quaternion is written with the other sign: the same rotation, a quarter turn about y.
    tiny = clip(wedge(), "Turn", (0, "rotation", [0, 3], [[0, 0, 0, 1], [0, -HALF, 0, -HALF]]))
    moving = opened(tiny, tmp_path)
    for third in (1, 2):
        a = math.radians(30 * third)
        x, y, z = POINTS.T
        turned = np.stack([x * math.cos(a) + z * math.sin(a), y, -x * math.sin(a) + z * math.cos(a)], axis=-1)
        assert at(moving, "Turn", float(third)) == pytest.approx(turned, abs=1e-6)


number = st.floats(-3, 3)


@given(st.tuples(number, number, number, number), st.floats(0.1, 4), st.floats(0, 1))
def test_a_cubic_spline_is_the_cubic_with_those_ends_and_tangents(
    ends: tuple[float, float, float, float], span: float, u: float
) -> None:
    start, leaving, arriving, end = ends
    values = np.array([[0, 0, 0], [start] * 3, [leaving] * 3, [arriving] * 3, [end] * 3, [0, 0, 0]])
    channel = Channel(0, "translation", "CUBICSPLINE", np.array([0.0, span]), values)
    (track,) = tracks_of([channel])
    # The cubic through both ends with both slopes, found by solving for its coefficients.
    powers = np.array(
        [[1, 0, 0, 0], [0, 1, 0, 0], [1, span, span**2, span**3], [0, 1, 2 * span, 3 * span**2]]
    )
    a = np.linalg.solve(powers, [start, leaving, end, arriving])
    t = u * span
    assert track.at(np.array([t]))[0, 0, 0] == pytest.approx(a @ [1, t, t * t, t**3], abs=1e-6)


def test_skinned_vertices_follow_their_joints_by_weight(tmp_path: Path) -> None:
    shared = f4([[0.5, 0.5, 0, 0]] * 6)
    whole, mixed = opened(skinned(), tmp_path), opened(skinned(shared), tmp_path)
    front = POINTS[:, 2] > 0
    assert at(whole, "Bend", 1.0) == pytest.approx(POINTS + np.outer(front, (0, 3, 0)))
    assert at(mixed, "Bend", 1.0) == pytest.approx(POINTS + f4((0, 1.5, 0)))


def test_each_part_knows_the_joint_that_its_vertices_hang_on(tmp_path: Path) -> None:
    moving = opened(skinned(), tmp_path)
    names = [moving.document.nodes[j].name for j in moving.pieces[0].joint]
    assert names == ["Back.L"] * 4 + ["Head.R"] * 2


def test_vertices_without_weights_follow_the_nearest_that_have_some(tmp_path: Path) -> None:
    front = (POINTS[:, 2] > 0).astype(np.float32)
    weights = np.stack([1 - front, front, 0 * front, 0 * front], axis=-1)
    for nothing in (0.0, np.nan):
        weights[5] = nothing
        moving = opened(skinned(weights), tmp_path)
        assert at(moving, "Bend", 1.0) == pytest.approx(POINTS + np.outer(front, (0, 3, 0)))


def morphed() -> Tiny:
    tiny = wedge()
    primitive(tiny)["targets"] = [
        {"POSITION": tiny.add(f4([[0, 1, 0]] * 6))},
        {"POSITION": tiny.add(f4([[1, 0, 0]] * 6))},
    ]
    tiny.json["meshes"][0]["weights"] = [0.0, 0.5]
    return clip(tiny, "Swell", (0, "weights", [0, 1], [[0, 0], [1, 2]]))


def test_morph_targets_are_added_as_far_as_they_are_on(tmp_path: Path) -> None:
    moving = opened(morphed(), tmp_path)
    assert at(moving, REST, 0.0) == pytest.approx(POINTS + f4((0.5, 0, 0)))
    assert at(moving, "Swell", 0.5) == pytest.approx(POINTS + f4((1.0, 0.5, 0)))
    assert at(moving, "Swell", 1.0) == pytest.approx(POINTS + f4((2.0, 1.0, 0)))


def test_a_node_given_as_a_matrix_keeps_its_shear_where_nothing_moves_it(tmp_path: Path) -> None:
    sheared = np.eye(4)
    sheared[0, 1], sheared[1, 3] = 0.5, 2.0
    tiny = sliding()
    tiny.json["nodes"] = [{"children": [1]}, {"mesh": 0, "matrix": sheared.T.reshape(-1).tolist()}]
    moving = opened(tiny, tmp_path)
    placed = POINTS @ sheared[:3, :3].T + sheared[:3, 3]
    assert at(moving, REST, 0.0) == pytest.approx(placed)
    assert at(moving, "Slide", 1.0) == pytest.approx(placed + f4((2, 0, 0)))


def test_normals_turn_with_their_joints_and_have_length_one(tmp_path: Path) -> None:
    tiny = clip(skinned(), "Tip", (1, "rotation", [0, 1], [[0, 0, 0, 1], [HALF, 0, 0, HALF]]))
    (part,) = opened(tiny, tmp_path).parts_at("Tip", 1.0)
    assert part.normals is not None
    assert part.normals[0] == pytest.approx((0, 0, 1), abs=1e-6)
    assert part.normals[5] == pytest.approx((0, 1, 0), abs=1e-6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(("Bend", REST)), st.floats(-1, 3))
def test_parts_faces_and_vertices_are_the_same_at_all_times(tmp_path: Path, name: str, time_s: float) -> None:
    path = tmp_path / "model.gltf"
    moving = open_moving(path if path.exists() else skinned().write(path))
    first, now = moving.parts_at(REST, 0.0), moving.parts_at(name, time_s)
    assert [p.name for p in first] == [p.name for p in now]
    for a, b in zip(first, now, strict=True):
        assert (a.faces == b.faces).all()
        assert a.vertices.shape == b.vertices.shape
        assert np.isfinite(b.vertices).all()


def test_what_shrinks_to_nothing_keeps_its_triangles_and_finite_normals(tmp_path: Path) -> None:
    tiny = clip(skinned(), "Shrink", (1, "scale", [0, 1], [[1, 1, 1], [0, 0, 0]]))
    moving = opened(tiny, tmp_path)
    (part,) = moving.parts_at("Shrink", 1.0)
    assert len(part.faces) == len(moving.parts_at(REST, 0.0)[0].faces)
    assert part.vertices[:4] == pytest.approx(0.0)
    assert part.normals is not None
    assert np.linalg.norm(part.normals, axis=1) == pytest.approx(1.0)


def test_clips_of_one_name_are_told_apart(tmp_path: Path) -> None:
    tiny = sliding()
    for height in (5, 6):
        clip(tiny, "Slide", (0, "translation", [0, 1], [[0, 0, 0], [0, height, 0]]))
    clip(tiny, "Slide (2)", (0, "translation", [0, 1], [[0, 0, 0], [0, 7, 0]]))
    moving = opened(tiny, tmp_path)
    assert len({c.name for c in moving.clips}) == 4
    assert [c.name for c in moving.clips][:3] == ["Slide", "Slide (2)", "Slide (3)"]
    assert at(moving, "Slide (2)", 1.0)[0, 1] == pytest.approx(5)


def test_names_in_any_script_stay_as_they_are(tmp_path: Path) -> None:
    moving = opened(clip(wedge(), "Бег 走る\n", (0, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]])), tmp_path)
    assert [c.name for c in moving.clips] == ["Бег 走る"]
    with pytest.raises(AssetError, match="Бег"):
        moving.clip("Run")


def bad(values: object, times: object = (0, 1), path: str = "translation", how: str = "LINEAR") -> Tiny:
    return clip(sliding(), "Bad", (0, path, times, values), interpolation=how)


@pytest.mark.parametrize(
    ("tiny", "words"),
    [
        (bad([[0, 0, 0], [np.nan, 0, 0]]), "not finite"),
        (bad([[0, 0, 0], [1, 0, 0]], times=(np.nan, 1)), "not finite"),
        (bad([[0, 0, 0], [1, 0, 0]], times=(0.5, 0.5)), "no time"),
        (bad([[0, 0, 0], [1, 0, 0]], times=(1, 0)), "back in time"),
        (bad([[0, 0, 0]]), "numbers"),
        (bad([[0, 0, 0, 0], [0, 0, 0, 1]], path="rotation"), "length 0"),
        (bad([[0, 0, 0], [1, 0, 0]], how="BOUNCY"), "BOUNCY"),
        (bad([[0, 0, 0], [1, 0, 0]], how="CUBICSPLINE"), "numbers"),
        (bad([1, 2], path="weights"), "moves nothing"),
    ],
)
def test_a_clip_that_cannot_be_played_is_left_out_with_the_reason(
    tmp_path: Path, tiny: Tiny, words: str
) -> None:
    moving = opened(tiny, tmp_path)
    assert [c.name for c in moving.clips] == ["Slide"]
    assert words in moving.left_out["Bad"]


def refusal(path: Path) -> str:
    with pytest.raises(AssetError) as caught:
        open_moving(path)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
    return sentence


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    whole = sliding().glb()
    path = tmp_path / "model.glb"
    path.write_bytes(whole)
    assert open_moving(path).clips
    for length in range(0, len(whole) - 1, 131):
        path.write_bytes(whole[:length])
        refusal(path)


def test_nodes_in_a_circle_are_refused(tmp_path: Path) -> None:
    tiny = sliding()
    tiny.json["nodes"] = [{"mesh": 0, "children": [1]}, {"children": [0]}]
    assert "circle" in refusal(tiny.write(tmp_path / "model.gltf"))


def test_a_model_of_no_size_is_refused(tmp_path: Path) -> None:
    tiny = sliding()
    tiny.json["nodes"][0]["scale"] = [0, 0, 0]
    assert "no finite size" in refusal(tiny.write(tmp_path / "model.gltf"))


def test_seven_million_vertices_are_refused_before_they_are_read(tmp_path: Path) -> None:
    tiny = sliding()
    tiny.json["accessors"].append({"componentType": 5126, "count": 7_000_000, "type": "VEC3"})
    primitive(tiny)["attributes"]["POSITION"] = len(tiny.json["accessors"]) - 1
    assert "7,000,000 vertices" in refusal(tiny.write(tmp_path / "model.gltf"))


def test_a_texture_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    tiny = sliding()
    tiny.json["images"] = [{"bufferView": tiny.add_bytes(png()[:30])}]
    tiny.json["textures"] = [{"source": 0}]
    tiny.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    assert "cannot be decoded" in refusal(tiny.write(tmp_path / "model.gltf"))


def test_a_model_without_materials_is_posed_all_the_same(tmp_path: Path) -> None:
    tiny = sliding()
    del tiny.json["materials"]
    del primitive(tiny)["material"]
    (part,) = opened(tiny, tmp_path).parts_at("Slide", 1.0)
    assert part.material.name == "no material"


def test_materials_without_a_name_bear_their_number(tmp_path: Path) -> None:
    tiny = sliding()
    del tiny.json["materials"][0]["name"]
    (part,) = opened(tiny, tmp_path).parts_at(REST, 0.0)
    assert part.material.name == "material 0"
