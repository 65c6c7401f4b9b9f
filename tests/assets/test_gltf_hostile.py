"""Whatever a file from outside holds, the reader answers with a model or with one AssetError."""

from __future__ import annotations

import json
import os
import signal
import struct
import zlib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fathom.assets.gltf import LIMITS, FileLimits, decoders, read_document, still_parts
from fathom.assets.gltf.draco import decoded
from fathom.assets.gltf.limits import BrokenError
from fathom.records import AssetError
from tests.assets.tiny_gltf import POINTS, Tiny, f4, png, u2, wedge

SMALL = FileLimits(
    file_bytes=2**20, triangles=20_000, vertices=60_000, decoded_bytes=2**24, decoder_seconds=20
)


def refusal(path: Path, folder: Path | None = None, limits: FileLimits = LIMITS) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(AssetError) as caught:
        still_parts(read_document(path, folder, limits))
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
    assert len(sentence) < 600
    return sentence


def changed(folder: Path, change: Callable[[Tiny], object]) -> str:
    return refusal(wedge(change).write(folder / "model.gltf"))


def primitive(t: Tiny) -> Any:
    return t.json["meshes"][0]["primitives"][0]


def test_a_file_that_is_cut_short_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    whole = wedge().glb()
    path = tmp_path / "model.glb"
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        refusal(path)
    path.write_bytes(whole[:-40])
    assert "cut short" in refusal(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b"PK\x03\x04 not a model", "neither"),
        (b"{", "JSON"),
        (b"[]", "neither"),
        (b"{}", "asset"),
        (b'{"asset": {"version": "1.0"}}', "version 2"),
        (b'{"asset": {"version": "2.0"}, "nodes": "all"}', "nodes"),
        (b'{"asset": {"version": "2.0"}}', "no triangles"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"name": "\xff\xfe"}]}', "JSON"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [NaN, 0, 0]}]}', "JSON"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [1e999, 0, 0]}]}', "JSON"),
        (b'{"asset": {"version": "2.0"}, "extras": ' + b"[" * 200_000, "nested"),
        (struct.pack("<4sII", b"glTF", 1, 20) + b"\0" * 8, "version 2"),
        (struct.pack("<4sIIII", b"glTF", 2, 28, 8, 0x004E4942) + b"\0" * 8, "JSON chunk"),
        (struct.pack("<4sIIII", b"glTF", 2, 28, 2**31, 0x4E4F534A) + b"\0" * 8, "cut short"),
    ],
)
def test_what_is_no_gltf_2_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "model.gltf"
    path.write_bytes(data)
    assert words in refusal(path)


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.glb")
    (tmp_path / "folder.glb").mkdir()
    assert "ordinary" in refusal(tmp_path / "folder.glb")
    os.mkfifo(tmp_path / "pipe.glb")
    assert "ordinary" in refusal(tmp_path / "pipe.glb")


def test_positions_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    for bad in (np.nan, np.inf):
        points = POINTS.copy()
        points[3, 1] = bad
        change = lambda t, p=points: primitive(t)["attributes"].update(POSITION=t.add(p))
        assert "not finite" in changed(tmp_path, change)


def test_a_model_without_any_area_is_refused(tmp_path: Path) -> None:
    on_a_line = np.linspace((0, 0, 0), (1, 2, 3), 6).astype(np.float32)
    for points in (np.zeros_like(POINTS), on_a_line):
        change = lambda t, p=points: primitive(t)["attributes"].update(POSITION=t.add(p))
        assert "area" in changed(tmp_path, change)
    assert "area" in changed(tmp_path, lambda t: t.json["nodes"][0].update(scale=[0, 0, 0]))


def test_an_index_without_a_vertex_is_refused(tmp_path: Path) -> None:
    change = lambda t: primitive(t).update(indices=t.add(u2([0, 1, 6])))
    assert "vertex 6" in changed(tmp_path, change)


