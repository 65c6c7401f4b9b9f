"""The pictures that information is extracted of: a folder of files, or a dataset with or without scenes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from fathom.media.images import inspect_image
from fathom.records import InputError, Media, Scene
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.subjects import subjects_of

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})


@dataclass(frozen=True)
class GivenPicture:
    """One picture: where it lies (None: it was not painted), its entry, and its scene where that is known.

    `wrong` says why it cannot be read.
    """

    id: str
    path: Path | None = None
    media: Media | None = None
    scene: Scene | None = None
    wrong: str = ""

    def data(self) -> bytes:
        """Return its bytes. Raises InputError where there is no file."""
        if self.path is None:
            raise InputError(f"{self.id}: was not painted; build the dataset with a renderer")
        try:
            return self.path.read_bytes()
        except OSError as e:
            raise InputError(f"{self.path}: cannot be read ({e.strerror}); restore it") from e


def pictures_in(folder: Path) -> tuple[str, list[GivenPicture]]:
    """Return what the pictures are known by as a whole, and the pictures in order of their names.

    Raises InputError where there are none.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of pictures or a dataset, but there is none; check it")
    known, found = _of_dataset(folder) if (folder / MANIFEST).is_file() else _of_folder(folder)
    if not found:
        raise InputError(f"{folder}: has no pictures ({', '.join(sorted(SUFFIXES))}) and no scenes of stills")
    return known, found


def _of_folder(folder: Path) -> tuple[str, list[GivenPicture]]:
    found: list[GivenPicture] = []
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix.casefold() in SUFFIXES and p.is_file()):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if any(p.id == name for p in found[-1:]):
            name = path.relative_to(folder).as_posix()
        try:
            data = path.read_bytes()
            info = inspect_image(data, str(path))
        except (OSError, InputError) as e:
            found.append(GivenPicture(name, path, wrong=str(e)))
            whole.update(f"{name} unreadable\n".encode())
            continue
        digest = hashlib.sha256(data).hexdigest()
        whole.update(f"{name} {digest}\n".encode())
        size = (info.width, info.height)
        media = Media(
            id=name, path=path.relative_to(folder).as_posix(), kind="image", size=size, sha256=digest
        )
        found.append(GivenPicture(name, path, media))
    return whole.hexdigest(), found


def _of_dataset(folder: Path) -> tuple[str, list[GivenPicture]]:
    dataset = open_dataset(folder)
    scenes = {s.id: s for s in dataset.scenes() if s.visibility}
    found, painted = [], set[str]()
    for subject in subjects_of(dataset):
        for media in subject.media:
            if media.kind == "image":
                found.append(
                    GivenPicture(media.id, dataset.media_path(media), media, scenes.get(media.scene))
                )
                painted.add(media.scene)
    found += [GivenPicture(name, scene=s) for name, s in scenes.items() if name not in painted]
    return dataset.manifest.identity, found
