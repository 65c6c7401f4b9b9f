"""The objects of a dataset, and what models are shown of them."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.tasks import OFFICIAL_VIEWS
from fathom.media.sampling import sample, spread
from fathom.records import DataError, InputError, Media, MediaPart
from fathom.store.datasets import MEDIA, Dataset, has_film
from fathom.store.subjects import Subject, subjects_of


def is_of_objects(dataset: Dataset) -> bool:
    """Return whether a dataset shows objects, each filmed from several directions."""
    if not (dataset.path / MEDIA).is_file():
        return False
    return any(len({m.view for m in each.media if m.kind == "video"}) > 1 for each in subjects_of(dataset))


def views_shown(subject: Subject, views: int) -> tuple[Media, ...]:
    """Return the media of the views that models see, of those of which there are pictures.

    Where as many are shown as the protocol of the benchmark shows, they are the same. Raises InputError where
    there are none.
    """
    seen = [m for m in subject.media if m.stills or has_film(m)]
    if not seen:
        raise InputError(
            f"object {subject.id}: there are no pictures of it for a model to see; build the dataset with a "
            "renderer"
        )
    by_view = {m.view: m for m in seen}
    if views == len(OFFICIAL_VIEWS) and by_view.keys() >= set(OFFICIAL_VIEWS):
        return tuple(by_view[view] for view in OFFICIAL_VIEWS)
    return tuple(seen[i] for i in spread(len(seen), views))


def pictures_of_view(media: Media, frames: int) -> tuple[MediaPart, ...]:
    """Return the pictures that models see of one view: frames of its video, or the picture that it is.

    Raises DataError where a video does not say how many frames it has.
    """
    if media.kind != "video":
        return (MediaPart(media=media.id),)
    if media.frames < 1:
        raise DataError(f"media {media.id!r}: is a video of no frames; build or import the dataset again")
    chosen = sample(media.frames, frames, "floor-step")
    if media.stills and not media.stills.keys() >= set(chosen):
        there = sorted(media.stills)
        chosen = tuple(there[i] for i in sample(len(there), frames, "linspace"))
    return tuple(MediaPart(media=media.id, frame=frame) for frame in chosen)
