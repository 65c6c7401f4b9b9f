"""Models as GLB files: a node for each part, float32 positions, normals in bytes, arrays that recur once.

Files have +Y up and +Z forward, as glTF says; models have x forward, y left and z up.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Material, Model, Part, Points

GENERATOR = "fathom tools/make_assets.py"
FLOAT, UBYTE = 5126, 5121
_BYTE, _SHORT, _INT = 5120, 5123, 5125
_ARRAYS, _INDICES = 34962, 34963


class Buffer:
    """The views and accessors of a file; the same bytes are written once.

    Views: 0 of positions, 1 of four bytes a vertex, 2 and 3 of corners, 4 of skins and keyframes.
    """

    def __init__(self) -> None:
        self.views: list[bytearray] = [bytearray() for _ in range(5)]
        self.accessors: list[dict[str, Any]] = []
        self._known: dict[tuple[int, bytes], int] = {}

    def accessor(self, view: int, values: NDArray[Any], **more: Any) -> int:
        """Return the number of the accessor of these values."""
        data = values.tobytes()
        if (view, data) not in self._known:
            self._known[view, data] = len(self.accessors)
            at = {"byteOffset": len(self.views[view])} if self.views[view] else {}
            self.accessors.append({"bufferView": view, **at, **more})
            self.views[view] += data
        return self._known[view, data]


def glb_of(model: Model) -> bytes:
    """Return the GLB file of a model. Raises ValueError for what built-in models do not have: textures."""
    buffer, materials = Buffer(), list(dict.fromkeys(p.material for p in model.parts))
    meshes, nodes = [], []
    for k, p in enumerate(model.parts):
        meshes.append({"primitives": [primitive(buffer, p, materials.index(p.material))]})
        nodes.append({"name": p.name, "mesh": k})
    return file(
        {
            "asset": {"version": "2.0", "generator": GENERATOR},
            "scene": 0,
            "scenes": [{"name": model.name, "nodes": list(range(len(nodes)))}],
            "nodes": nodes,
            "meshes": meshes,
            "materials": [material(m) for m in materials],
            "accessors": buffer.accessors,
        },
        buffer.views,
    )


def primitive(buffer: Buffer, p: Part, material: int) -> dict[str, Any]:
    """Return the triangles of a part. Raises ValueError for textures and colours of vertices."""
    if p.uv is not None or p.vertex_colors is not None or p.material.texture is not None:
        raise ValueError(f"{p.name} has a texture or colours of its vertices")
    found: dict[str, Any] = {"attributes": {"POSITION": _positions(buffer, p.vertices)}}
    if p.normals is not None:
        found["attributes"]["NORMAL"] = _normals(buffer, p.normals)
    found["indices"] = _corners(buffer, p.faces, len(p.vertices))
    found["material"] = material
    return found


def turned(vectors: Points) -> Points:
    """Return vectors of a model in the file's frame."""
    return np.asarray(vectors)[..., [1, 2, 0]]


def _positions(buffer: Buffer, vertices: Points) -> int:
    values = np.ascontiguousarray(turned(vertices).astype("<f4"))
    low, high = ([float(str(v)) for v in row] for row in (values.min(axis=0), values.max(axis=0)))
    return buffer.accessor(
        0, values, componentType=FLOAT, count=len(values), type="VEC3", min=low, max=high
    )  # fmt: skip


def _normals(buffer: Buffer, normals: Points) -> int:
    """Return the accessor of normals as normalized bytes, each padded to four as glTF wants it."""
    values = np.zeros((len(normals), 4), np.int8)
    values[:, :3] = np.round(turned(normals) * 127)
    return buffer.accessor(
        1, values, componentType=_BYTE, normalized=True, count=len(values), type="VEC3"
    )  # fmt: skip


def _corners(buffer: Buffer, faces: NDArray[np.int32], vertices: int) -> int:
    small = vertices <= 0xFFFF
    values = np.ascontiguousarray(faces.astype("<u2" if small else "<u4"))
    kind = _SHORT if small else _INT
    return buffer.accessor(2 if small else 3, values, componentType=kind, count=faces.size, type="SCALAR")


def material(m: Material) -> dict[str, Any]:
    linear = [_linear(c) for c in m.color]
    found: dict[str, Any] = {
        "name": m.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*linear, 1.0],
            "metallicFactor": m.metallic,
            "roughnessFactor": m.roughness,
        },
    }
    extensions: dict[str, Any] = {}
    if m.clearcoat:
        extensions["KHR_materials_clearcoat"] = {"clearcoatFactor": m.clearcoat}
    if m.emission:
        found["emissiveFactor"] = [c / max(linear) * min(m.emission, 1.0) for c in linear]
    if m.emission > 1:
        extensions["KHR_materials_emissive_strength"] = {"emissiveStrength": m.emission}
    return {**found, "extensions": extensions} if extensions else found


def _linear(c: float) -> float:
    """Return a component of an sRGB colour as light, both in 0..1."""
    return float(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)


def file(gltf: dict[str, Any], views: list[bytearray]) -> bytes:
    """Return the bytes of a file; views that hold nothing are left out."""
    used = [k for k, v in enumerate(views) if v]
    for a in gltf["accessors"]:
        a["bufferView"] = used.index(a["bufferView"])
    data, records = bytearray(), []
    for k in used:
        record = {"buffer": 0, "byteOffset": len(data), "byteLength": len(views[k])}
        if k < 4:
            record["target"] = _ARRAYS if k < 2 else _INDICES
        records.append(record | ({"byteStride": (12, 4)[k]} if k < 2 else {}))
        data += views[k] + bytes(-len(views[k]) % 4)
    extensions = {e for m in gltf["materials"] for e in m.get("extensions", {})}
    required = (
        ["KHR_mesh_quantization"] if any(a["componentType"] == _BYTE for a in gltf["accessors"]) else []
    )
    used_names = sorted(extensions | set(required))
    gltf = gltf | {"bufferViews": records, "buffers": [{"byteLength": len(data)}]}
    gltf |= {"extensionsUsed": used_names} if used_names else {}
    gltf |= {"extensionsRequired": required} if required else {}
    text = json.dumps(gltf, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks) + len(data)) + chunks + bytes(data)
