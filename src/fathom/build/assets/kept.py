"""Built-in models that were made before, kept in the user's cache: making all of them takes seconds.

What is kept is found by the hash of the code that makes it, and is made again where it cannot be read.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from fathom.build.assets.model import Material, Model, Part
from fathom.build.render.variants import user_cache
from fathom.records import InputError
from fathom.store.files import write_bytes

_HERE = Path(__file__).parent


class _PartHead(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    material: str
    color: tuple[float, float, float]
    metallic: float
    roughness: float
    clearcoat: float
    emission: float


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    category: str
    subtype: str
    parts: list[_PartHead]


def kept(subtype: str, make: Callable[[], Model]) -> Model:
    """Return the kept model of this subtype; where there is none that is whole, make it and keep it."""
    path = user_cache() / "models" / f"{subtype}-{code_hash()[:16]}.npz"
    try:
        return _read(path.read_bytes())
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, msgspec.MsgspecError):
        model = make()
        with suppress(InputError, OSError):  # a cache that cannot be written is no reason to stop
            write_bytes(path, _written(model))
        return model


@cache
def code_hash() -> str:
    """Return the hash of everything that decides the built-in models' shapes."""
    h = hashlib.sha256(np.__version__.encode())
    for path in sorted([*_HERE.glob("*.py"), *(_HERE / "vehicles").glob("*.py")]):
        h.update(path.name.encode() + b"\\0" + path.read_bytes())
    return h.hexdigest()


def _written(model: Model) -> bytes:
    head = _Head(model.name, model.category, model.subtype, [])
    arrays: dict[str, np.ndarray] = {}
    for k, p in enumerate(model.parts):
        m = p.material
        head.parts.append(
            _PartHead(p.name, m.name, m.color, m.metallic, m.roughness, m.clearcoat, m.emission)
        )
        arrays |= {f"v{k}": p.vertices, f"f{k}": p.faces}
        if p.normals is not None:
            arrays[f"n{k}"] = p.normals
    out = io.BytesIO()
    np.savez(out, head=np.frombuffer(msgspec.json.encode(head), np.uint8), **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def _read(data: bytes) -> Model:
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        head = msgspec.json.decode(found["head"].tobytes(), type=_Head)
        parts = []
        for k, p in enumerate(head.parts):
            material = Material(p.material, p.color, p.metallic, p.roughness, p.clearcoat, p.emission)
            normals = found.get(f"n{k}")
            parts.append(Part(p.name, found[f"v{k}"], found[f"f{k}"], material, normals))
    return Model(head.name, head.category, head.subtype, tuple(parts))
