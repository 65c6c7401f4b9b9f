"""Files as they lie on disk: GLB and JSON, and the bytes they point to, never outside their folder."""

from __future__ import annotations

import base64
import binascii
import struct
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

import msgspec

from fathom.assets.gltf.ktx2 import BRINGS_IT, EXTENSION, PACKAGE, can_be_read
from fathom.assets.gltf.limits import REMEDY, BrokenError, FileLimits, shown
from fathom.assets.gltf.meshopt import decompressed
from fathom.assets.gltf.schema import READ, SAFE_TO_IGNORE, BufferView, Gltf, MeshoptView, Versioned
from fathom.records import AssetError, InputError
from fathom.store.files import inside, sha256_file

LATER_MESHOPT = "KHR_meshopt_compression"
"""A later form of EXT_meshopt_compression, whose buffers are read by nothing here."""

_MAGIC = b"glTF"
_JSON, _BIN = 0x4E4F534A, 0x004E4942


@dataclass(frozen=True)
class Container:
    """A file that was opened: its JSON, its own bytes, and the folder that its paths may not leave.

    resources, views : what was read from beside it, and the buffer views that were decompressed
    """

    path: Path
    folder: Path
    limits: FileLimits
    gltf: Gltf
    own: bytes | None
    resources: dict[str, bytes] = field(default_factory=dict)
    views: dict[int, bytes] = field(default_factory=dict)


def open_container(path: Path, folder: Path, limits: FileLimits) -> Container:
    """Return the opened file. Raises BrokenError where it is no glTF 2.0 that can be read."""
    data = whole_file(path, limits)
    if not data.strip():
        raise BrokenError("it is empty, with not one byte of a model")
    text, own = _chunks(data) if data[:4] == _MAGIC else (data.removeprefix(b"\xef\xbb\xbf"), None)
    if data[:4] != _MAGIC and text.lstrip()[:1] != b"{":
        raise BrokenError("expected GLB or JSON, but it starts with neither 'glTF' nor '{'")
    try:
        version = msgspec.json.decode(text, type=Versioned).asset.version
        if not version.startswith("2."):
            raise BrokenError(
                f"expected glTF version 2, found {shown(version) if version else 'no asset.version'}"
            )
        gltf = msgspec.json.decode(text, type=Gltf)
    except RecursionError as e:
        raise BrokenError("its JSON is nested too deeply") from e
    except (msgspec.MsgspecError, UnicodeDecodeError) as e:
        raise BrokenError(f"its JSON is not glTF 2.0 ({e})") from e
    for name in gltf.extensions_required:
        if name not in READ and not name.startswith(SAFE_TO_IGNORE):
            raise BrokenError(f"it requires the extension {shown(name)}, which is not read")
        if name == EXTENSION and not can_be_read():
            raise BrokenError(f"it requires {shown(name)}, which the package {PACKAGE} reads: {BRINGS_IT}")
    if len(gltf.nodes) > limits.nodes:
        raise BrokenError(f"it has {len(gltf.nodes):,} nodes; at most {limits.nodes:,} are read")
    return Container(path=path, folder=folder, limits=limits, gltf=gltf, own=own)


def whole_file(path: Path, limits: FileLimits) -> bytes:
    """Return the bytes of an ordinary file that is not too large."""
    try:
        if not path.is_file():
            why = "is not an ordinary file" if path.exists() else "does not exist: there is no such file"
            raise BrokenError(f"{shown(path.name)} {why}")
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise BrokenError(
                f"{shown(path.name)} has {size:,} bytes; at most {limits.file_bytes:,} are read"
            )
        return path.read_bytes()
    except OSError as e:
        raise BrokenError(f"{shown(path.name)} cannot be read ({e.strerror or e})") from e


