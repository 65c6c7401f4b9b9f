"""Where two extractors read the same answers differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fathom.extraction.shown_options import read_answer
from fathom.records import ExtractedAnswer, Extractor, InputError, Question, Response

HEADER = ("question", "variant", "right", "first picks", "by", "second picks", "by", "answer")
"""The columns of `disagreement_rows`."""

_ANSWER = 80


@dataclass(frozen=True)
class ExtractionDisagreement:
    """One answer that two extractors read differently, and what it is worth under each."""

    question: Question
    response: Response
    first: ExtractedAnswer
    second: ExtractedAnswer
    first_value: float
    second_value: float

    @property
    def moves_score(self) -> bool:
        """Return whether the answer is worth more under one extractor than under the other."""
        return self.first_value != self.second_value


def disagreements(
    first: Extractor, second: Extractor, questions: Sequence[Question], responses: Iterable[Response]
) -> Iterator[ExtractionDisagreement]:
    """Yield the answers that two extractors read differently, or give another worth, as the responses come.

    Answers that failed, captions and ranked options are not read by any extractor, and passed over, and so is
    what judges and writers wrote. Raises InputError where a response belongs to none of `questions`.
    """
    asked = {question.id: question for question in questions}
    for response in responses:
        if response.purpose not in ("answer", "blind"):
            continue
        question = asked.get(response.question)
        if question is None:
            raise InputError(
                f"response {response.key}: expected a question of the dataset, found {response.question!r}, "
                "which is none of them; read the run with the dataset that it was made on"
            )
        if response.status != "ok" or response.option_logprobs or question.references:
            continue
        a, b = (read_answer(p, question, response.variant, response.text) for p in (first, second))
        worth_a, worth_b = first.value(question, a), second.value(question, b)
        if a.picked != b.picked or worth_a != worth_b:
            yield ExtractionDisagreement(question, response, a, b, worth_a, worth_b)


def disagreement_rows(found: Iterable[ExtractionDisagreement]) -> list[tuple[str, ...]]:
    """Return a row of a plain table for each disagreement, under `HEADER`; those that move a score first."""
    ordered = sorted(found, key=lambda d: (not d.moves_score, d.question.id, repr(d.response.variant)))
    return [
        (
            d.question.id,
            d.response.variant.name,
            d.question.answer,
            _picked(d.first, d.first_value),
            d.first.how,
            _picked(d.second, d.second_value),
            d.second.how,
            _excerpt(d.response.text, d.first.quote or d.second.quote),
        )
        for d in ordered
    ]


def _picked(reading: ExtractedAnswer, value: float) -> str:
    if reading.picked is None:
        return "–"
    return f"{_cut(reading.picked)} {'✓' if value == 1 else '✗' if value == 0 else f'({value:g})'}"


def _excerpt(text: str, quote: str) -> str:
    """Return the words of the answer around `quote`, on one line."""
    line = " ".join(text.split())
    place = line.find(quote) if quote else -1
    start = max(0, place - 20) if place >= 0 else 0
    return ("…" if start else "") + _cut(line[start:])


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _ANSWER else line[: _ANSWER - 1] + "…"
