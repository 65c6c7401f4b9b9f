"""Stills and films of a scene on disk, and the records that say where they are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from fathom.media.film import FilmWriter
from fathom.records import InputError, Media, Scene, still_path
from fathom.render.animated import ModelsAt, RenderLook, painted
from fathom.render.tone import png
from fathom.render.variants import Engine
from fathom.render.white_background import WHITE
from fathom.store.datasets import MEDIA_FOLDER, hash_of_stills
from fathom.store.files import sha256_file, write_bytes

FILMS_AT_ONCE = 6
"""So many views are written at a time: each open film holds some tens of frames."""


def media_of(scene: Scene, view: int) -> Media:
    """Return the record of one view's film, still without pictures: `<scene>/view_<k>_rgb_white_bg.mp4`."""
    camera = scene.cameras[view]
    ground = "rgb_white_bg" if scene.environment.name == WHITE else "rgb"
    return Media(
        id=f"{scene.id}/view_{view}",
        path=f"{MEDIA_FOLDER}/{scene.id}/view_{view}_{ground}.mp4",
        kind="video",
        size=(camera.width, camera.height),
        sha256="",
        scene=scene.id,
        view=view,
        frames=len(scene.times_s),
        fps=fps_of(scene),
    )


def fps_of(scene: Scene) -> float:
    """Return the frames a second of a film. Raises InputError where its frames are not evenly spaced."""
    times = scene.times_s
    if len(times) < 2:
        return 1.0
    step = (times[-1] - times[0]) / (len(times) - 1)
    if step <= 0 or any(abs(t - times[0] - k * step) > 1e-3 * step for k, t in enumerate(times)):
        raise InputError(
            f"scene {scene.id}: the times of its frames are not evenly spaced: expected one every {step:g} "
            "s; draw it anew at a constant rate"
        )
    return round(1 / step, 6)


def make_stills(
    out: Path,
    scene: Scene,
    models_at: ModelsAt,
    cells: Mapping[int, Sequence[int]],
    engine: Engine,
    look: RenderLook,
    media_of: Callable[[Scene, int], Media] = media_of,
) -> tuple[Media, ...]:
    """Paint frames of views (view → frames) as PNG into the dataset folder `out`, and return their records.

    `media_of` names the film of a view.

    Raises what painting raises, and InputError where a file cannot be written.
    """
    records = {view: media_of(scene, view) for view in sorted(cells) if cells[view]}
    hashes: dict[int, dict[int, str]] = {view: {} for view in records}
    wanted = [(view, frame) for view in records for frame in cells[view]]
    for (view, frame), pixels in painted(scene, models_at, wanted, engine, look):
        data = png(pixels)
        write_bytes(out / still_path(records[view], frame), data)
        hashes[view][frame] = hashlib.sha256(data).hexdigest()
    return tuple(
        msgspec.structs.replace(media, stills=hashes[view], sha256=hash_of_stills(hashes[view]))
        for view, media in records.items()
    )


def make_film(
    out: Path,
    scene: Scene,
    models_at: ModelsAt,
    views: Sequence[int],
    engine: Engine,
    look: RenderLook,
    media_of: Callable[[Scene, int], Media] = media_of,
) -> tuple[Media, ...]:
    """Paint every frame of these views into films in the dataset folder `out`, and return their records.

    `media_of` names the film of a view.

    Raises what painting raises, and InputError where a file cannot be written.
    """
    ordered = sorted(set(views))
    made = []
    for start in range(0, len(ordered), FILMS_AT_ONCE):
        records = {view: media_of(scene, view) for view in ordered[start : start + FILMS_AT_ONCE]}
        cells = [(view, frame) for view in records for frame in range(len(scene.times_s))]
        with ExitStack() as open_films:
            films = {
                view: open_films.enter_context(FilmWriter(out / m.path, m.fps, m.size))
                for view, m in records.items()
            }
            for (view, _), pixels in painted(scene, models_at, cells, engine, look):
                films[view].add(pixels)
        made += [msgspec.structs.replace(m, sha256=sha256_file(out / m.path)) for m in records.values()]
    return tuple(made)


def joined(records: Iterable[Media]) -> tuple[Media, ...]:
    """Return one record a view of what was made in several goes; a frame made twice is as it was made last.

    A record without stills is a film's, and its hash remains.
    """
    found: dict[str, Media] = {}
    films: dict[str, str] = {}
    for media in records:
        if not media.stills:
            films[media.id] = media.sha256
        before = found[media.id].stills if media.id in found else {}
        stills = dict(sorted({**before, **media.stills}.items()))
        sha256 = films.get(media.id) or hash_of_stills(stills)
        found[media.id] = msgspec.structs.replace(media, stills=stills, sha256=sha256)
    return tuple(found[k] for k in sorted(found, key=lambda k: (found[k].scene, found[k].view)))
