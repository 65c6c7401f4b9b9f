"""Whether prompts may share work in a model: found out for each kind of prompt, and never assumed.

The first batch of each kind is computed the slow way too: each prompt alone, each option behind all of it.
What was not seen to agree is done the slow way. Where the slow way itself fails, the error is raised, nothing
is taken for proven, and the next request tries again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fathom.inference.models.hf_families import Family
from fathom.inference.models.hf_prompts import Encoded, shape_of
from fathom.inference.models.hf_ranking import first_scores, rank, rank_one_by_one
from fathom.records import Request, pictures_of

CLOSE = {"float32": 1e-2}
USUAL_CLOSE = 0.25
"""Nats by which a log-probability may differ between two ways to compute it: what goes wrong with padding is
off by 0.4 and more, rounding to 16 bits by 0.1 at most."""

WRONG = (ValueError, RuntimeError, TypeError, IndexError, KeyError, AttributeError)
"""What transformers raises for a prompt that a model cannot be shown."""

_Kind = tuple[bool, ...]


@dataclass
class Proofs:
    """What is known of one model: which kinds of prompts share a batch, which a pass over the prompt.

    `close` are the nats by which one log-probability may differ between two ways to compute it; `encode`
    returns what the model reads of one request, `moved` puts inputs where the model is.
    """

    family: Family
    close: float
    encode: Callable[[Sequence[Request]], Encoded | Exception]
    moved: Callable[[Mapping[str, Any]], dict[str, Any]]
    notes: list[str] = field(default_factory=list)
    _beside: dict[_Kind, bool] = field(default_factory=dict)
    _shared: dict[_Kind, bool] = field(default_factory=dict)

    def beside(self, model: Any, group: Sequence[Request], encoded: Encoded) -> bool:
        """Return whether prompts can go through the model together, whose answers are to be written."""
        if len(group) == 1:
            return True
        kind = _kind(group, encoded)
        if kind not in self._beside:
            off = self._moved_by_padding(model, group, encoded)
            self._beside[kind] = off <= self.close
            if not self._beside[kind]:
                self.notes.append(
                    f"one prompt at a time: what stands beside it moved a log-probability by {off:.2g}"
                )
        return self._beside[kind]

    def shared(self, model: Any, group: Sequence[Request], encoded: Encoded) -> bool:
        """Return whether options can be ranked behind one pass over the prompts of a group.

        Raises what the model raises where it cannot be found out.
        """
        kind = _kind(group, encoded)
        if kind not in self._shared:
            self._shared[kind] = self._ranks_alike(model, group, encoded)
            if not self._shared[kind]:
                self.notes.append(
                    "options ranked one by one: behind a shared prompt they come out otherwise, or not at all"
                )
        return self._shared[kind]

    def _moved_by_padding(self, model: Any, group: Sequence[Request], encoded: Encoded) -> float:
        """Return by how many nats what comes next is off, at most, where prompts stand beside one another."""
        off = 0.0
        try:
            together = first_scores(model, self.moved(encoded.inputs))
            for beside, request in zip(together, group, strict=True):
                alone = self.encode([request])
                if isinstance(alone, Exception):
                    return math.inf
                single = first_scores(model, self.moved(alone.inputs))[0]
                likely = single.topk(5).indices
                off = max(off, _finite((beside[likely] - single[likely]).abs().max()))
        except WRONG:
            return math.inf
        return off

    def _ranks_alike(self, model: Any, group: Sequence[Request], encoded: Encoded) -> bool:
        slow = []
        for request in group:
            alone = encoded if len(group) == 1 else self.encode([request])
            if isinstance(alone, Exception):
                raise alone
            slow += rank_one_by_one(model, self.family, self.moved(alone.inputs), alone.options)
        try:
            fast = rank(model, self.family, self.moved(encoded.inputs), encoded.options)
        except WRONG as e:
            if len(group) > 1 and _is_out_of_memory(e):
                raise
            return False
        # Rounding adds up as a random walk does; what goes wrong is off in each token, to the same side.
        return len(fast) == len(slow) and all(
            abs(a - b) <= self.close * math.sqrt(len(ids))
            for one, other, options in zip(slow, fast, encoded.options, strict=True)
            for a, b, ids in zip(one, other, options, strict=True)
        )


def _kind(group: Sequence[Request], encoded: Encoded) -> _Kind:
    """Return what decides which of a model's ways a group of prompts goes."""
    pictures = [len(pictures_of(request.prompt)) for request in group]
    clips = any(shape_of(request.prompt, True)[1] for request in group)
    longer = any(len(ids) > 1 for options in encoded.options for ids in options)
    padded = len(set(encoded.lengths)) > 1
    return any(pictures), max(pictures) > 1, len(set(pictures)) > 1, clips, longer, len(group) > 1, padded


def _finite(value: Any) -> float:
    return float(value) if math.isfinite(float(value)) else math.inf


def _is_out_of_memory(error: Exception) -> bool:
    return "OutOfMemory" in type(error).__name__ or "out of memory" in str(error).lower()
