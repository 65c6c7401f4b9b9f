"""A classifier that learns from people which objects look good enough.

A CLIP vision encoder sees rendered views of an object; a linear head, and where that is asked for the
encoder's last layers with it, is trained on what people kept and rejected. What an object gets is the mean of
its views' logits. How good the classifier is, is measured by k-fold cross-validation over objects, all
objects of one asset in the same fold.

    FOLDER/identity.json      what is trained on what, so that nothing else is trained in the same folder
    FOLDER/pictures.npy       the views that are learnt from, prepared once
    FOLDER/fold-K.state       the newest state of a training; written anew, whole or not at all, after epochs
    FOLDER/classifier.state   what was trained on all objects
    FOLDER/training.json      records: settings, what it learnt from, losses, accuracy

A training that is killed carries on from its newest state and comes to the same weights.

Ref: 4D-Bench §3.3.1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.curation.encoder import ClipEncoder, open_clip, prepared
from fathom.curation.pixels import Picture
from fathom.curation.training import (
    AS_USUAL,
    TrainingRun,
    TrainingSettings,
    plain_head,
    put_weights,
    read_state,
)
from fathom.records import DataError, InputError
from fathom.records.scene import Record
from fathom.stats.intervals import accuracy_interval
from fathom.store.files import read_json, write_json
from fathom.store.locks import FolderLock
from fathom.store.seeds import digest

PICTURES, TRAINING, CLAIM, FINAL = "pictures.npy", "training.json", "identity.json", "classifier"
LEAST_OF_EACH = 2
"""How many objects have to be kept, and how many rejected, before anything can be learnt."""

Say = Callable[[str], None]
Bools = NDArray[np.bool_]


class Accuracy(Record, frozen=True, kw_only=True):
    """A share with its interval, clustered by asset."""

    value: float
    low: float
    high: float
    n: int


class Training(Record, frozen=True, kw_only=True):
    """What was trained on what, and how good it is on objects that it had not seen.

    `losses` are the mean loss of each epoch on all objects; `chance` is the accuracy of always giving the
    commoner answer; `right` says of each object whether it was judged right by a classifier that had not
    seen it.
    """

    settings: TrainingSettings
    encoder: str
    identity: str
    kept: int
    rejected: int
    losses: tuple[float, ...]
    chance: float
    accuracy: Accuracy | None = None
    accuracy_kept: Accuracy | None = None
    accuracy_rejected: Accuracy | None = None
    right: dict[str, bool] = {}


@dataclass(frozen=True)
class LabelledObject:
    """An object that people decided about: its pictures are asked for once, and not held."""

    name: str
    keep: bool
    pictures: Callable[[], Iterable[Picture]]
    asset: str = ""


@dataclass(frozen=True)
class Classifier:
    """A trained classifier."""

    encoder: ClipEncoder
    head: Any

    def score(self, pictures: Iterable[Picture]) -> float:
        """Return the probability that people would keep an object, from views of it.

        Raises InputError where there is no picture.
        """
        ready = [prepared(p, self.encoder.side_px) for p in pictures]
        if not ready:
            raise InputError("the quality classifier: expected at least one picture of an object, found none")
        torch = self.encoder.torch
        with torch.inference_mode():
            logit = self.head(self.encoder.embed(self.encoder.batch(ready))).mean()
            return float(torch.sigmoid(logit))


def _opened(encoder: Path, settings: TrainingSettings) -> ClipEncoder:
    clip = open_clip(encoder)
    if settings.layers > clip.layers:
        raise InputError(
            f"{encoder}: expected at most its {clip.layers} layers to train, found {settings.layers}; "
            "ask for fewer"
        )
    return clip


def train_classifier(
    examples: Sequence[LabelledObject],
    encoder: Path,
    folder: Path,
    settings: TrainingSettings = AS_USUAL,
    say: Say = lambda text: None,
) -> Training:
    """Return what was trained and how good it is; started again in the same folder it carries on.

    `encoder` is the folder of a CLIP model. Raises InputError where there are too few examples, an object
    has too few pictures, or the folder holds another training.
    """
    listed = sorted(examples, key=lambda e: e.name)
    _check(listed, settings)
    clip = _opened(encoder, settings)
    with FolderLock(folder / "lock", "training"):
        identity = _identity(listed, clip, settings)
        _claim(folder, identity)
        pictures = _prepare(listed, folder / PICTURES, clip.side_px, settings.views, say)
        keep = np.array([e.keep for e in listed])
        assets = [e.asset or e.name for e in listed]

        def run(seen: Bools, name: str) -> TrainingRun:
            return TrainingRun(clip, pictures, keep, seen, folder / f"{name}.state", name, settings)

        right = _judged_right(run, keep, assets, settings, say) if settings.folds else None
        training = Training(
            settings=settings,
            encoder=clip.hash,
            identity=identity,
            kept=int(keep.sum()),
            rejected=int((~keep).sum()),
            losses=run(np.ones(len(listed), np.bool_), FINAL).train(say),
            chance=float(max(keep.mean(), 1 - keep.mean())),
            accuracy=_accuracy(right, assets, keep | ~keep),
            accuracy_kept=_accuracy(right, assets, keep),
            accuracy_rejected=_accuracy(right, assets, ~keep),
            right={} if right is None else {e.name: bool(r) for e, r in zip(listed, right, strict=True)},
        )
        write_json(folder / TRAINING, training)
    return training


def _judged_right(
    run: Callable[[Bools, str], TrainingRun],
    keep: Bools,
    assets: Sequence[str],
    settings: TrainingSettings,
    say: Say,
) -> Bools:
    """Return which objects are judged right by a training that had not seen them, (n,)."""
    folds = fold_of(assets, keep, settings.folds, settings.seed)
    judged = np.zeros(len(keep), np.bool_)
    for fold in range(int(folds.max()) + 1):
        one = run(folds != fold, f"fold-{fold}")
        one.train(say)
        judged[folds == fold] = one.logits(np.flatnonzero(folds == fold)) > 0
    return np.asarray(judged == keep)


def open_classifier(folder: Path, encoder: Path) -> Classifier:
    """Return a classifier from the folder it was trained in, with the CLIP model that it was trained on.

    Raises DataError where the training was not finished, InputError where the model is another one.
    """
    training = read_json(folder / TRAINING, Training)
    clip = open_clip(encoder)
    if clip.hash != training.encoder:
        raise InputError(
            f"{encoder}: the classifier in {folder} was trained on another model ({training.encoder[:12]}… "
            f"expected, {clip.hash[:12]}… found); give the folder of that one"
        )
    state = read_state(folder / f"{FINAL}.state", clip)
    if state is None:
        raise DataError(f"{folder}: the trained weights are missing; train again")
    head = plain_head(clip)
    put_weights(clip, head, state["weights"])
    return Classifier(clip, head)


def fold_of(assets: Sequence[str], keep: Bools, folds: int, seed: str) -> NDArray[np.intp]:
    """Return each object's fold (n,): all objects of an asset in one, both answers spread evenly.

    There are at most as many folds as assets.
    """
    names = sorted(set(assets), key=lambda a: (digest(seed, "folds", a), a))
    kept, of = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for asset, k in zip(assets, keep, strict=True):
        kept[asset] += int(k)
        of[asset] += 1
    count = max(1, min(folds, len(names)))
    sizes = np.zeros((count, 2))
    place: dict[str, int] = {}
    for asset in sorted(names, key=lambda a: -of[a]):
        more = np.array([kept[asset], of[asset] - kept[asset]])
        # The fold that has least of what this asset has most of.
        place[asset] = min(range(count), key=lambda f: (float(sizes[f] @ more), float(sizes[f].sum()), f))
        sizes[place[asset]] += more
    used = {fold: i for i, fold in enumerate(sorted(set(place.values())))}
    return np.array([used[place[a]] for a in assets], dtype=np.intp)


class _Claim(Record, frozen=True, kw_only=True):
    identity: str


def _check(examples: Sequence[LabelledObject], settings: TrainingSettings) -> None:
    """Raise InputError where nothing can be learnt from these examples."""
    names = [e.name for e in examples]
    twice = sorted({a for a, b in pairwise(names) if a == b})
    if twice:
        raise InputError(f"objects to learn from: {twice[0]} is given twice; give each object once")
    kept = sum(e.keep for e in examples)
    if min(kept, len(examples) - kept) < LEAST_OF_EACH:
        raise InputError(
            f"the quality classifier: expected at least {LEAST_OF_EACH} objects that people kept and "
            f"{LEAST_OF_EACH} that they rejected, found {kept} and {len(examples) - kept}; collect more"
        )
    if settings.folds and len({e.asset or e.name for e in examples}) < 2:
        raise InputError(
            "the quality classifier: expected objects of at least 2 assets to validate across, found 1; "
            "collect verdicts on others, or ask for 0 folds"
        )
    if settings.epochs < 1 or settings.batch < 1 or settings.views < 1 or settings.folds == 1:
        raise InputError(
            "the quality classifier: expected at least 1 epoch, 1 object a batch, 1 view, and 0 or 2 or more "
            f"folds, found {settings.epochs}, {settings.batch}, {settings.views} and {settings.folds}"
        )


def _claim(folder: Path, identity: str) -> None:
    """Raise InputError where another training began in this folder."""
    if not (folder / CLAIM).exists():
        write_json(folder / CLAIM, _Claim(identity=identity))
    elif read_json(folder / CLAIM, _Claim).identity != identity:
        raise InputError(
            f"{folder}: another training began here (other verdicts, settings or encoder); choose another "
            "folder, or delete this one"
        )


def _identity(examples: Sequence[LabelledObject], clip: ClipEncoder, settings: TrainingSettings) -> str:
    learnt = [(e.name, e.keep, e.asset) for e in examples]
    return hashlib.sha256(msgspec.json.encode([settings, clip.hash, learnt])).hexdigest()


def _prepare(
    examples: Sequence[LabelledObject], path: Path, side_px: int, views: int, say: Say
) -> NDArray[np.uint8]:
    """Return all pictures (objects, views, side, side, 3), mapped from a file that is written once."""
    shape = (len(examples), views, side_px, side_px, 3)
    if not path.exists():
        part = path.with_suffix(".part")
        pictures = np.lib.format.open_memmap(part, mode="w+", dtype=np.uint8, shape=shape)
        for row, example in enumerate(examples):
            pictures[row] = _views(example, side_px, views)
            if (row + 1) % 50 == 0 or row + 1 == len(examples):
                say(f"{row + 1} of {len(examples)} objects looked at")
        pictures.flush()
        del pictures
        part.replace(path)
    found: NDArray[np.uint8] = np.load(path, mmap_mode="r", allow_pickle=False)
    if found.shape != shape:
        raise DataError(
            f"{path}: expected pictures of the shape {shape}, found {found.shape}; delete the file"
        )
    return found


def _views(example: LabelledObject, side_px: int, views: int) -> NDArray[np.uint8]:
    """Return as many pictures of an object, spread evenly over those that there are."""
    ready = [prepared(p, side_px) for p in example.pictures()]
    if len(ready) < views:
        raise InputError(
            f"{example.name}: expected at least {views} pictures to learn from, found {len(ready)}; render "
            "more views, or ask for fewer"
        )
    return np.stack([ready[k * len(ready) // views] for k in range(views)])


def _accuracy(right: Bools | None, assets: Sequence[str], of: Bools) -> Accuracy | None:
    if right is None:
        return None
    rows = np.flatnonzero(of).tolist()
    interval = accuracy_interval(right[rows].astype(float), [assets[r] for r in rows])
    return Accuracy(value=interval.value, low=interval.low, high=interval.high, n=interval.n)
