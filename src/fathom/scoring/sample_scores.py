"""From responses to sample scores: how each answer was read, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from fathom.extraction.fathom_extractor import EXTRACTOR as STATED
from fathom.extraction.shown_options import as_shown, read_answer
from fathom.extraction.stripped_reasoning import strip_reasoning
from fathom.records import Extractor, InputError, Question, Response, SampleScore, Status, Variant
from fathom.scoring.likelihood import Ranking, pick, ranking_under
from fathom.stats.clusters import cluster_of

MISSING = "missing"
"""`SampleScore.how` of a question that was to be answered and has no response."""

EMPTY = "empty"
"""`SampleScore.how` of an answer without a text, in which nothing could be read."""

CAPTION = "caption"
"""`SampleScore.how` of a caption, which is not right or wrong: `picked` is its text, `value` stays 0."""

_PREFERRED: dict[Status, int] = {"ok": 0, "refused": 1, "failed": 2}
_CAPTION_PREFIX = "caption:"


def score_responses(
    questions: Sequence[Question],
    responses: Iterable[Response],
    extractor: Extractor,
    ranking: Ranking | None = None,
    due: Callable[[Question], Sequence[Variant]] = lambda question: (),
) -> list[SampleScore]:
    """Return a sample score for every question and every variant in which it was put, in the order of the
    questions.

    What was refused, failed, or never came is worth 0 and keeps its status, so that it is counted and shown
    instead of dropped; `how` says `refused`, `failed` or `missing`. `due` are the variants in which a
    question was to be put: each has a sample score. Where a variant has several responses,
    the first that succeeded counts. Judges' and writers' responses are passed over. Log-probabilities of
    options are compared as `extractor` says where it is one for that, else as `ranking` says.

    `questions` are those that the run was to answer. Raises InputError where a response belongs to none of
    them.
    """
    of_question = counted_responses(questions, responses)
    compared = ranking or Ranking()
    # A pass that never came belongs to the same extractor as the others, whether text or likelihoods.
    ranked = any(r.option_logprobs for held in of_question.values() for r in held.values())
    label = _label(extractor, compared, ranked)
    return [
        sample_score
        for q in questions
        for sample_score in _sample_scores_of(q, of_question[q.id], extractor, compared, label, due(q))
    ]


def counted_responses(
    questions: Sequence[Question], responses: Iterable[Response]
) -> dict[str, dict[Variant, Response]]:
    """Return the response that counts by question and by the variant in which it was put.

    The first that succeeded counts; judges' and writers' are passed over. Raises InputError where a response
    belongs to none of the questions.
    """
    of_question: dict[str, dict[Variant, Response]] = {q.id: {} for q in questions}
    for response in responses:
        if response.purpose not in ("answer", "blind"):
            continue
        if response.question not in of_question:
            raise InputError(
                f"response {response.key}: expected a question of the dataset, found {response.question!r}, "
                "which is none of them; score the run with the dataset that it was made on"
            )
        held = of_question[response.question]
        before = held.get(response.variant)
        if before is None or _PREFERRED[response.status] < _PREFERRED[before.status]:
            held[response.variant] = response
    return of_question


def _sample_scores_of(
    question: Question,
    responses: dict[Variant, Response],
    extractor: Extractor,
    ranking: Ranking,
    label: str,
    due: Sequence[Variant],
) -> list[SampleScore]:
    ordered = sorted(responses, key=lambda v: (v.repeat, v.name, repr(v)))
    sample_scores = [
        sample_score_of(question, responses[variant], extractor, ranking, label) for variant in ordered
    ]
    # Answers that were put in none of these ways are of a protocol that is not known here any more.
    known = not responses or any(variant in responses for variant in due)
    lacking = [v for v in due if v not in responses] if known else []
    if not sample_scores and not lacking:
        lacking = [Variant()]
    return sample_scores + [_sample_score(question, label, variant, "failed", MISSING) for variant in lacking]


def sample_score_of(
    question: Question, response: Response, extractor: Extractor, ranking: Ranking, label: str = ""
) -> SampleScore:
    """Return how one response to a question was read, and what it is worth.

    `label` names the extractor of one that holds no answer (not given: the extractor's own).
    """
    sample_score = _unproven_score_of(question, response, extractor, ranking, label)
    return msgspec.structs.replace(sample_score, cut_off=True) if response.cut_off else sample_score


def _unproven_score_of(
    question: Question, response: Response, extractor: Extractor, ranking: Ranking, label: str
) -> SampleScore:
    variant = response.variant
    if response.status != "ok":
        label = label or _label(extractor, ranking, False)
        return _sample_score(question, label, variant, response.status, response.status)
    if response.option_logprobs:
        return _ranked(question, response, ranking_under(extractor, ranking))
    label = _label(extractor, ranking, False)
    if question.references:
        caption = _caption(response.text, stated=extractor.name == STATED.name)
        return _sample_score(question, label, variant, "ok", _how(CAPTION, caption, response), caption)
    reading = read_answer(extractor, question, variant, response.text)
    how, value = _how(reading.how, reading.picked, response), extractor.value(question, reading)
    return _sample_score(question, label, variant, "ok", how, reading.picked, value)


def _how(how: str, picked: str | None, response: Response) -> str:
    return EMPTY if picked is None and not response.text.strip() else how


def _ranked(question: Question, response: Response, ranking: Ranking) -> SampleScore:
    options = as_shown(question, response.variant).choices
    found = pick(options, response.option_logprobs, response.option_tokens, ranking)
    status: Status = "failed" if found.failed else "ok"
    value = float(found.text == question.answer)
    return _sample_score(question, ranking.extractor, response.variant, status, found.how, found.text, value)


def _caption(text: str, stated: bool = True) -> str | None:
    """Return what follows `caption:`, in any case, else the whole text; None where nothing is left.

    What a model thinks aloud is no part of it where what it `stated` is wanted. A published extractor takes
    the text as it comes.

    Ref: 4D-Bench §4.1.
    """
    text = strip_reasoning(text) if stated else text
    place = text.lower().find(_CAPTION_PREFIX)
    return (text[place + len(_CAPTION_PREFIX) :] if place >= 0 else text).strip() or None


def _label(extractor: Extractor, ranking: Ranking, ranked: bool) -> str:
    return ranking_under(extractor, ranking).extractor if ranked else f"{extractor.name}-{extractor.version}"


def _sample_score(
    question: Question,
    extractor: str,
    variant: Variant,
    status: Status,
    how: str,
    picked: str | None = None,
    value: float = 0.0,
) -> SampleScore:
    return SampleScore(
        question=question.id,
        task=question.task,
        extractor=extractor,
        status=status,
        value=value,
        picked=picked,
        how=how,
        cluster=cluster_of(question),
        variant=variant,
    )
