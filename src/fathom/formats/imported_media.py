"""The media of an imported dataset: found by name or taken out of tables, hashed, inspected, listed.

What lies in a folder stays there, unless copies are wanted; what stands inside a table or an archive is
written to DATASET/media under its own hash. `Media.path` of the latter begins with "media/", and of nothing
else.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from fathom.formats.import_findings import ImportFindings, LeftOutError
from fathom.formats.lookup import VIDEOS, Lookup, NamedFile
from fathom.formats.sources import Folder, Source, no_room
from fathom.records import InputError, Media, MissingExtraError
from fathom.store.datasets import MEDIA, MEDIA_FOLDER
from fathom.store.files import sha256_file

CONVERTED = "a picture was converted to PNG, every pixel kept"
REFUSED = "a picture or video cannot be used"

WORK = ".importing"
"""The folder, within the dataset, of what is needed only while it is imported."""

MAX_IMAGE_BYTES = 64 << 20
_EXTENSIONS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
_BASE64 = re.compile(r"^(?:data:[\w/+.-]{0,40};base64,)?")


@dataclass(frozen=True)
class VideoFacts:
    """How long a video is, and how large."""

    frames: int
    fps: float
    width: int
    height: int


@dataclass(frozen=True)
class Inspection:
    """How media are looked into; given by whoever may import the packages for it.

    `plain` returns a picture of a kind that models do not take as a PNG with the same pixels, and the name of
    its kind; else the bytes as they are, and "". `image` returns (media type, width, height) of a picture's
    bytes and raises InputError for what is none, or is absurdly large; `video` looks into a file; `mirrored`
    returns the mirror image of a picture.
    """

    image: Callable[[bytes, str], tuple[str, int, int]]
    video: Callable[[Path], VideoFacts]
    mirrored: Callable[[bytes, str], bytes]
    plain: Callable[[bytes, str], tuple[bytes, str]] = lambda data, where: (data, "")


@dataclass(frozen=True)
class Embedded:
    """A picture that stands in the table itself: as bytes, or as base64 text."""

    data: bytes | str


@dataclass(frozen=True)
class SameAs:
    """The media of another row, by that row's index."""

    index: str


Wanted = NamedFile | Embedded | SameAs


