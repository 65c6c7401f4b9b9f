"""The pictures that information is extracted of: a folder of files, or a dataset with or without scenes.

A video counts as one picture: of its frames that lie there as pictures, the one in the middle.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fathom.media.images import inspect_image, upright_image
from fathom.records import InputError, Media, Scene, still_path
from fathom.store.datasets import MANIFEST, Dataset, open_dataset
from fathom.store.subjects import subjects_of

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})

SceneAtFrame = Callable[[], Scene]
"""What gives a scene with what its camera sees at one time (`Scene.visibility`)."""

ScenesByFrame = Callable[[Dataset, Scene], Mapping[int, SceneAtFrame]]
"""From a scene that does not say what is seen of it to what is known of that: frame → the scene then."""


@dataclass(frozen=True)
class GivenPicture:
    """One picture: where it lies (None: it was not painted), and its entry.

    `scene` gives the scene that it shows, where that is known; `wrong` says why it cannot be read.
    """

    id: str
    path: Path | None = None
    media: Media | None = None
    scene: SceneAtFrame | None = None
    wrong: str = ""

    def data(self) -> bytes:
        """Return its bytes, the way up that its camera says. Raises InputError where there is no file."""
        if self.path is None:
            raise InputError(f"{self.id}: was not painted; build the dataset with a renderer")
        try:
            return upright_image(self.path.read_bytes(), str(self.path))
        except OSError as e:
            raise InputError(f"{self.path}: cannot be read ({e.strerror}); restore it") from e


def nothing_known(dataset: Dataset, scene: Scene) -> Mapping[int, SceneAtFrame]:
    """Return nothing: what scenes do not say themselves is not looked up."""
    return {}


def pictures_in(
    folder: Path, scenes_by_frame: ScenesByFrame = nothing_known
) -> tuple[str, list[GivenPicture]]:
    """Return what the pictures are known by as a whole, and the pictures in order of their names.

    Raises InputError where there are none.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of pictures or a dataset, but there is none; check it")
    if (folder / MANIFEST).is_file():
        known, found = _of_dataset(folder, scenes_by_frame)
    else:
        known, found = _of_folder(folder)
    if not found:
        raise InputError(
            f"{folder}: has no pictures ({', '.join(sorted(SUFFIXES))}) and no scenes with one camera"
        )
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


def _of_dataset(folder: Path, scenes_by_frame: ScenesByFrame) -> tuple[str, list[GivenPicture]]:
    dataset = open_dataset(folder)
    scenes = {s.id: _by_frame(dataset, s, scenes_by_frame) for s in dataset.scenes()}
    found, painted = [], set[str]()
    for subject in subjects_of(dataset):
        shown = set[int]()
        for media in subject.media:
            frames = scenes.get(media.scene, {})
            if media.kind == "image":
                # Of one view there may be a mirror image, too, which is not what the camera sees.
                scene = None if media.view in shown else frames.get(media.view)
                shown.add(media.view)
                found.append(GivenPicture(media.id, dataset.media_path(media), media, scene))
                painted.add(media.scene)
            elif media.stills:
                found.append(_of_video(dataset, media, frames))
                painted.add(media.scene)
    found += [
        GivenPicture(name, scene=frames[_middle(frames)])
        for name, frames in scenes.items()
        if frames and name not in painted
    ]
    return dataset.manifest.identity, found


def _by_frame(dataset: Dataset, scene: Scene, scenes_by_frame: ScenesByFrame) -> Mapping[int, SceneAtFrame]:
    return {0: lambda: scene} if scene.visibility else scenes_by_frame(dataset, scene)


def _of_video(dataset: Dataset, video: Media, frames: Mapping[int, SceneAtFrame]) -> GivenPicture:
    """Return the frame in the middle of those of a video that lie there as pictures."""
    frame = _middle(video.stills)
    media = Media(
        id=f"{video.id}/frame_{frame:04d}",
        path=still_path(video, frame),
        kind="image",
        size=video.size,
        sha256=video.stills[frame],
        scene=video.scene,
    )
    return GivenPicture(media.id, dataset.media_path(media), media, frames.get(frame))


def _middle(frames: Mapping[int, object]) -> int:
    return sorted(frames)[len(frames) // 2]
