"""Meshes and clips that are compressed by EXT_meshopt_compression are what they were before."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fathom.assets.gltf.limits import BrokenError
from fathom.assets.gltf.meshopt import decompressed
from fathom.assets.gltf.moving import open_moving
from fathom.records import AssetError
from tests.assets.tiny_gltf import Tiny

PACKED = {
    "positions": (
        "oFcALzAvMF8wMF8vYDBfLy+Q/DA//DAvLy8vLzAvL2AwP/P/Ly8vMC8vMC9gLy/MwAAAYC8vagZWXnXo9eiPDxdWgAgACIeI"
        "8A8IAAiHiAePiA/MwAAADwgIfwAAFwAXMC8XMBhHFzAYGF8XADAXF0gXFxdgGC8YGEcXF0gXFxdgGC8YGBcXABcAAP/wAAAX"
        "FxgXGBeqACBFZHGkcx5AdEtETxYxpA9LRE8WMSQEAA9ENDQAAAAAAFcAZ2hnaB9HaB/4wGgf+Ffn/DA//GhnSPhXWFdY96Aw"
        "P/P/WPdHSEdoZ2gfR2jMwAAAH0doZwAPEA8QGwwQGwUSEBsFART8MBm8EA8LBQYHAgAGy88P/88QDxAbEMzAAAAbDBAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAEgAA"
    ),
    "normals": (
        "oFcAERIREikYEiklPhIpJTl4/DA//BIRFyU5OTo5JWAwP/P/OSUXGBcREhEqFxHMwAAAKhcRAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAEUAf38="
    ),
    "faces": (
        "4fAQADAwAEACMHAAcAKAATCwABBQFlARIGAYYBGQESCgGwBABUABMPUD9QFAcBVgEZARIPskINASQAEwAAAEMP4CSnABMHAS"
        "LBBAATMwIAEQtgB2h1ZneKmGZYlomAFpAAA="
    ),
    "times": ("oAAAATP/wABAIB8QEBAvARiAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA6g=="),
    "turns": (
        "oAEAAEAAAQAAwAD+AAABP//AAIPbeI0eeohWAT//wAAiJCIiIB4c4wEAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAP9/"
    ),
}
"""A bent sheet of 9 by 6 vertices that turns by 90 degrees in 2 s, packed by meshoptimizer's encoder."""

LAYOUT = {
    "positions": (54, 8, "ATTRIBUTES", "NONE", "VEC3", 5123, False),
    "normals": (54, 4, "ATTRIBUTES", "OCTAHEDRAL", "VEC3", 5120, True),
    "faces": (240, 2, "TRIANGLES", "NONE", "SCALAR", 5123, False),
    "times": (9, 4, "ATTRIBUTES", "EXPONENTIAL", "SCALAR", 5126, False),
    "turns": (9, 8, "ATTRIBUTES", "QUATERNION", "VEC4", 5122, True),
}


def sheet(**changed: Any) -> Tiny:
    """Return the sheet as a file whose every buffer view is compressed, with `changed` keys."""
    tiny = Tiny()
    at: dict[str, int] = {}
    for name, (count, stride, mode, filter_, kind, component, normalized) in LAYOUT.items():
        view = tiny.json["bufferViews"][tiny.add_bytes(base64.b64decode(PACKED[name]))]
        packed = {**view, "byteStride": stride, "count": count, "mode": mode, "filter": filter_} | changed
        view |= {"buffer": 1, "byteOffset": 0, "byteLength": count * stride}
        view |= {"extensions": {"EXT_meshopt_compression": packed}}
        view |= {"byteStride": stride} if name in ("positions", "normals") else {}
        accessor = {"bufferView": len(at), "componentType": component, "count": count, "type": kind}
        tiny.json["accessors"].append(accessor | {"normalized": normalized})
        at[name] = len(at)
    corners = {"POSITION": at["positions"], "NORMAL": at["normals"]}
    tiny.json["meshes"][0]["primitives"] = [{"attributes": corners, "indices": at["faces"], "material": 0}]
    sampler = {"input": at["times"], "output": at["turns"], "interpolation": "LINEAR"}
    channel = {"sampler": 0, "target": {"node": 0, "path": "rotation"}}
    tiny.json["animations"] = [{"name": "Turn", "samplers": [sampler], "channels": [channel]}]
    tiny.json["extensionsRequired"] = ["EXT_meshopt_compression", "KHR_mesh_quantization"]
    return tiny


def test_a_compressed_model_is_what_it_was(tmp_path: Path) -> None:
    moving = open_moving(sheet().write(tmp_path / "sheet.gltf"))
    (part,) = moving.parts_at("", 0.0)
    x, y = part.vertices[:, 0] / 1000, part.vertices[:, 1] / 500
    places = list(zip(x.tolist(), y.tolist(), strict=True))
    assert sorted(places) == [(float(i), float(j)) for i in range(9) for j in range(6)]
    assert np.array_equal(part.vertices[:, 2], (x - 4) ** 2 * 300)
    corner = np.stack([x, y], axis=-1)[part.faces]
    assert len({frozenset(face) for face in part.faces.tolist()}) == 80
    assert (np.ptp(corner, axis=1) == 1).all()
    one, other = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    assert (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0] == 1).all()
    slope = np.stack([-(x - 4) * 0.3, 0 * x, 0 * x + 1], axis=-1)
    assert part.normals is not None
    assert np.allclose(part.normals, slope / np.linalg.norm(slope, axis=1, keepdims=True), atol=0.02)
    turned = moving.vertices_at("Turn", 1.0)
    assert np.allclose(turned[:, 0], (part.vertices[:, 0] - part.vertices[:, 1]) * np.sqrt(0.5), atol=1.5)
    assert moving.clip("Turn").duration_s == pytest.approx(2)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"mode": "QUADS"}, "the mode 'QUADS'"),
        ({"filter": "COLOR"}, "the filter 'COLOR'"),
        ({"count": 2**40}, "hold more than"),
        ({"byteStride": 3}, "3 bytes"),
        ({"byteLength": 20}, "end too soon|no attributes of version 0"),
        ({"byteLength": 2**20}, "reaches beyond"),
    ],
)
def test_what_cannot_be_decompressed_is_refused(tmp_path: Path, changed: dict[str, Any], why: str) -> None:
    with pytest.raises(AssetError, match=why):
        open_moving(sheet(**changed).write(tmp_path / "sheet.gltf"))


def test_data_that_were_changed_are_refused_or_read_and_nothing_else_happens() -> None:
    draw = np.random.default_rng(0)
    refused = 0
    for k in range(150):
        name = list(PACKED)[k % len(PACKED)]
        count, stride, mode, filter_ = LAYOUT[name][:4]
        data = np.frombuffer(base64.b64decode(PACKED[name]), np.uint8).copy()
        data[draw.integers(len(data), size=3)] = draw.integers(256, size=3)
        try:
            cut = data[: draw.integers(len(data) // 2, len(data) + 1)].tobytes()
            assert len(decompressed(cut, count, stride, mode, filter_)) == count * stride
        except BrokenError:
            refused += 1
    assert 50 < refused < 150
