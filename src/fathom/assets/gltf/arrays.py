"""Accessors: typed arrays in stretches of bytes, checked before they are touched."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.container import Container, view_bytes
from fathom.assets.gltf.limits import BrokenError, shown
from fathom.assets.gltf.schema import Accessor, Sparse

Array = NDArray[np.generic]

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass
class Arrays:
    """The accessors of a file, each read once; keeps count of the memory that they take."""

    container: Container
    spent: int = 0
    _read: dict[int, Array] = field(default_factory=dict)

    def accessor(self, index: int) -> Accessor:
        """Return the record of an accessor."""
        accessors = self.container.gltf.accessors
        if index >= len(accessors):
            raise BrokenError(f"accessor {index} is used, but there are {len(accessors)}")
        return accessors[index]

    def spend(self, size: int, what: str) -> None:
        """Count bytes that are about to be taken."""
        self.spent += size
        if self.spent > self.container.limits.decoded_bytes:
            raise BrokenError(
                f"its arrays take more than {self.container.limits.decoded_bytes:,} bytes ({what}); "
                "export a smaller model"
            )

    def read(self, index: int) -> Array:
        """Return an accessor as (count, components); normalised integers as floats in [−1, 1]."""
        if index not in self._read:
            self._read[index] = self._new(index)
        return self._read[index]

    def _new(self, index: int) -> Array:
        record = self.accessor(index)
        if record.type not in _WIDTHS or record.component_type not in _COMPONENTS:
            raise BrokenError(
                f"accessor {index} holds {shown(record.type)} of component type {record.component_type}, "
                "which is not read"
            )
        width, dtype = _WIDTHS[record.type], np.dtype(_COMPONENTS[record.component_type])
        limit = 3 * self.container.limits.triangles
        if record.count > limit:
            raise BrokenError(
                f"accessor {index} announces {record.count:,} elements; at most {limit:,} are read"
            )
        self.spend(record.count * width * max(dtype.itemsize, 4), f"accessor {index}")
        if record.buffer_view is None:
            values = np.zeros((record.count, width), dtype)
        else:
            what = f"accessor {index}"
            values = self._stretch(record.buffer_view, record.byte_offset, record.count, width, dtype, what)
        if record.sparse is not None:
            values = self._replaced(values, record.sparse, index)
        return normalized(values) if record.normalized else values

    def _stretch(
        self, view: int, offset: int, count: int, width: int, dtype: np.dtype[np.generic], what: str
    ) -> Array:
        data, stride = view_bytes(self.container, view)
        item = width * dtype.itemsize
        step = stride or item
        if step < item:
            raise BrokenError(f"{what}: elements of {item} bytes do not fit a stride of {step}")
        if count and offset + (count - 1) * step + item > len(data):
            raise BrokenError(f"{what} reaches beyond the {len(data):,} bytes of buffer view {view}")
        if not count:
            return np.zeros((0, width), dtype)
        strides = (step, dtype.itemsize)
        return np.ndarray((count, width), dtype, buffer=data, offset=offset, strides=strides).copy()

    def _replaced(self, values: Array, sparse: Sparse, index: int) -> Array:
        kind = _COMPONENTS.get(sparse.indices.component_type, "")
        if kind not in ("<u1", "<u2", "<u4") or sparse.count > len(values):
            raise BrokenError(f"accessor {index} has sparse indices that do not fit it")
        what = f"the sparse part of accessor {index}"
        rows = self._stretch(
            sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count, 1, np.dtype(kind), what
        )[:, 0].astype(np.int64)
        if len(rows) and int(rows.max()) >= len(values):
            raise BrokenError(f"{what} replaces element {int(rows.max())} of {len(values)}")
        values[rows] = self._stretch(
            sparse.values.buffer_view,
            sparse.values.byte_offset,
            sparse.count,
            values.shape[1],
            values.dtype,
            what,
        )
        return values


def normalized(values: Array) -> Array:
    """Return integers as the fractions that they stand for; floats as they are."""
    if values.dtype.kind not in "iu":
        return values
    whole = 2 ** (8 * values.dtype.itemsize - (values.dtype.kind == "i")) - 1
    return np.asarray(np.maximum(values.astype(np.float32) / np.float32(whole), np.float32(-1)))


def floats(values: Array, width: int, what: str) -> NDArray[np.float64]:
    """Return (n, width) finite float64. Raises BrokenError otherwise."""
    if values.ndim != 2 or values.shape[1] != width:
        raise BrokenError(f"{what}: expected {width} components an element, found {values.shape[-1]}")
    found = values.astype(np.float64)
    if not np.isfinite(found).all():
        raise BrokenError(f"{what} holds a number that is not finite")
    return found