def test_an_accessor_that_reaches_too_far_is_refused(tmp_path: Path) -> None:
    for wrong in ({"count": 7}, {"byteOffset": 4}, {"byteOffset": 2**50}):
        change = lambda t, w=wrong: t.json["accessors"][0].update(w)
        assert "beyond" in changed(tmp_path, change)
    view = lambda t: t.json["bufferViews"][0].update(byteLength=10**6)
    assert "beyond" in changed(tmp_path, view)
    backwards = lambda t: t.json["accessors"][0].update(byteOffset=-4)
    assert "byteOffset" in changed(tmp_path, backwards)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: primitive(t).update(indices=99),
        lambda t: primitive(t).update(material=99),
        lambda t: primitive(t)["attributes"].update(POSITION=99),
        lambda t: primitive(t)["attributes"].pop("POSITION"),
        lambda t: primitive(t).update(mode=9),
        lambda t: t.json["accessors"][0].update(bufferView=99),
        lambda t: t.json["accessors"][0].update(componentType=5124),
        lambda t: t.json["accessors"][0].update(type="VEC9"),
        lambda t: t.json["accessors"][0].update(type="VEC2"),
        lambda t: t.json["bufferViews"][0].update(buffer=5),
        lambda t: t.json["bufferViews"][0].update(byteStride=4),
        lambda t: t.json["nodes"][0].update(mesh=3),
        lambda t: t.json["nodes"][0].update(skin=3),
        lambda t: t.json["nodes"][0].update(rotation=[0, 0, 0, 0]),
        lambda t: t.json["nodes"][0].update(matrix=[1.0] * 15),
        lambda t: t.json["nodes"][0].update(translation=[1e308, 1e308, 1e308], scale=[1e308, 1, 1]),
        lambda t: t.json["nodes"][0].update(children=[7]),
        lambda t: t.json.update(scene=4),
        lambda t: t.json.update(scenes=[{"nodes": [4]}]),
    ],
)
def test_what_points_nowhere_is_refused(tmp_path: Path, change: Callable[[Tiny], object]) -> None:
    changed(tmp_path, change)


def test_ten_million_triangles_are_refused_before_they_are_looked_for(tmp_path: Path) -> None:
    def announce(t: Tiny) -> None:
        t.json["accessors"][1].update(count=30_000_000, componentType=5125)

    assert "10,000,000 triangles" in changed(tmp_path, announce)

    def without_data(t: Tiny) -> None:
        announce(t)
        del t.json["accessors"][1]["bufferView"]

    assert "10,000,000 triangles" in changed(tmp_path, without_data)


def test_ten_million_triangles_that_are_there_are_refused_too(tmp_path: Path) -> None:
    t = wedge()
    t.json["accessors"][1].update(count=30_000_000, componentType=5121, bufferView=2)
    t.json["bufferViews"].append({"buffer": 0, "byteOffset": 0, "byteLength": 30_000_000})
    (tmp_path / "model.gltf").write_text(json.dumps(t.with_buffer("zeros.bin")))
    with (tmp_path / "zeros.bin").open("wb") as f:
        f.truncate(30_000_000)
    assert "triangles" in refusal(tmp_path / "model.gltf")


def test_one_mesh_placed_very_often_is_counted_as_often(tmp_path: Path) -> None:
    def repeat(t: Tiny) -> None:
        t.json["nodes"] = [{"mesh": 0} for _ in range(60_000)]
        t.json["scenes"] = [{"nodes": list(range(60_000))}]

    assert "pieces" in changed(tmp_path, repeat)


def test_arrays_that_together_fill_the_memory_are_refused(tmp_path: Path) -> None:
    def pile_up(t: Tiny) -> None:
        for _ in range(200):
            t.json["accessors"].append({"componentType": 5126, "count": 6_000_000, "type": "VEC3"})
            primitive(t).setdefault("targets", []).append({"POSITION": len(t.json["accessors"]) - 1})

    path = wedge(pile_up).write(tmp_path / "model.gltf")
    refusal(path, limits=FileLimits(decoded_bytes=10**7))


