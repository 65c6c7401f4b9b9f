"""Metrics and extractors from outside: what they raise becomes one sentence that names them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ParamSpec, TypeVar

from fathom.named import named_attribute
from fathom.records import ExtractedAnswer, Extractor, FathomError, InputError, Question, SampleScore, Score

Metric = Callable[[Sequence[Question], Sequence[SampleScore], int], list[Score]]
P = ParamSpec("P")
R = TypeVar("R")


def metrics_named(names: Sequence[str]) -> list[Metric]:
    """Return metrics by "module:attribute", whose errors name them."""
    return [checked_metric(name, named_attribute(name, "--metric")) for name in names]


def checked_metric(name: str, found: object) -> Metric:
    """Return a metric that was named, whose errors name it. Raises InputError for what is no function."""
    if not callable(found):
        raise InputError(
            f"--metric {name}: expected a function of questions, sample scores and a seed, found "
            f"{type(found).__name__}"
        )

    def metric(questions: Sequence[Question], samples: Sequence[SampleScore], seed: int) -> list[Score]:
        scores = _told(f"--metric {name}", found, questions, samples, seed)
        if not isinstance(scores, list | tuple) or not all(isinstance(s, Score) for s in scores):
            raise InputError(
                f"--metric {name}: expected a list of fathom.records.Score, found {scores!r:.80}"
            )
        return list(scores)

    return metric


def checked_extractor(name: str, extractor: Extractor) -> Extractor:
    """Return an extractor that was named, whose errors name it and the question."""

    def read(question: Question, text: str) -> ExtractedAnswer:
        where = f"--extractor {name}, question {question.id}"
        found = _told(where, extractor.read, question, text)
        if not isinstance(found, ExtractedAnswer):
            raise InputError(f"{where}: expected a fathom.records.ExtractedAnswer, found {found!r:.80}")
        return found

    def value(question: Question, reading: ExtractedAnswer) -> float:
        where = f"--extractor {name}, question {question.id}"
        found = _told(where, extractor.value, question, reading)
        if not isinstance(found, int | float) or not 0 <= found <= 1:
            raise InputError(f"{where}: expected a value from 0 to 1, found {found!r:.80}")
        return float(found)

    return replace(extractor, read=read, value=value)


def _told(where: str, function: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """Return what a function says. Raises InputError that names it, its error and its line."""
    try:
        return function(*given, **named)
    except FathomError:
        raise
    except Exception as e:  # whatever somebody's own code raises
        last = traceback.extract_tb(e.__traceback__)[-1]
        raise InputError(
            f"{where}: raised {type(e).__name__}: {e} ({last.filename}:{last.lineno}); fix it there"
        ) from e
