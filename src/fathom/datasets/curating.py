"""The quality classifier trained from what people decided about the objects of a dataset.

The pictures are the previews that a build keeps of everything that it drew, which are what a build grades as
well; of other datasets they are the first frames of the views.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from fathom.curation.classifier import Accuracy, LabelledObject, Training, train_classifier
from fathom.curation.measuring import MeasuredObject
from fathom.curation.pixels import Picture
from fathom.curation.training import TrainingSettings
from fathom.curation.verdicts import labels, read_verdicts
from fathom.datasets.generators.animated_curation import PICTURED, PREVIEWS
from fathom.datasets.generators.animated_objects import MEASURED
from fathom.media.video import read_frames
from fathom.pages.tables import per_cent
from fathom.records import InputError
from fathom.store.datasets import Dataset
from fathom.store.files import read_jsonl
from fathom.store.subjects import Subject, subjects_of

Say = Callable[[str], None]


def train_on(
    dataset: Dataset,
    verdicts: Path,
    clip: Path,
    out: Path,
    settings: TrainingSettings,
    say: Say = lambda text: None,
) -> Training:
    """Return what was trained on the verdicts of people on objects of a dataset; started again it carries on.

    Raises InputError where a verdict names an object that has no pictures, or there is too little to learn
    from.
    """
    return train_classifier(examples_of(dataset, labels(read_verdicts(verdicts))), clip, out, settings, say)


def examples_of(dataset: Dataset, keep: Mapping[str, bool]) -> list[LabelledObject]:
    """Return the objects that people decided about, with their pictures."""
    previews = {p.stem: p for p in (dataset.path / PREVIEWS).glob("*.png")}
    shown = {} if previews else {o.id: o for o in subjects_of(dataset)}
    unknown = sorted(keep.keys() - previews.keys() - shown.keys())
    if unknown:
        raise InputError(
            f"{dataset.path}: has no pictures of {len(unknown)} objects that there are verdicts on "
            f"({', '.join(unknown[:3])}{' …' if len(unknown) > 3 else ''}); give the dataset that they are "
            "about"
        )
    assets = _assets(dataset)
    return [
        LabelledObject(
            name=name,
            keep=kept,
            pictures=partial(preview_pictures, previews[name])
            if previews
            else partial(_first_frames, dataset, shown[name]),
            asset=assets.get(name, ""),
        )
        for name, kept in sorted(keep.items())
    ]


def preview_pictures(path: Path) -> list[Picture]:
    """Return the pictures of an object that stand side by side in its preview."""
    from PIL import Image

    with Image.open(path) as strip:
        pixels = np.asarray(strip.convert("RGB"), dtype=np.uint8)
    return np.split(pixels, PICTURED, axis=1)


def _first_frames(dataset: Dataset, shown: Subject) -> Iterator[Picture]:
    from PIL import Image

    for media in shown.media:
        if media.kind == "video" and not media.stills:
            yield from read_frames(dataset.media_path(media), [0])
            continue
        first = min(media.stills, default=0)
        data = dataset.still_bytes(media.id, first) if media.stills else dataset.media_bytes(media.id)
        with Image.open(io.BytesIO(data)) as picture:
            yield np.asarray(picture.convert("RGB"), dtype=np.uint8)


def _assets(dataset: Dataset) -> dict[str, str]:
    path = dataset.path / MEASURED
    return {m.name: m.asset for m in read_jsonl(path, MeasuredObject)} if path.is_file() else {}


def training_text(training: Training) -> str:
    """Return in words what was learnt from what, and how good it is on what it had not seen."""
    lines = [
        f"learnt from {training.kept + training.rejected} objects: {training.kept} kept, {training.rejected} "
        f"rejected; loss {training.losses[0]:.3f} to {training.losses[-1]:.3f}"
    ]
    for what, found in (
        ("right on objects of assets that it had not seen", training.accuracy),
        ("of those that people kept", training.accuracy_kept),
        ("of those that people rejected", training.accuracy_rejected),
    ):
        if found is not None:
            lines.append(f"{what}: {_share(found)}")
    lines.append(f"always the commoner answer: {per_cent(training.chance)} %")
    return "\n".join(lines)


def _share(found: Accuracy) -> str:
    return f"{per_cent(found.value)} % ({per_cent(found.low)} to {per_cent(found.high)}), n = {found.n}"
