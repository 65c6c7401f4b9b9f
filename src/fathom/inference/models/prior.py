"""`prior:DATASET`: the best guess without looking, learned on another dataset.

A random forest on everything that is not visual, fitted on questions of another seed. What it scores above
chance is what the wording, the options and the balance of answers give away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.extraction.numeric_answers import is_measured
from fathom.inference.backend import Context, Scalar, knows_answers, read_options
from fathom.inference.models.random import spoken
from fathom.records import InputError, Request, Response
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.seeds import digest

if TYPE_CHECKING:
    from fathom.stats.blind import BlindGuesser


class PriorBackend:
    """Guesses with a forest that is fitted when the first request comes."""

    name = "prior"
    may_be_silent = True
    notes: tuple[str, ...]

    def __init__(self, fitted_on: Dataset, seed: str, write_answer: Callable[[str], str]) -> None:
        self.revision = fitted_on.manifest.identity
        self.parameters: Mapping[str, Scalar] = {"seed": seed}
        self.notes = (
            f"fitted on {fitted_on.manifest.name or fitted_on.path.name}, seed {fitted_on.manifest.seed}",
        )
        self._fitted_on = fitted_on
        self._seed = seed
        self._write = write_answer
        self._guesser: BlindGuesser | None = None

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return one guess a request. Raises MissingExtraError where scikit-learn is not installed."""
        if self._guesser is None:
            from fathom.stats.blind import fit

            seed = int.from_bytes(digest(self._seed, "prior")[:4], "big")
            known = [q for q in self._fitted_on.questions() if not is_measured(q)]
            self._guesser = fit(known, seed)
        # A number on a scale is none of the answers that the forest can choose from.
        choosing = [r.asked for r in requests if not is_measured(r.asked)]
        guesses = iter(self._guesser.guess(choosing) if choosing else ())
        said = ["" if is_measured(r.asked) else self._write(next(guesses)) for r in requests]
        return [spoken(r, self.name, text) for r, text in zip(requests, said, strict=True)]


@knows_answers
def open_prior(target: str, options: Mapping[str, str], context: Context) -> PriorBackend:
    """Return the baseline fitted on the dataset at `target`.

    Raises InputError where that is the very dataset that is asked, by identity, seed or split.
    """
    if not target:
        raise InputError("--model prior: expected a dataset to learn from, as in prior:OTHER-DATASET; add it")
    values = read_options(options, {"seed": str}, f"prior:{target}")
    other = open_dataset(Path(target))
    ours, theirs = context.dataset.manifest, other.manifest
    if theirs.identity == ours.identity:
        raise InputError(
            f"--model prior:{target}: is the dataset that is asked, and its answers would be known; build "
            "another one with another seed to learn from"
        )
    if ours.benchmark != theirs.benchmark:
        raise InputError(
            f"--model prior:{target}: holds {theirs.benchmark or 'no benchmark'}, and {ours.benchmark} is "
            "asked; learn from the same benchmark with another seed"
        )
    shared = _shared_scenes(ours.seed, theirs.seed, ours.split, theirs.split)
    if shared:
        raise InputError(
            f"--model prior:{target}: was built from the same seed {ours.seed!r}, and may share scenes with "
            "what is asked; build another one with another seed to learn from"
        )
    return PriorBackend(other, str(values.get("seed", context.seed)), context.write_answer)


def _shared_scenes(our_seed: str, their_seed: str, our_split: str, their_split: str) -> bool:
    """Return whether two datasets of one benchmark may hold the same scenes: one seed and one split."""
    return bool(our_seed) and our_seed == their_seed and our_split == their_split
