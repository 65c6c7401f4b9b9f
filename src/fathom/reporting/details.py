"""What the gallery shows once a question is opened: program, options, references, answers, facts."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from fathom.english import rounded
from fathom.pages.names import METRICS, number_of
from fathom.records import Question, SampleScore
from fathom.reporting.data import ReportRun
from fathom.reporting.wording import margin_words, outcome_of_all, step_words

LONGEST_ANSWER = 1500

ROW_ANSWER = 60
"""Characters of an option that a row shows."""

LESSER = ("bleu_1", "bleu_2", "bleu_3")
"""Metrics that a caption's own line leaves out."""


def details(
    question: Question,
    runs: Sequence[ReportRun],
    held: Sequence[Sequence[SampleScore]],
    joined: bool,
) -> dict[str, object]:
    """Return what the page's script knows of a question; `held` are each run's sample scores of it."""
    selected = question.evidence.steps if question.evidence else ()
    margin = question.margin
    return {
        "id": question.id,
        "task": question.task,
        "answer": answer_words(question),
        "key": letter_of(question) or ("" if question.references else question.answer),
        "options": _options(question, held),
        "references": question.references,
        "steps": [
            {
                "words": step_words(step),
                "inputs": step.inputs,
                "objects": selected[i] if i < len(selected) else (),
            }
            for i, step in enumerate(question.program)
        ],
        "margin": margin
        and {"words": margin_words(margin), "ratio": round(margin.ratio, 4), "between": margin.between},
        "facts": _facts(question),
        "answers": [_answer(question, run, some, joined) for run, some in zip(runs, held, strict=True)],
    }


def letter_of(question: Question) -> str:
    """Return the letter of the right option in the official order, "" where there are no options."""
    return _letter(question.choices.index(question.answer)) if question.answer in question.choices else ""


def _letter(place: int) -> str:
    return ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)


def answer_words(question: Question) -> str:
    """Return the right answer as a row shows it, with its letter where there are options."""
    if question.references:
        return number_of(len(question.references), "caption")
    letter = letter_of(question)
    if not letter:
        return question.answer
    text = question.answer if len(question.answer) <= ROW_ANSWER else f"{question.answer[: ROW_ANSWER - 1]}…"
    return f"{letter}. {text}"


def _options(question: Question, held: Sequence[Sequence[SampleScore]]) -> list[dict[str, object]]:
    """Return the options in the official order, and by which models each was picked in how many passes."""
    options: list[dict[str, object]] = []
    for place, text in enumerate(question.choices):
        again = text in question.choices[:place]
        picked = [
            sum(sample_score.picked == text for sample_score in sample_scores) for sample_scores in held
        ]
        by = [(model, n, len(held[model])) for model, n in enumerate(picked) if n and not again]
        options.append({"letter": _letter(place), "text": text, "right": text == question.answer, "by": by})
    return options


def _facts(question: Question) -> list[tuple[str, str]]:
    facts = [("id", question.id)]
    if question.evidence:
        seen = question.evidence
        facts.append(
            (
                "least seen",
                f"{seen.smallest_visible_px} px, {rounded(100 * seen.smallest_visible_fraction, 0)} %",
            )
        )
    if possible := question.choices or question.possible:
        facts.append(("chance", f"1 in {len(possible)}"))
    if question.bias_score is not None:
        facts.append(("blind bias", f"{question.bias_score:+.2f}"))
    if question.groups.flip:
        facts.append(("mirror images", question.groups.flip))
    return [*facts, *sorted(question.tags.items())]


def _answer(
    question: Question, run: ReportRun, sample_scores: Sequence[SampleScore], joined: bool
) -> dict[str, object]:
    """Return what one model answered; of several passes the first, and how many were right."""
    first = sample_scores[0] if sample_scores else None
    response = run.responses.get(question.id)
    text = response.text if response else ""
    right = sum(sample_score.value >= 1 for sample_score in sample_scores)
    words = [first.how if first and not question.references else ""]
    words.append(f"{right} of {len(sample_scores)} passes right" if len(sample_scores) > 1 else "")
    return {
        "outcome": outcome_of_all(sample_scores, joined),
        "picked": first.picked if first else None,
        "how": " · ".join(w for w in words if w),
        "values": _values(first) if question.references and first else [],
        "text": text[:LONGEST_ANSWER],
        "length": len(text),
        "error": response.error if response else "",
    }


def _values(sample_score: SampleScore) -> list[str]:
    """Return a caption's own values in a line for each protocol, that of the judge last."""
    lines: dict[str, list[str]] = {}
    for name, value in sample_score.details.items():
        protocol, _, metric = name.partition("/")
        if protocol == "judge":
            lines.setdefault("judge", []).append(f"{metric} {value:.0f} of 5")
        elif metric in METRICS and metric not in LESSER:
            lines.setdefault(protocol, []).append(f"{METRICS[metric]} {rounded(100 * value)}")
    return [f"{protocol}: {', '.join(values)}" for protocol, values in lines.items()]
