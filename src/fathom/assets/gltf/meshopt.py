"""Buffer views that are compressed by EXT_meshopt_compression, read without any library.

Three codings (attributes, lists of triangles, sequences of indices) and three filters, which make rounded
numbers of what was rounded before it was compressed: unit vectors, turns, and numbers with an exponent.

Ref: Khronos glTF, vendor extension EXT_meshopt_compression, appendices A (bitstream) and B (filters).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.limits import BrokenError, shown

Bytes = NDArray[np.uint8]

_ATTRIBUTES, _TRIANGLES, _INDICES = 0xA0, 0xE1, 0xD1
_BLOCK_BYTES, _BLOCK_ROWS, _GROUP = 8192, 256, 16
_TAIL, _TABLE, _PADDING = 32, 16, 4
_FIFO, _WORD = 16, 0xFFFFFFFF

_SHORT = "its meshopt data end too soon"

_PAIRS = ((np.arange(256)[:, None] >> np.array([6, 4, 2, 0])) & 3).astype(np.uint8)
_NIBBLES = ((np.arange(256)[:, None] >> np.array([4, 0])) & 15).astype(np.uint8)
"""What is packed in a byte, the first in its highest bits."""

_PACKED = {1: (4, _PAIRS, 3), 2: (8, _NIBBLES, 15)}
"""Bytes of a group, what each of them holds, and the value that stands for a byte of its own further on."""


def decompressed(data: bytes, count: int, stride: int, mode: str, filter_: str) -> bytes:
    """Return the `count` elements of `stride` bytes that a buffer view holds. Raises BrokenError."""
    if mode == "ATTRIBUTES":
        rows = _attributes(data, count, stride)
        return _filtered(rows, filter_).tobytes()
    if mode not in ("TRIANGLES", "INDICES"):
        raise BrokenError(f"its meshopt data have the mode {shown(mode)}, which is not read")
    if stride not in (2, 4) or filter_ != "NONE":
        raise BrokenError(f"its meshopt indices have {stride} bytes and the filter {shown(filter_)}")
    found = _triangles(data, count) if mode == "TRIANGLES" else _sequence(data, count)
    return np.fromiter(found, np.uint32, count).astype(f"<u{stride}").tobytes()


def _attributes(data: bytes, count: int, stride: int) -> Bytes:
    """Return (count, stride) bytes: differences from row to row, byte by byte, in blocks of groups of 16."""
    if not 4 <= stride <= 256 or stride % 4:
        raise BrokenError(f"its meshopt data have {stride} bytes an element; 4 to 256 in fours are read")
    tail = max(_TAIL, stride)
    if len(data) < 1 + tail or data[0] != _ATTRIBUTES:
        raise BrokenError("its meshopt data are no attributes of version 0, which alone is read")
    packed = np.frombuffer(data, np.uint8)
    rows = np.zeros((count, stride), np.uint8)
    block = min(_BLOCK_BYTES // stride // _GROUP * _GROUP, _BLOCK_ROWS)
    last, at, end = packed[-stride:], 1, len(packed) - tail
    for first in range(0, count, block):
        some = min(block, count - first)
        for byte in range(stride):
            found, at = _differences(packed, at, end, some)
            rows[first : first + some, byte] = last[byte] + np.cumsum(found, dtype=np.uint8)
        last = rows[first + some - 1]
    return rows


def _differences(packed: Bytes, at: int, end: int, rows: int) -> tuple[Bytes, int]:
    """Return the differences (rows,) of one byte over a block, and where the next ones begin."""
    groups = -(-rows // _GROUP)
    heads = _PAIRS[packed[at : at + -(-groups // 4)]][:, ::-1].reshape(-1)
    at += -(-groups // 4)
    found = np.zeros((groups, _GROUP), np.uint8)
    for k, kind in enumerate(heads[:groups].tolist()):
        if kind == 3:
            group, size = packed[at : at + _GROUP], _GROUP
        elif kind:
            size, table, escape = _PACKED[kind]
            group = table[packed[at : at + size]].reshape(-1)
            own = np.flatnonzero(group == escape)
            group[own] = packed[at + size : at + size + len(own)][: len(own)]
            size += len(own)
        else:
            continue
        if at + size > end:
            raise BrokenError(_SHORT)
        found[k], at = group, at + size
    if len(heads) < groups or at > end:
        raise BrokenError(_SHORT)
    flat = found.reshape(-1)[:rows]
    return np.where(flat & 1, ~(flat >> 1), flat >> 1), at


class _Stream:
    """Bytes that are read one after the other, and the index from which the next ones differ."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self._data, self._at, self._end = data, at, end
        self.last = 0

    def byte(self) -> int:
        """Return the next byte."""
        if self._at >= self._end:
            raise BrokenError(_SHORT)
        self._at += 1
        return self._data[self._at - 1]

    def number(self) -> int:
        """Return the next number of up to five bytes, the lowest seven bits first."""
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        return value & _WORD

    def index(self) -> int:
        """Return the index that the next number leads to from the last one."""
        self.last = (self.last + _signed(self.number())) & _WORD
        return self.last


def _signed(number: int) -> int:
    return -(number >> 1) - 1 if number & 1 else number >> 1


