"""One training of the quality classifier: epochs, and the state from which a killed one carries on.

The order of each epoch is a function of seed, name and number, and the state after it is written whole or not
at all, so that a training which was cut off comes to the same weights as one that was not.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.curation.encoder import ClipEncoder
from fathom.records import DataError
from fathom.records.scene import Record
from fathom.store.files import write_bytes
from fathom.store.seeds import rng

Bools = NDArray[np.bool_]


class TrainingSettings(Record, frozen=True, kw_only=True):
    """How a classifier is trained.

    Kept and rejected objects weigh the same in sum.

    seed : what is drawn follows from it
    epochs : how often every object is gone through
    batch : objects in one step
    views : images of each object
    layers : how many of the encoder's last layers are trained along with the head
    head_rate : learning rate of the head
    layer_rate : learning rate of the encoder's layers
    decay : weight decay
    folds : parts of the cross-validation; 0: none
    """

    seed: str = "classifier"
    epochs: int = 20
    batch: int = 16
    views: int = 4
    layers: int = 0
    head_rate: float = 1e-2
    layer_rate: float = 1e-5
    decay: float = 1e-2
    folds: int = 5


AS_USUAL = TrainingSettings()


class TrainingRun:
    """One training: of a fold, or of everything."""

    def __init__(
        self,
        clip: ClipEncoder,
        pictures: NDArray[np.uint8],
        keep: Bools,
        seen: Bools,
        state: Path,
        name: str,
        settings: TrainingSettings,
    ) -> None:
        self.clip, self.pictures, self.keep, self.settings = clip, pictures, keep, settings
        self.seen, self.state, self.name = np.flatnonzero(seen), state, name
        self.head = plain_head(clip)
        self.features: dict[int, Any] = {}
        kept = max(1, int(keep[self.seen].sum()))
        rejected = max(1, len(self.seen) - int(keep[self.seen].sum()))
        self.weights = {True: len(self.seen) / (2 * kept), False: len(self.seen) / (2 * rejected)}

    def train(self, say: Callable[[str], None]) -> tuple[float, ...]:
        """Train from the newest state on to the end, and return the loss of each epoch."""
        settings = self.settings
        with tuned_layers(self.clip, settings.layers) as tuned:
            groups = [{"params": list(self.head.parameters()), "lr": settings.head_rate}]
            if tuned:
                groups.append({"params": list(tuned.values()), "lr": settings.layer_rate})
            optimizer = self.clip.torch.optim.AdamW(groups, weight_decay=settings.decay)
            losses: list[float] = []
            saved = read_state(self.state, self.clip)
            if saved is None:
                self._scale()
            else:
                put_weights(self.clip, self.head, saved["weights"])
                optimizer.load_state_dict(saved["optimizer"])
                losses = [float(v) for v in saved["losses"]]
            while len(losses) < settings.epochs:
                losses.append(self._epoch(optimizer, len(losses)))
                self._save(optimizer, losses, tuned)
                say(f"{self.name}: epoch {len(losses)} of {settings.epochs}, loss {losses[-1]:.4f}")
        return tuple(losses)

    def _scale(self) -> None:
        """Set the scaling so that each dimension of what is learnt from has mean 0 and spread 1.

        Embeddings of CLIP lie in a narrow cone: without it nearly all of them is what they have in common.
        """
        torch, scaling = self.clip.torch, self.head[0]
        embedded = torch.cat([self._frozen(int(row)) for row in self.seen])
        with torch.no_grad():
            scaling.running_mean.copy_(embedded.mean(dim=0))
            scaling.running_var.copy_(embedded.var(dim=0, correction=0))
        self.features = self.features if not self.settings.layers else {}

    def _epoch(self, optimizer: Any, epoch: int) -> float:
        torch = self.clip.torch
        order = rng(self.settings.seed, self.name, "epoch", epoch).permutation(self.seen)
        total = 0.0
        for start in range(0, len(order), self.settings.batch):
            rows = order[start : start + self.settings.batch]
            wanted = torch.tensor([float(self.keep[r]) for r in rows], device=self.clip.model.device)
            weights = torch.tensor([self.weights[bool(self.keep[r])] for r in rows], device=wanted.device)
            optimizer.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(self._logits(rows), wanted, weights)
            loss.backward()
            optimizer.step()
            total += float(loss.detach()) * len(rows)
        return total / len(order)

    def _logits(self, rows: NDArray[np.intp]) -> Any:
        """Return the mean logit over the views of each object, (rows,)."""
        torch = self.clip.torch
        if self.settings.layers:
            shape = (len(rows) * self.settings.views, *self.pictures.shape[2:])
            embedded = self.clip.embed(self.clip.batch(self.pictures[rows].reshape(shape)))
        else:
            embedded = torch.cat([self._frozen(int(row)) for row in rows])
        return self.head(embedded).reshape(len(rows), self.settings.views).mean(dim=1)

    def _frozen(self, row: int) -> Any:
        """Return an object's embeddings (views, d), which never change where only the head learns."""
        if row not in self.features:
            with self.clip.torch.no_grad():
                self.features[row] = self.clip.embed(self.clip.batch(self.pictures[row]))
        return self.features[row]

    def logits(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return what the trained classifier says of these objects, (rows,): above 0 is keep."""
        starts = range(0, len(rows), self.settings.batch)
        with self.clip.torch.no_grad():
            found = [self._logits(rows[k : k + self.settings.batch]).cpu().numpy() for k in starts]
        return np.concatenate(found).astype(np.float64)

    def _save(self, optimizer: Any, losses: list[float], tuned: Mapping[str, Any]) -> None:
        weights = {f"encoder.{name}": p.detach() for name, p in tuned.items()}
        weights |= {f"head.{name}": p for name, p in self.head.state_dict().items()}
        out = io.BytesIO()
        state = {"weights": weights, "optimizer": optimizer.state_dict(), "losses": losses}
        self.clip.torch.save(state, out)
        write_bytes(self.state, out.getvalue())


def plain_head(clip: ClipEncoder) -> Any:
    """Return a linear head that says nothing yet, behind a scaling of each dimension that is set later on."""
    torch = clip.torch
    head = torch.nn.Sequential(torch.nn.BatchNorm1d(clip.width, affine=False), torch.nn.Linear(clip.width, 1))
    with torch.no_grad():
        for p in head.parameters():
            p.zero_()
    # As an evaluated one it scales by what it was given, and never by the batch.
    return head.eval().to(clip.model.device)


@contextmanager
def tuned_layers(clip: ClipEncoder, layers: int) -> Iterator[dict[str, Any]]:
    """Yield the encoder's weights that learn, by name: those of its last layers and what comes after them.

    They are as the model's folder has them, whatever was trained before.
    """
    first = clip.layers - layers
    tuned: dict[str, Any] = {}
    for name, p in clip.model.named_parameters():
        p.requires_grad_(False)
        number = re.search(r"encoder\.layers\.(\d+)\.", name)
        after = "post_layernorm" in name or "visual_projection" in name
        if layers and (after or (number is not None and int(number[1]) >= first)):
            tuned[name] = p
    if tuned:
        clip.restore(tuned)
    for p in tuned.values():
        p.requires_grad_(True)
    try:
        yield tuned
    finally:
        for p in tuned.values():
            p.requires_grad_(False)


def put_weights(clip: ClipEncoder, head: Any, weights: Mapping[str, Any]) -> None:
    """Put stored weights where they belong."""
    places = {f"encoder.{name}": p for name, p in clip.model.named_parameters()}
    places |= {f"head.{name}": p for name, p in head.state_dict().items()}
    with clip.torch.no_grad():
        for name, values in weights.items():
            places[name].copy_(values)


def read_state(path: Path, clip: ClipEncoder) -> dict[str, Any] | None:
    """Return a stored state, None where there is none yet. Raises DataError where it is damaged."""
    try:
        state = clip.torch.load(path, map_location=clip.model.device, weights_only=True)
        if set(state) != {"weights", "optimizer", "losses"}:
            raise ValueError(f"it holds {sorted(state)}")
    except FileNotFoundError:
        return None
    except Exception as e:  # what is read from a damaged file may fail in any way
        raise DataError(
            f"{path}: not a valid state of a training ({' '.join(str(e).split())[:120]}); delete it, and "
            "that part is trained anew"
        ) from e
    return dict(state)