class Shelf:
    """Finds, inspects and lists media; `media.jsonl` grows as they are asked for.

    `sources` are looked through in their order, and then the archives that lie in the folders among them.
    """

    def __init__(
        self, out: Path, sources: Sequence[Source], inspect: Inspection, findings: ImportFindings, copy: bool
    ) -> None:
        self.out = out
        self._files = Lookup(sources, out / WORK)
        self._inspect = inspect
        self._findings = findings
        self._copy = copy
        self._found: dict[tuple[int, str], str | LeftOutError] = {}
        self._ids: set[str] = set()
        self._root = next((s for s in sources if isinstance(s, Folder)), None)
        self._stays = False
        self._lines = (out / f".{MEDIA}.part").open("wb")
        self._hash = hashlib.sha256()

    @property
    def media_root(self) -> Path | None:
        """The folder that the paths of media which stayed where they are begin in; None: all were copied."""
        return self._base if self._stays else None

    @cached_property
    def _base(self) -> Path:
        return _root_of(self._root) if self._root else self.out

    def find(self, wanted: NamedFile) -> str:
        """Return the id of a medium by its name. Raises LeftOutError where there is none that can be used."""
        place, name = self._files.locate(wanted)
        key = (place, f"{name}~mirrored" if wanted.mirrored else name)
        if key not in self._found:
            media_id = key[1] if key[1] not in self._ids else f"{key[1]}@{place}"
            try:
                self._found[key] = self._list(self._files.sources[place], name, media_id, wanted)
            except LeftOutError as e:
                self._found[key] = e
        found = self._found[key]
        if isinstance(found, LeftOutError):
            raise LeftOutError(found.reason, found.detail)
        return found

    def keep(self, embedded: Embedded) -> str:
        """Return the id of a picture out of a table, its hash. Raises LeftOutError where it is none."""
        data = embedded.data if isinstance(embedded.data, bytes) else _unpacked(embedded.data)
        media_id = hashlib.sha256(data).hexdigest()[:32]
        if media_id not in self._ids:
            try:
                plain, _ = self._plain(data, "a picture in the table")
                self._write(plain, "a picture in the table", media_id, 0)
            except InputError as e:
                raise LeftOutError(REFUSED, str(e)) from e
        return media_id

    def finish(self) -> str:
        """End media.jsonl and return its hash."""
        self._lines.close()
        (self.out / f".{MEDIA}.part").replace(self.out / MEDIA)
        return self._hash.hexdigest()

    def close(self) -> None:
        """Let go of everything that is open."""
        self._lines.close()
        for source in self._files.sources:
            source.close()

    def _list(self, source: Source, name: str, media_id: str, wanted: NamedFile) -> str:
        """Return the id of a file once it is inspected and listed, and copied where it cannot stay."""
        try:
            path = source.path(name)
            if self._copy or wanted.mirrored or source is not self._root:
                path = None
            if PurePosixPath(name).suffix.casefold() in VIDEOS:
                self._list_video(source, name, path, media_id, wanted.view)
                return media_id
            data, converted = self._plain(self._bytes(source, name), name)
            if path is None or converted:
                shown = self._mirrored(data, name) if wanted.mirrored else data
                self._write(shown, name, media_id, wanted.view)
                return media_id
            _, width, height = self._inspect.image(data, name)
        except InputError as e:
            raise LeftOutError(REFUSED, str(e)) from e
        except OSError as e:
            if no_room(e):
                raise
            raise LeftOutError(REFUSED, f"{name}: {e.strerror or e}") from e
        sha = hashlib.sha256(data).hexdigest()
        place = self._staying(path)
        self._append(
            Media(id=media_id, path=place, kind="image", size=(width, height), sha256=sha, view=wanted.view)
        )
        return media_id

    def _list_video(self, source: Source, name: str, path: Path | None, media_id: str, view: int) -> None:
        lies = path or self._member(source, name)
        size, frames, fps = self._look_into(lies, name)
        sha = sha256_file(lies)
        if path is None:
            place = _place_of(sha, PurePosixPath(name).suffix.casefold())
            self._put(place, lies.replace)
        else:
            place = self._staying(path)
        self._append(
            Media(
                id=media_id,
                path=place,
                kind="video",
                size=size,
                sha256=sha,
                view=view,
                frames=frames,
                fps=fps,
            )
        )

    def _staying(self, path: Path) -> str:
        """Return the path, as it is listed, of a file that stays where it is."""
        self._stays = True
        return Path(os.path.relpath(path, self._base)).as_posix()

    def _member(self, source: Source, name: str) -> Path:
        """Return a copy of a file, for as long as the next is not asked for."""
        work = self.out / WORK
        work.mkdir(parents=True, exist_ok=True)
        part = work / "member"
        source.copy(name, part)
        return part

    def _bytes(self, source: Source, name: str) -> bytes:
        """Return a picture's bytes. Raises InputError where there are more than any picture has."""
        size = source.size(name)
        if size > MAX_IMAGE_BYTES:
            raise InputError(
                f"{name}: the picture has {size:,} bytes, and at most {MAX_IMAGE_BYTES:,} are read; make it "
                "smaller"
            )
        path = source.path(name)
        return (path or self._member(source, name)).read_bytes()

    def _plain(self, data: bytes, where: str) -> tuple[bytes, str]:
        """Return a picture as models take it, and what it was where it was another kind; noted."""
        plain, kind = self._inspect.plain(data, where)
        if kind:
            self._findings.note(CONVERTED, where, kind)
        return plain, kind

    def _mirrored(self, data: bytes, name: str) -> bytes:
        self._inspect.image(data, name)
        return self._inspect.mirrored(data, name)

    def _write(self, data: bytes, where: str, media_id: str, view: int) -> None:
        """Write a picture to DATASET/media and list it. Raises InputError where it is none."""
        mime, width, height = self._inspect.image(data, where)
        sha = hashlib.sha256(data).hexdigest()
        path = _place_of(sha, _EXTENSIONS[mime])
        self._put(path, lambda target: target.write_bytes(data))
        self._append(Media(id=media_id, path=path, kind="image", size=(width, height), sha256=sha, view=view))

    def _look_into(self, path: Path, name: str) -> tuple[tuple[int, int], int, float]:
        try:
            facts = self._inspect.video(path)
        except MissingExtraError as e:
            self._findings.note("videos could not be looked into", name, str(e))
            return (0, 0), 0, 0.0
        return (facts.width, facts.height), facts.frames, facts.fps

    def _put(self, path: str, write: Callable[[Path], object]) -> None:
        target = self.out / path
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        write(part)
        part.replace(target)

    def _append(self, media: Media) -> None:
        line = msgspec.json.encode(media) + b"\n"
        self._ids.add(media.id)
        self._hash.update(line)
        self._lines.write(line)


class NamesOnly(Shelf):
    """Finds media by their names, and neither opens, lists nor copies them: what a dry run needs."""

    def keep(self, embedded: Embedded) -> str:
        """Return the id of a picture out of a table."""
        data = embedded.data if isinstance(embedded.data, bytes) else _unpacked(embedded.data)
        return hashlib.sha256(data).hexdigest()[:32]

    def _list(self, source: Source, name: str, media_id: str, wanted: NamedFile) -> str:
        return media_id


def _place_of(sha: str, suffix: str) -> str:
    return f"{MEDIA_FOLDER}/{sha[:2]}/{sha}{suffix}"


def _root_of(folder: Folder) -> Path:
    """Return the folder that paths begin in, so that none begins with the name of our own media folder."""
    root = Path(os.path.abspath(folder.root))  # noqa: PTH100  (links stay as they are)
    if folder.allowed != folder.root.resolve():
        root = next(above.parent for above in root.parents if above.name == "snapshots")
    first = any(name.startswith(f"{MEDIA_FOLDER}/") for name in folder.names)
    while first and root.parent != root:
        first, root = root.name == MEDIA_FOLDER, root.parent
    return root


def _unpacked(text: str) -> bytes:
    """Return the bytes of base64 text. Raises LeftOutError where it is none."""
    start = _BASE64.match(text[:64])
    body = text[start.end() if start else 0 :]
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        pass
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except (binascii.Error, ValueError) as e:
        raise LeftOutError(REFUSED, f"not base64 ({e}): {text[:40]}") from e
