"""Files by their names, as other people's tables write them: with or without folders and extension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fathom.formats.import_findings import LeftOutError
from fathom.formats.sources import Folder, Source, is_archive, open_source
from fathom.records import Media
from fathom.store.datasets import MANIFEST, MEDIA
from fathom.store.files import read_jsonl

MISSING = "a picture or video is missing"
AMBIGUOUS = "several files of one name"

VIDEOS = frozenset({".mp4", ".webm", ".avi", ".mkv", ".mov", ".m4v", ".mpg", ".mpeg"})
_CONVERTED = {".bmp", ".tif", ".tiff", ".avif", ".jp2", ".j2k"}
_SUFFIXES = VIDEOS | {".png", ".jpg", ".jpeg", ".webp", ".gif"} | _CONVERTED
_NO_FOLDER, _ANY_FOLDER = ".", ""


@dataclass(frozen=True)
class NamedFile:
    """A medium by its file's name, with or without folders and extension; the first name found counts.

    Folders that are named must be those of the file, as far as both have any. `mirrored`: the picture is to
    be shown mirrored. `optional`: nothing is said where it is missing.
    """

    names: tuple[str, ...]
    view: int = 0
    mirrored: bool = False
    optional: bool = False


class Lookup:
    """The files of some sources; archives that lie in them are opened only where something is not found.

    In the folder of a dataset of Fathom's own, files are found by the ids of their media as well.
    """

    def __init__(self, sources: Sequence[Source], work: Path) -> None:
        self.sources = list(sources)
        self._work = work
        self._index: dict[str, list[tuple[int, str]]] | None = None
        self._by_id: dict[str, tuple[int, str]] = {}
        self._looked_in_archives = False

    def locate(self, wanted: NamedFile) -> tuple[int, str]:
        """Return which source has the file, and its name there. Raises LeftOutError where none is meant."""
        for name in wanted.names:
            found = self._matches(name)
            if len(found) > 1:
                raise LeftOutError(AMBIGUOUS, f"{name}: {', '.join(n for _, n in found[:3])}")
            if found:
                return found[0]
        if not self._looked_in_archives:
            self._look_in_archives()
            return self.locate(wanted)
        raise LeftOutError(MISSING, wanted.names[0] if wanted.names else "no name is given")

    def _matches(self, name: str) -> list[tuple[int, str]]:
        """Return the files that a name fits, of the first source that has any."""
        if self._index is None:
            self._index = {}
            for place in range(len(self.sources)):
                self._add_to_index(place)
        if name in self._by_id:
            return [self._by_id[name]]
        plain = PurePosixPath(name.replace("\\", "/"))
        if ".." in plain.parts or not plain.name:
            return []
        last, folder = plain.name.casefold(), plain.parent.name.casefold()
        # A file in another folder is not the one that is meant; a file in none may be.
        places = (folder, _NO_FOLDER) if folder else (_ANY_FOLDER,)
        found: list[tuple[int, str]] = []
        for key in (f"{place}/{form}" for place in places for form in (_stem(last), last)):
            found = found or [f for f in self._index.get(key, ()) if _same_folders(f[1], plain)]
        found = [f for f in found if f[0] == found[0][0]]
        exact = [(i, n) for i, n in found if n.rpartition("/")[2].casefold() == last]
        if exact or plain.suffix.casefold() in _SUFFIXES:
            return exact
        return found

    def _add_to_index(self, place: int) -> None:
        """List every file under its name without extension: alone, and with the folder that it is in."""
        if self._index is None:
            return
        for name in self.sources[place].names:
            folders, _, last = name.rpartition("/")
            folder = folders.rpartition("/")[2].casefold() or _NO_FOLDER
            for key in (f"{_ANY_FOLDER}/{_stem(last)}", f"{folder}/{_stem(last)}"):
                self._index.setdefault(key, []).append((place, name))
        self._add_media(place)

    def _add_media(self, place: int) -> None:
        """Note which file each medium of a dataset is, where the source is the folder of one."""
        source = self.sources[place]
        there = set(source.names)
        if isinstance(source, Folder) and {MANIFEST, MEDIA} <= there:
            for media in read_jsonl(source.path(MEDIA), Media):
                if media.path in there:
                    self._by_id.setdefault(media.id, (place, media.path))

    def _look_in_archives(self) -> None:
        """Add the archives that lie in the folders, which are opened only where something is not found."""
        self._looked_in_archives = True
        for folder in [s for s in self.sources if isinstance(s, Folder)]:
            for name in folder.names:
                if is_archive(name) and name.count("/") < 2:
                    self.sources.append(open_source(folder.path(name), self._work))
                    self._add_to_index(len(self.sources) - 1)


def _stem(name: str) -> str:
    """Return a file's name without its extension, in small letters."""
    stem, dot, extension = name.rpartition(".")
    return (stem if dot and stem and len(extension) <= 5 else name).casefold()


def _same_folders(name: str, wanted: PurePosixPath) -> bool:
    """Return whether a file and a wanted path have the same folders, from the end, as far as both go."""
    have = [part.casefold() for part in PurePosixPath(name).parts[:-1]]
    asked = [part.casefold() for part in wanted.parts[:-1] if part != "/"]
    both = min(len(have), len(asked))
    return have[len(have) - both :] == asked[len(asked) - both :]
