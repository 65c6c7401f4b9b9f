"""Where files come from: a folder, or an archive that is read without unpacking it anywhere else.

An archive that holds a link, an absolute path, or a path that leaves its folder is refused as a whole.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, Any

from fathom.formats.split_archives import FIRST_PART, is_part, joined
from fathom.records import InputError

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", FIRST_PART)

MAX_RATIO = 500
"""More than any picture, video or table is packed; a member that claims more is a decompression bomb."""

_SMALL = 64 << 20
_CHUNK = 1 << 20
_JUNK = ("__MACOSX/", ".git/")
_UNPACK: dict[str, Any] = {"gz": gzip.open, "tgz": gzip.open, "xz": lzma.open, "bz2": bz2.open}
_DAMAGE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError, KeyError,
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError,
)  # fmt: skip


class Source(ABC):
    """Files by their names relative to one place, with "/" between folders."""

    label: str

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Every file, in order."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Return how many bytes a file has."""

    @abstractmethod
    def copy(self, name: str, target: Path) -> None:
        """Write a copy of a file. Raises InputError where it cannot be read."""

    def path(self, name: str) -> Path | None:
        """Return where a file lies on disk; None within an archive."""
        return None

    def called(self, name: str) -> str:
        """Return what a file is called in messages: its own path, below that of its archive."""
        return f"{self.label}/{name}"

    def close(self) -> None:  # noqa: B027  (a folder has nothing to close)
        """Let go of what is open."""


class Folder(Source):
    """A folder on disk; `only` narrows it to some of its files, `without` is a folder below it to pass over.

    Links are followed only to files in the folder itself, or in the blobs of the download cache that the
    folder is a snapshot of.
    """

    def __init__(self, root: Path, only: tuple[str, ...] = (), without: Path | None = None) -> None:
        self.root = root
        self.label = str(root / only[0] if len(only) == 1 else root)
        self._only = only
        self._without = without.resolve() if without else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every file, in order."""
        if self._only:
            return self._only
        found = []
        for top, folders, files in os.walk(self.root):
            here = Path(top)
            folders[:] = sorted(f for f in folders if not f.startswith(".") and not self._passed(here / f))
            found += [(here / f).relative_to(self.root).as_posix() for f in files if _is_plain(f)]
        return tuple(sorted(found))

    @cached_property
    def allowed(self) -> Path:
        """The folder that no link may leave: the folder itself, or the cache that it is a snapshot of."""
        for above in self.root.absolute().parents:
            if above.name == "snapshots" and (above.parent / "blobs").is_dir():
                return above.parent.resolve()
        return self.root.resolve()

    def called(self, name: str) -> str:
        """Return a file's own path."""
        return str(self.root / name)

    def _passed(self, folder: Path) -> bool:
        return self._without is not None and folder.resolve() == self._without

    def path(self, name: str) -> Path:
        """Return where a file lies. Raises InputError for one that leads out of the folder."""
        path = self.root / name
        if not path.resolve().is_relative_to(self.allowed):
            raise InputError(f"{path}: leads out of {self.allowed}; put the file itself there")
        return path

    def size(self, name: str) -> int:
        """Return how many bytes a file has."""
        return self.path(name).stat().st_size

    def copy(self, name: str, target: Path) -> None:
        """Write a copy of a file."""
        try:
            shutil.copyfile(self.path(name), target)
        except OSError as e:
            if no_room(e):
                raise
            raise InputError(f"{self.root / name}: cannot be copied ({e.strerror or e}); fix that") from e


class Archive(Source):
    """A zip or tar archive: the size of each member and the bytes it takes, and how a member is opened."""

    def __init__(
        self,
        path: Path,
        members: dict[str, tuple[int, int]],
        open_member: Callable[[str], IO[bytes]],
        close: Callable[[], None],
    ) -> None:
        self.label = str(path)
        self._members = members
        self._open = open_member
        self._close = close

    @property
    def names(self) -> tuple[str, ...]:
        """Every file, in order."""
        return tuple(self._members)

    def close(self) -> None:
        """Let go of the archive."""
        self._close()

    def size(self, name: str) -> int:
        """Return how many bytes a member says that it has."""
        return self._members[name][0]

    def copy(self, name: str, target: Path) -> None:
        """Write a copy of a member. Raises InputError where it is damaged, or a decompression bomb."""
        size, packed = self._members[name]
        if size > _SMALL and size > MAX_RATIO * packed:
            raise InputError(
                f"{self.label}: {name!r} would unpack from {packed:,} to {size:,} bytes, which no real file "
                "does; get the archive from where it was published"
            )
        try:
            with self._open(name) as source, target.open("wb") as out:
                left = size
                while left and (data := source.read(min(_CHUNK, left))):
                    left -= len(data)
                    out.write(data)
            if left:
                raise EOFError(f"{left:,} bytes are missing")
        except _DAMAGE as e:
            if no_room(e):
                raise
            target.unlink(missing_ok=True)
            raise _damaged(self.label, e, repr(name)) from e