def _sequence(data: bytes, count: int) -> Iterator[int]:
    """Yield indices, each told by its difference from one of two that came before."""
    if len(data) < 1 + _PADDING or data[0] != _INDICES:
        raise BrokenError("its meshopt data are no sequence of indices of version 1")
    stream, last = _Stream(data, 1, len(data) - _PADDING), [0, 0]
    for _ in range(count):
        number = stream.number()
        last[number & 1] = (last[number & 1] + _signed(number >> 1)) & _WORD
        yield last[number & 1]


def _triangles(data: bytes, count: int) -> Iterator[int]:
    """Yield the corners of triangles, each told by an edge and vertices that came shortly before."""
    faces = count // 3
    if count % 3 or len(data) < 1 + faces + _TABLE or data[0] != _TRIANGLES:
        raise BrokenError("its meshopt data are no list of triangles of version 1")
    corners = _Corners(_Stream(data, 1 + faces, len(data) - _TABLE), data[-_TABLE:])
    for code in data[1 : 1 + faces]:
        yield from corners.of(code)


class _Corners:
    """The edges and vertices that came last, the latest first, and the first vertex that has not come yet."""

    def __init__(self, stream: _Stream, table: bytes) -> None:
        self._stream, self._table, self._next = stream, table, 0
        self._edges: deque[tuple[int, int]] = deque([(_WORD, _WORD)] * _FIFO, _FIFO)
        self._vertices: deque[int] = deque([_WORD] * _FIFO, _FIFO)

    def of(self, code: int) -> tuple[int, int, int]:
        """Return the corners of the next triangle."""
        a, b, c = self._beside(code) if code < 0xF0 else self._apart(code)
        if _WORD in (a, b, c):
            raise BrokenError("its meshopt triangles use vertices that never came")
        return a, b, c

    def _beside(self, code: int) -> tuple[int, int, int]:
        """Return a triangle on an edge that came before."""
        (a, b), third = self._edges[code >> 4], code & 15
        if third == 0:
            c = self._new()
        elif third < 13:
            c = self._vertices[third]
        else:
            c = self._stream.index() if third == 15 else self._stream.last + (1 if third == 14 else -1)
            self._stream.last = c = c & _WORD
        if third == 0 or third >= 13:
            self._vertices.appendleft(c)
        self._edges.extendleft(((c, b), (a, c)))
        return a, b, c

    def _apart(self, code: int) -> tuple[int, int, int]:
        """Return a triangle on no such edge."""
        if code < 0xFE:
            pair, first = self._table[code & 15], 0
        else:
            pair, first = self._stream.byte(), 0 if code == 0xFE else 15
            if pair == 0:
                self._next = 0
        told, escape = (first, pair >> 4, pair & 15), 15 if code >= 0xFE else _WORD
        # A vertex that is written out is read only after those that are new have got their numbers.
        found = [self._new() if k == 0 else None if k == escape else self._vertices[k - 1] for k in told]
        a, b, c = (self._stream.index() if v is None else v for v in found)
        self._vertices.extendleft(v for k, v in zip(told, (a, b, c), strict=True) if k in (0, escape))
        self._edges.extendleft(((b, a), (c, b), (a, c)))
        return a, b, c

    def _new(self) -> int:
        self._next += 1
        return self._next - 1


def _filtered(rows: Bytes, name: str) -> NDArray[np.generic]:
    """Return what the rows (n, stride) stand for."""
    stride = rows.shape[1]
    if name == "NONE":
        return rows
    if name == "OCTAHEDRAL" and stride in (4, 8):
        return _unit_vectors(rows.view(f"<i{stride // 4}"))
    if name == "QUATERNION" and stride == 8:
        return _turns(rows.view("<i2"))
    if name == "EXPONENTIAL":
        whole = rows.view("<i4")
        found = np.ldexp((whole << 8 >> 8).astype(np.float32), whole >> 24)
        return np.asarray(found, dtype="<f4")
    raise BrokenError(f"its meshopt data have the filter {shown(name)} on {stride} bytes, which is not read")


def _unit_vectors(rows: NDArray[np.signedinteger]) -> NDArray[np.signedinteger]:
    """Return unit vectors of what was folded onto an octahedron (n, 4); the fourth is left as it is."""
    most = np.iinfo(rows.dtype).max
    x, y, one = (rows[:, k].astype(np.float64) for k in range(3))
    z = one - np.abs(x) - np.abs(y)
    back = np.maximum(-z, 0)
    x, y = x - np.where(x >= 0, back, -back), y - np.where(y >= 0, back, -back)
    size = most / np.maximum(np.sqrt(x * x + y * y + z * z), 1e-30)
    found = rows.copy()
    found[:, :3] = np.round(np.stack([x, y, z], axis=1) * size[:, None])
    return found


def _turns(rows: NDArray[np.signedinteger]) -> NDArray[np.signedinteger]:
    """Return quaternions (n, 4) of three of their numbers, the fourth of which says where the largest is."""
    scale = 1 / np.sqrt(2) / (rows[:, 3] | 3)
    three = rows[:, :3] * scale[:, None]
    largest = np.sqrt(np.maximum(1 - (three * three).sum(axis=1), 0))
    found = np.empty_like(rows)
    place = (rows[:, 3].astype(np.int64) & 3)[:, None]
    values = np.round(np.column_stack([largest, three]) * 32767).astype(rows.dtype)
    np.put_along_axis(found, (place + np.arange(4)) & 3, values, axis=1)
    return found
