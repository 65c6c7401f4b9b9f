"""The pictures that information is extracted of: a folder of files, or a dataset with or without scenes.

A video counts as one picture, the frame in its middle: one that lies beside it as a picture, else one that is
decoded and kept (`with_still`).
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fathom.media.images import inspect_image, upright_image
from fathom.media.video import probe, read_frames
from fathom.records import InputError, Media, Scene, still_path
from fathom.store.datasets import MANIFEST, MEDIA_FOLDER, Dataset, has_film, open_dataset
from fathom.store.files import write_bytes
from fathom.store.subjects import subjects_of

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})

SceneAtFrame = Callable[[], Scene]
"""What gives a scene with what its camera sees at one time (`Scene.visibility`)."""

SeenFrom = Mapping[tuple[int, int], SceneAtFrame]
"""View and frame → the scene as it is seen from there at that time; of one camera the view is 0."""

ScenesByCell = Callable[[Dataset, Scene], SeenFrom]
"""From a scene that does not say what is seen of it to what is known of that."""


@dataclass(frozen=True)
class GivenPicture:
    """One picture: where it lies (None: it was not painted), and its entry.

    `scene` gives the scene that it shows at `frame`, where that is known; `wrong` says why it cannot be read.
    `film` is the video of which it is still to be decoded, frame `frame`.
    """

    id: str
    path: Path | None = None
    media: Media | None = None
    scene: SceneAtFrame | None = None
    wrong: str = ""
    frame: int = 0
    film: Path | None = None

    def data(self) -> bytes:
        """Return its bytes, the way up that its camera says. Raises InputError where there is no file."""
        if self.path is None:
            raise InputError(f"{self.id}: was not painted; build the dataset with a renderer")
        try:
            return upright_image(self.path.read_bytes(), str(self.path))
        except OSError as e:
            raise InputError(f"{self.path}: cannot be read ({e.strerror}); restore it") from e


def nothing_known(dataset: Dataset, scene: Scene) -> SeenFrom:
    """Return nothing: what scenes do not say themselves is not looked up."""
    return {}


def pictures_in(folder: Path, scenes_by_cell: ScenesByCell = nothing_known) -> tuple[str, list[GivenPicture]]:
    """Return what the pictures are known by as a whole, and the pictures in order of their names.

    Raises InputError where there are none.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of pictures or a dataset, but there is none; check it")
    if (folder / MANIFEST).is_file():
        known, found = _of_dataset(folder, scenes_by_cell)
    else:
        known, found = _of_folder(folder)
    if not found:
        raise InputError(
            f"{folder}: has no pictures ({', '.join(sorted(SUFFIXES))}) and no scenes of which it is known "
            "what is seen"
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
            check_whole(data, str(path))
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


def check_whole(data: bytes, where: str) -> None:
    """Decode a picture to its end. Raises InputError, with `where`, for one that is cut off or damaged."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as e:
        raise InputError(f"{where}: the picture cannot be decoded ({e}); replace it") from e


def with_still(picture: GivenPicture, out: Path) -> GivenPicture:
    """Return a picture that lies in a file: the frame of a video is decoded, and kept as a PNG in `out`.

    One that was kept before is taken as it is. Where it cannot be decoded, `wrong` says why.
    """
    if picture.film is None or picture.media is None:
        return picture
    from PIL import Image

    path = out / MEDIA_FOLDER / f"{picture.id}.png"
    try:
        if not path.is_file():
            (pixels,) = read_frames(picture.film, [picture.frame])
            coded = io.BytesIO()
            Image.fromarray(pixels).save(coded, "PNG")
            write_bytes(path, coded.getvalue())
        data = path.read_bytes()
        info = inspect_image(data, str(path))
    except (OSError, InputError) as e:
        return replace(picture, wrong=str(e))
    size, digest = (info.width, info.height), hashlib.sha256(data).hexdigest()
    media = Media(id=picture.id, path="", kind="image", size=size, sha256=digest, scene=picture.media.scene)
    return replace(picture, path=path, media=media, film=None)


def _of_dataset(folder: Path, scenes_by_cell: ScenesByCell) -> tuple[str, list[GivenPicture]]:
    dataset = open_dataset(folder)
    scenes = {s.id: _by_cell(dataset, s, scenes_by_cell) for s in dataset.scenes()}
    found, painted = [], set[str]()
    for subject in subjects_of(dataset):
        shown = set[int]()
        for media in subject.media:
            if media.kind == "video" and not media.stills and not has_film(media):
                continue  # listed, and not painted
            cells = scenes.get(media.scene, {})
            painted.add(media.scene)
            if media.kind == "image":
                # Of one view there may be a mirror image, too, which is not what the camera sees.
                scene = None if media.view in shown else cells.get((0, media.view))
                shown.add(media.view)
                found.append(_of_image(dataset, media, scene))
            else:
                found.append(_of_video(dataset, media, _frames(cells, media.view)))
    why = "has no picture or video, and other worlds of the dataset have; paint it, too" if painted else ""
    for name, cells in scenes.items():
        if (frames := _frames(cells, 0)) and name not in painted:
            frame = _middle(frames)
            found.append(GivenPicture(name, scene=frames[frame], frame=frame, wrong=why and f"{name}: {why}"))
    return dataset.manifest.identity, found


def _of_image(dataset: Dataset, media: Media, scene: SceneAtFrame | None) -> GivenPicture:
    path = dataset.media_path(media)
    try:
        check_whole(path.read_bytes(), str(path))
    except (OSError, InputError) as e:
        return GivenPicture(media.id, path, wrong=str(e))
    return GivenPicture(media.id, path, media, scene, frame=media.view)


def _by_cell(dataset: Dataset, scene: Scene, scenes_by_cell: ScenesByCell) -> SeenFrom:
    return {(0, 0): lambda: scene} if scene.visibility else scenes_by_cell(dataset, scene)


def _frames(cells: SeenFrom, view: int) -> Mapping[int, SceneAtFrame]:
    """Return what is known of the frames of a view."""
    return {frame: at for (own, frame), at in cells.items() if own == view}


def _of_video(dataset: Dataset, video: Media, frames: Mapping[int, SceneAtFrame]) -> GivenPicture:
    """Return the frame in the middle of a video: of those that lie there as pictures, else of all.

    Of a scene's frames it is one of which there is truth.
    """
    if video.stills:
        frame = _middle({f: at for f, at in frames.items() if f in video.stills} or video.stills)
        media = Media(
            id=_name(video, frame), path=still_path(video, frame), kind="image", size=video.size,
            sha256=video.stills[frame], scene=video.scene,
        )  # fmt: skip
        path = dataset.media_path(media)
        return GivenPicture(media.id, path, media, frames.get(frame), frame=frame)
    path = dataset.media_path(video)
    try:
        frame = _middle(frames) if frames else (video.frames or probe(path).frames) // 2
    except InputError as e:
        return GivenPicture(video.id, path, wrong=str(e))
    return GivenPicture(_name(video, frame), path, video, frames.get(frame), frame=frame, film=path)


def _name(video: Media, frame: int) -> str:
    return f"{video.id}/frame_{frame:04d}"


def _middle(frames: Mapping[int, object]) -> int:
    return sorted(frames)[len(frames) // 2]