def test_files_that_are_too_large_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "model.glb"
    with path.open("wb") as f:
        f.truncate(LIMITS.file_bytes + 1)
    assert "bytes; at most" in refusal(path)


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("../../../../../../etc/passwd", "outside"),
        ("..%2F..%2F..%2Fetc%2Fpasswd", "outside"),
        ("..\\..\\secret.bin", "outside"),
        ("/etc/passwd", "outside"),
        ("file:///etc/passwd", "only files in its folder"),
        ("https://example.org/a.bin", "only files in its folder"),
        ("//example.org/a.bin", "only files in its folder"),
        ("C:\\secret.bin", "only files in its folder"),
        ("link.bin", "outside"),
        ("loop.bin", ""),
        ("absent.bin", "no such file"),
        ("nul%00.bin", "cannot be followed"),
        ("x" * 5000, ""),
        ("data:application/octet-stream;base64,@@@@", "base64"),
        ("data:application/octet-stream;base64", "without data"),
        ("data:,abc", "bytes"),
        ("", "ordinary"),
        ("http://[", "only files"),
    ],
)
def test_nothing_is_read_from_outside_the_folder(tmp_path: Path, uri: str, words: str) -> None:
    (tmp_path / "secret.bin").write_bytes(wedge().data)
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    (folder / "loop.bin").symlink_to(folder / "loop.bin")
    path = folder / "model.gltf"
    path.write_text(json.dumps(wedge().with_buffer(uri)))
    assert words in refusal(path)


def test_a_model_in_a_subfolder_may_use_what_lies_elsewhere_in_the_same_library(tmp_path: Path) -> None:
    (tmp_path / "buffers").mkdir()
    (tmp_path / "cars").mkdir()
    (tmp_path / "buffers" / "a.bin").write_bytes(wedge().data)
    path = tmp_path / "cars" / "model.gltf"
    path.write_text(json.dumps(wedge().with_buffer("../buffers/a.bin")))
    assert still_parts(read_document(path, tmp_path))
    assert "outside" in refusal(path)


@pytest.mark.parametrize(
    "nodes",
    [
        [{"mesh": 0, "children": [0]}],
        [{"mesh": 0, "children": [1]}, {"children": [0]}],
        [{"mesh": 0}, {"children": [2]}, {"children": [1]}],
        [{"mesh": 0}, {"children": [0]}, {"children": [0]}],
    ],
)
def test_nodes_in_a_circle_or_with_two_parents_are_refused(tmp_path: Path, nodes: list[Any]) -> None:
    changed(tmp_path, lambda t: t.json.update(nodes=nodes))


def test_a_very_long_chain_of_nodes_is_followed(tmp_path: Path) -> None:
    nodes: list[dict[str, Any]] = [{"children": [k + 1]} for k in range(20_000)]
    tiny = wedge(lambda t: t.json.update(nodes=[*nodes, {"mesh": 0}]))
    assert still_parts(read_document(tiny.write(tmp_path / "model.gltf")))


def test_extensions_that_change_the_shape_are_refused_by_name(tmp_path: Path) -> None:
    meshopt = ["KHR_meshopt_compression"]
    assert "KHR_meshopt_compression" in changed(tmp_path, lambda t: t.json.update(extensionsRequired=meshopt))