def open_source(path: Path, work: Path, without: Path | None = None) -> Source:
    """Return the folder, the archive, or the single file at `path`.

    `work` is a folder for the time of the import: what is packed as one stream is unpacked there once.
    Raises InputError where there is nothing, or an archive that is damaged or would leave its folder.
    """
    if path.is_dir():
        return Folder(path, without=without)
    if not path.is_file():
        raise InputError(
            f"{path}: expected a folder, a file or an archive, but there is none; check the path"
        )
    if not is_archive(path.name) and not is_part(path.name):
        return Folder(path.parent, only=(path.name,))
    try:
        if is_part(path.name):
            return _zip(path, joined(path))
        return _zip(path) if path.suffix.lower() == ".zip" else _tar(path, work)
    except _DAMAGE as e:
        raise _damaged(str(path), e) from e


def no_room(error: BaseException) -> bool:
    """Return whether an error is of the disk that is written to, and not of what is read."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


def is_archive(name: str) -> bool:
    """Return whether a file's name is that of an archive."""
    return name.lower().endswith(ARCHIVES)


def _is_plain(name: str) -> bool:
    """Return whether a file is one to list: not hidden, its name readable."""
    return not name.startswith(".") and name.encode("utf-8", "replace").decode() == name


def _damaged(label: str, error: BaseException, member: str = "") -> InputError:
    said = " ".join(str(error).split())[:160] or type(error).__name__
    of = f" ({member})" if member else ""
    if is_part(label):
        of += " (all its parts were read as one file: is the last one there?)"
    return InputError(f"{label}: expected a whole archive, found a damaged one{of}: {said}; fetch it again")


def _safe(name: str, label: str) -> str:
    """Return a member's name without "./". Raises InputError where it would leave the folder."""
    plain = PurePosixPath(name)
    outside = plain.is_absolute() or ".." in plain.parts or "\\" in name or ":" in name.split("/")[0]
    if outside or "\0" in name:
        raise InputError(
            f"{label}: the member {name[:120]!r} would leave the folder; such an archive is refused: get it "
            "from where it was published"
        )
    return plain.as_posix()


def _no_link(name: str, label: str) -> InputError:
    return InputError(
        f"{label}: the member {name[:120]!r} is a link or a device; such an archive is refused: get it from "
        "where it was published"
    )


def _zip(path: Path, parts: IO[bytes] | None = None) -> Archive:
    try:
        archive = zipfile.ZipFile(parts or path)
    except BaseException:
        if parts:
            parts.close()
        raise

    def close() -> None:
        archive.close()
        if parts:
            parts.close()

    members: dict[str, tuple[int, int]] = {}
    infos: dict[str, zipfile.ZipInfo] = {}
    try:
        for info in archive.infolist():
            name = _safe(info.filename, str(path))
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _no_link(info.filename, str(path))
            if not info.is_dir() and not name.startswith(_JUNK):
                members[name] = (info.file_size, info.compress_size)
                infos[name] = info
    except BaseException:
        close()
        raise
    return Archive(path, members, lambda name: archive.open(infos[name]), close)


def _tar(path: Path, work: Path) -> Archive:
    plain = path if path.suffix.lower() == ".tar" else _unpacked(path, work)
    archive = tarfile.open(plain, mode="r:")  # noqa: SIM115  (open for as long as the import lasts)
    members: dict[str, tuple[int, int]] = {}
    infos: dict[str, tarfile.TarInfo] = {}
    try:
        for info in archive:
            name = _safe(info.name, str(path))
            if not info.isreg() and not info.isdir():
                raise _no_link(info.name, str(path))
            if info.isreg() and not name.startswith(_JUNK):
                members[name] = (info.size, max(1, info.size))
                infos[name] = info
    except BaseException:
        archive.close()
        raise

    def member(name: str) -> IO[bytes]:
        stream = archive.extractfile(infos[name])
        if stream is None:
            raise KeyError(name)
        return stream

    return Archive(path, members, member, archive.close)


def _unpacked(path: Path, work: Path) -> Path:
    """Return the tar within a compressed one, which can be read at any place."""
    work.mkdir(parents=True, exist_ok=True)
    target = work / f"{path.name}.tar"
    most = max(_SMALL, MAX_RATIO * path.stat().st_size)
    name = path.name.lower()
    opened: IO[bytes] = _UNPACK[name.rpartition(".")[2]](path)
    with opened as source, target.open("wb") as out:
        written = 0
        while data := source.read(_CHUNK):
            written += len(data)
            if written > most:
                raise InputError(f"{path}: would unpack to more than {most:,} bytes, which no real file does")
            out.write(data)
    return target
