"""Ranking: the option that a model finds the most likely, with longer options made comparable by name.

sum      the sum of the log-probabilities of an option's tokens: the likelihood itself; favours short options
token    their mean
char     their sum over the number of the option's characters

Ref: SEED-Bench §4.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from fathom.records import ExtractedAnswer, Extractor, InputError, Question

Normalisation = Literal["sum", "token", "char"]
Continuation = Literal["text", "letter"]

VERSION = "1"
_PREFIX = "rank-"


@dataclass(frozen=True)
class Ranking:
    """How the likelihoods of a run are compared, and whether they are of the options' texts or letters."""

    normalisation: Normalisation = "sum"
    continuation: Continuation = "text"

    @property
    def extractor(self) -> str:
        """Return what sample scores made in this way have as their extractor."""
        return f"{_PREFIX}{self.normalisation}-{VERSION}"


@dataclass(frozen=True)
class Pick:
    """The option picked (None: none), the rule, and whether that is for want of usable numbers."""

    text: str | None
    how: str
    failed: bool = False


def pick(options: Sequence[str], logprobs: Sequence[float], tokens: Sequence[int], ranking: Ranking) -> Pick:
    """Return the most likely of the options, which stand in the order in which they were shown.

    No option is picked where two with different texts are equally likely, or all are impossible. A number
    that is none (NaN), or that is missing, is a failure.
    """
    if len(logprobs) != len(options):
        return Pick(None, f"{len(logprobs)} log-probabilities for {len(options)} options", failed=True)
    if any(math.isnan(x) for x in logprobs):
        return Pick(None, "log-probability is NaN", failed=True)
    if any(x == math.inf for x in logprobs):
        return Pick(None, "log-probability is infinite", failed=True)
    lengths = _lengths(options, tokens, ranking)
    if len(lengths) != len(options) or min(lengths, default=0) < 1:
        return Pick(None, f"no length to normalise by {ranking.normalisation}", failed=True)
    values = [x / n for x, n in zip(logprobs, lengths, strict=True)]
    best = max(values)
    ahead = {option for option, value in zip(options, values, strict=True) if value == best}
    if best == -math.inf or len(ahead) > 1:
        return Pick(None, "equally likely")
    return Pick(ahead.pop(), f"most likely ({ranking.normalisation})")


def _lengths(options: Sequence[str], tokens: Sequence[int], ranking: Ranking) -> list[int]:
    if ranking.normalisation == "token":
        return list(tokens)
    if ranking.normalisation == "char" and ranking.continuation == "text":
        return [len(option) for option in options]
    return [1] * len(options)


def ranking_of(settings: Mapping[str, object]) -> Ranking:
    """Return how a run's likelihoods are compared by default, from the settings in its manifest.

    Raises InputError for words that mean nothing.
    """
    normalisation = str(settings.get("protocol.normalisation") or "sum")
    continuation = str(settings.get("protocol.continuation") or "text")
    for name, word, words in (
        ("normalisation", normalisation, get_args(Normalisation)),
        ("continuation", continuation, get_args(Continuation)),
    ):
        if word not in words:
            raise InputError(f"protocol.{name}: expected {' or '.join(words)}, found {word!r}")
    return Ranking(normalisation, continuation)  # type: ignore[arg-type]


def ranking_under(extractor: Extractor, default: Ranking) -> Ranking:
    """Return the ranking that an extractor names, else the run's own."""
    name = extractor.name.removeprefix(_PREFIX)
    if extractor.name.startswith(_PREFIX) and name in get_args(Normalisation):
        return Ranking(name, default.continuation)  # type: ignore[arg-type]
    return default


def _reads_nothing(question: Question, text: str) -> ExtractedAnswer:
    return ExtractedAnswer(None, "no log-probabilities")


RANKINGS: Mapping[str, Extractor] = {
    _PREFIX + name: Extractor(
        name=_PREFIX + name,
        version=VERSION,
        read=_reads_nothing,
        value=lambda question, reading: float(reading.picked == question.answer),
    )
    for name in get_args(Normalisation)
}
"""Extractors for runs in which likelihoods were asked; of text they read nothing."""