def _chunks(data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON and the binary chunk of a GLB file."""
    if len(data) < 20:
        raise BrokenError(f"it is cut short: a GLB file has at least 20 bytes, this one {len(data)}")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise BrokenError(f"expected GLB version 2, found {version}")
    if length > len(data):
        raise BrokenError(f"it is cut short: {length:,} bytes are announced, {len(data):,} are there")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            raise BrokenError(f"it is cut short: a chunk of {size:,} bytes does not fit into the file")
        found.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if _JSON not in found:
        raise BrokenError("it is a GLB file without a JSON chunk")
    return found[_JSON], found.get(_BIN)


def buffer_bytes(container: Container, index: int) -> bytes:
    """Return the bytes of a buffer."""
    buffers = container.gltf.buffers
    if index >= len(buffers):
        raise BrokenError(f"buffer {index} is used, but there are {len(buffers)}")
    buffer = buffers[index]
    if buffer.uri is None:
        if index or container.own is None:
            if LATER_MESHOPT in container.gltf.extensions_used:
                raise BrokenError(
                    f"its meshes are compressed by {shown(LATER_MESHOPT)} alone, which is not read; "
                    "EXT_meshopt_compression is"
                )
            raise BrokenError(f"buffer {index} has no bytes: neither a path nor a binary chunk")
        data = container.own
    else:
        data = resource(container, buffer.uri, f"buffer {index}")
    if len(data) < buffer.byte_length:
        raise BrokenError(f"buffer {index} should have {buffer.byte_length:,} bytes, but has {len(data):,}")
    return data


def view_bytes(container: Container, index: int) -> tuple[memoryview, int | None]:
    """Return the bytes of a buffer view, and its stride where it gives one."""
    views = container.gltf.buffer_views
    if index >= len(views):
        raise BrokenError(f"buffer view {index} is used, but there are {len(views)}")
    view = views[index]
    if view.extensions.meshopt is not None:
        return memoryview(_decompressed(container, index, view.extensions.meshopt)), view.byte_stride
    return _stretch(container, view, f"buffer view {index}"), view.byte_stride


def _stretch(container: Container, at: BufferView | MeshoptView, what: str) -> memoryview:
    data = buffer_bytes(container, at.buffer)
    if at.byte_offset + at.byte_length > len(data):
        raise BrokenError(f"{what} reaches beyond the {len(data):,} bytes of its buffer")
    return memoryview(data)[at.byte_offset : at.byte_offset + at.byte_length]


def _decompressed(container: Container, index: int, packed: MeshoptView) -> bytes:
    """Return the bytes of a buffer view that is compressed, decompressed once."""
    if index not in container.views:
        size, most = packed.count * packed.byte_stride, container.limits.decoded_bytes
        if size + sum(len(v) for v in container.views.values()) > most:
            raise BrokenError(f"its compressed buffers hold more than {most:,} bytes; export a smaller model")
        data = bytes(_stretch(container, packed, f"the compressed buffer view {index}"))
        container.views[index] = decompressed(
            data, packed.count, packed.byte_stride, packed.mode, packed.filter
        )
    return container.views[index]


def resource(container: Container, uri: str, what: str) -> bytes:
    """Return the bytes behind a URI: written out in it, or a file inside the folder."""
    if uri not in container.resources:
        if uri[:5].lower() == "data:":
            container.resources[uri] = _written_out(uri, what)
        else:
            container.resources[uri] = whole_file(external(container, uri, what), container.limits)
    return container.resources[uri]


def external(container: Container, uri: str, what: str) -> Path:
    """Return the file that a URI names. Raises BrokenError for URLs and for paths that leave the folder."""
    plain = unquote(uri).replace("\\", "/")
    try:
        scheme = urlsplit(uri).scheme
    except ValueError:
        scheme = "?"
    if scheme or plain.startswith("//"):
        raise BrokenError(f"its {what} points to {shown(uri)}; only files in its folder are read")
    try:
        found = inside(container.folder, str(container.path.parent.resolve() / plain))
    except InputError as e:
        raise BrokenError(
            f"its {what} points to {shown(uri)}, outside the folder {container.folder}; put the file inside"
        ) from e
    except (OSError, ValueError, RuntimeError) as e:
        raise BrokenError(f"its {what} has the path {shown(uri)}, which cannot be followed") from e
    if plain.startswith("/"):
        raise BrokenError(f"its {what} has the absolute path {shown(uri)}; only relative paths are read")
    return found


def external_files(container: Container) -> list[Path]:
    """Return the files beside it that a model is made of, sorted."""
    used = [(b.uri, f"buffer {i}") for i, b in enumerate(container.gltf.buffers)]
    used += [(m.uri, f"image {i}") for i, m in enumerate(container.gltf.images)]
    return sorted({external(container, u, w) for u, w in used if u is not None and u[:5].lower() != "data:"})


def resource_hashes(path: Path, folder: Path, limits: FileLimits) -> list[str]:
    """Return the SHA-256 of a model's file, then of the files that it points to. Raises AssetError."""
    try:
        container = open_container(path, folder, limits)
        return [sha256_file(path), *(sha256_file(f) for f in external_files(container))]
    except BrokenError as e:
        raise AssetError(f"{path}: {e}; {REMEDY}") from e


def _written_out(uri: str, what: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma:
        raise BrokenError(f"its {what} is a data URI without data")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        plain = (unquote_to_bytes(body) if "%" in body else body.encode()).rstrip(b"=")
        return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as e:
        raise BrokenError(f"its {what} is not valid base64") from e