def picture_bomb() -> bytes:
    """Return a PNG of 60,000 × 60,000 black pixels in a few kilobytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 10**6))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (picture_bomb(), "pixels"),
        (png(9000, 1), "9000 × 1"),
        (b"not a picture", "decoded"),
        (png()[:50], "decoded"),
        (b"", "decoded"),
    ],
)
def test_pictures_that_cannot_be_used_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    def paper(t: Tiny) -> None:
        t.json["images"] = [{"bufferView": t.add_bytes(data)}]
        t.json["textures"] = [{"source": 0}]
        t.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}

    assert words in changed(tmp_path, paper)


def test_draco_that_is_garbage_or_hangs_is_refused_and_the_next_file_is_read(tmp_path: Path) -> None:
    good = pytest.importorskip("DracoPy").encode(POINTS, faces=np.array([[0, 1, 2], [3, 4, 5]], np.uint32))
    for bad in (b"", b"DRACO", b"DRACO" + b"\xff" * 200, good[: len(good) // 2]):
        with pytest.raises(BrokenError, match="Draco"):
            decoded(bad, SMALL)
    decoders._child().send_signal(signal.SIGSTOP)
    with pytest.raises(BrokenError, match="Draco"):
        decoded(good, FileLimits(decoder_seconds=0.2))
    assert len(decoded(good, LIMITS)[0]) == 2


def reads_or_refuses(path: Path) -> None:
    try:
        parts = still_parts(read_document(path, limits=SMALL, clips=True))
    except AssetError:
        return
    assert all(np.isfinite(p.vertices).all() for p in parts)
    assert all(len(p.faces) and p.faces.max() < len(p.vertices) for p in parts)


def rich() -> Tiny:
    """Return a wedge with a bit of everything."""

    def enrich(t: Tiny) -> None:
        primitive(t)["attributes"] |= {
            "NORMAL": t.add(np.tile(f4([0, 1, 0]), (6, 1))),
            "TEXCOORD_0": t.add(np.zeros((6, 2), np.float32)),
            "COLOR_0": t.add(np.full((6, 4), 200, np.uint8), normalized=True),
            "JOINTS_0": t.add(np.zeros((6, 4), np.uint8)),
            "WEIGHTS_0": t.add(np.tile(f4([1, 0, 0, 0]), (6, 1))),
        }
        primitive(t)["targets"] = [{"POSITION": t.add(np.ones((6, 3), np.float32))}]
        t.json["meshes"][0]["weights"] = [0.5]
        t.json["images"] = [{"bufferView": t.add_bytes(png())}]
        t.json["textures"] = [{"source": 0}]
        t.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
        t.json["nodes"] = [{"mesh": 0, "skin": 0, "children": [1]}, {"rotation": [0, 0.6, 0, 0.8]}]
        t.json["skins"] = [
            {"joints": [1], "inverseBindMatrices": t.add(np.eye(4, dtype="f4").reshape(1, 16))}
        ]
        times, values = t.add(f4([0, 1])), t.add(np.zeros((2, 3), np.float32))
        channel = {"sampler": 0, "target": {"node": 1, "path": "translation"}}
        t.json["animations"] = [{"samplers": [{"input": times, "output": values}], "channels": [channel]}]

    return wedge(enrich)


RICH = rich().glb()


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, len(RICH) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_bytes_changed_anywhere_raise_nothing_but_asset_errors(
    tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(RICH)
    for place, value in changes:
        data[place] = value
    (tmp_path / "model.glb").write_bytes(data)
    reads_or_refuses(tmp_path / "model.glb")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of everything in a JSON value."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for k, v in below for p in leaves(v, (*path, k)))]


PLACES = leaves(rich().with_buffer("a.bin"))[1:]
ODD: list[Any] = [
    -1, 0, 1, 7, 2**31, 2**60, 1e308, -1e300, 0.5, None, True, "", "x", "data:,x", [], {}, [0], [[0]],
    {"a": 1},
]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(ODD)), min_size=1, max_size=3))
def test_odd_values_anywhere_raise_nothing_but_asset_errors(
    tmp_path: Path, changes: list[tuple[tuple[Any, ...], Any]]
) -> None:
    whole = rich()
    document = whole.with_buffer("a.bin")
    for path, value in changes:
        at: Any = document
        try:
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = deepcopy(value)  # a value put into itself could not be written
        except (KeyError, IndexError, TypeError):
            continue
    (tmp_path / "a.bin").write_bytes(whole.data)
    (tmp_path / "model.gltf").write_text(json.dumps(document))
    reads_or_refuses(tmp_path / "model.gltf")
