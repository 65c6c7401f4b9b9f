"""Draco buffers."""

from __future__ import annotations

from importlib.util import find_spec

from fathom.assets.gltf.arrays import Array
from fathom.assets.gltf.decoders import DRACO, unpacked
from fathom.assets.gltf.limits import BrokenError, FileLimits
from fathom.records import missing_extra


def decoded(data: bytes, limits: FileLimits) -> tuple[Array, dict[int, Array]]:
    """Return the faces (m, 3) and the attributes by their unique id, each (n, components).

    Raises BrokenError where the buffer cannot be decoded in time, MissingExtraError without DracoPy.
    """
    if find_spec("DracoPy") is None:
        raise missing_extra("DracoPy", "build", "Reading a Draco-compressed model")
    arrays = dict(unpacked(DRACO, data, limits))
    if "faces" not in arrays:
        raise BrokenError("its Draco data cannot be decoded")
    faces = arrays.pop("faces")
    found = {int(k[1:]): a for k, a in arrays.items()}
    if faces.ndim != 2 or faces.shape[1] != 3 or any(a.ndim != 2 for a in found.values()):
        raise BrokenError("its Draco data hold no triangles")
    return faces, found
