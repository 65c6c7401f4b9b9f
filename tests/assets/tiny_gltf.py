"""Tiny glTF files made by hand: a wedge that is longest along z, with its sharp end at +z."""

from __future__ import annotations

import base64
import copy
import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Json = dict[str, Any]
Array = np.ndarray[Any, Any]

POINTS = np.array([(-1, 0, -2), (1, 0, -2), (1, 1, -2), (-1, 1, -2), (-1, 0, 2), (1, 0, 2)], dtype=np.float32)
FACES = np.array(
    [(0, 2, 1), (0, 3, 2), (0, 1, 5), (0, 5, 4), (3, 4, 5), (3, 5, 2), (0, 4, 3), (1, 2, 5)], dtype=np.uint16
)
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}


def f4(values: object) -> Array:
    """Return an array of single floats."""
    return np.asarray(values, dtype=np.float32)


def u2(values: object) -> Array:
    """Return an array of 16-bit indices."""
    return np.asarray(values, dtype=np.uint16)


class Tiny:
    """A file in the making: JSON, and the bytes of its only buffer."""

    def __init__(self) -> None:
        self.data = b""
        self.json: Json = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "wedge", "mesh": 0}],
            "meshes": [{"primitives": []}],
            "materials": [{"name": "paint", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.1, 0.1, 1]}}],
            "accessors": [],
            "bufferViews": [],
        }

    def add(self, values: Array, normalized: bool = False) -> int:
        """Add an accessor over its own buffer view; return its index."""
        flat = values.reshape(len(values), -1)
        accessor: Json = {
            "bufferView": self.add_bytes(np.ascontiguousarray(flat).tobytes()),
            "componentType": _COMPONENTS[flat.dtype.str[1:]],
            "count": len(flat),
            "type": _TYPES[flat.shape[1]],
        }
        self.json["accessors"].append(accessor | ({"normalized": True} if normalized else {}))
        return len(self.json["accessors"]) - 1

    def add_bytes(self, data: bytes) -> int:
        """Add a buffer view; return its index."""
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.data += data + b"\0" * (-len(data) % 4)
        self.json["bufferViews"].append(view)
        return len(self.json["bufferViews"]) - 1

    def primitive(self, **more: Any) -> Json:
        """Add the wedge as a primitive; return its record, to be changed."""
        found: Json = {
            "attributes": {"POSITION": self.add(POINTS)},
            "indices": self.add(FACES.reshape(-1)),
            "material": 0,
            **more,
        }
        self.json["meshes"][0]["primitives"].append(found)
        return found

    def with_buffer(self, uri: str | None = None) -> Json:
        """Return the whole JSON; the buffer's bytes stand in it unless there is a URI."""
        whole = copy.deepcopy(self.json)
        inline = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        whole["buffers"] = [{"byteLength": len(self.data), "uri": inline if uri is None else uri}]
        return whole

    def write(self, path: Path) -> Path:
        """Write a .gltf with everything in it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.with_buffer()))
        return path

    def glb(self) -> bytes:
        """Return the file as GLB."""
        whole = copy.deepcopy(self.json)
        whole["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(whole).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text
        body += struct.pack("<II", len(self.data), 0x004E4942) + self.data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def wedge(change: Callable[[Tiny], object] = lambda t: None) -> Tiny:
    """Return the wedge, after `change` had a go at it."""
    tiny = Tiny()
    tiny.primitive()
    change(tiny)
    return tiny


def png(width: int = 4, height: int = 2, color: tuple[int, int, int] = (200, 10, 10)) -> bytes:
    """Return a plain PNG, its left half black."""
    from PIL import Image

    picture = Image.new("RGB", (width, height), color)
    picture.paste((0, 0, 0), (0, 0, width // 2, height))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
