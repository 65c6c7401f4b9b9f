"""The second half: facts put into questions by a model, held against the facts, and tried blind."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.filters import not_blind
from fathom.authoring.outcomes import NOT_DECIDED
from fathom.authoring.replies import FAILED, failure_of
from fathom.authoring.requests import ModelStep
from fathom.authoring.runs import Replies
from fathom.benchmarks.stibench.authoring.prompts import PROMPTS, question_prompt
from fathom.benchmarks.stibench.authoring.question_check import WordedQuestion, worded
from fathom.benchmarks.stibench.authoring.review import OpenLine
from fathom.benchmarks.stibench.authoring.settings import Fact
from fathom.benchmarks.stibench.authoring.videos import VideoWork
from fathom.questions.numeric.option_sets import answer_places
from fathom.records import IN_WORDS_OF, Question, Variant
from fathom.store.seeds import short_hash

ASK = ModelStep("ask", "write", "have a model put facts into questions")

ASKS = "asks for its fact"
ANOTHER_FIRST = "asks for a fact that is asked for already"


def questions_in(videos: VideoWork, facts: Sequence[Fact]) -> tuple[Question, ...]:
    """Return the questions that ask for these facts. Raises WaitError where somebody is waited for."""
    if not facts:
        return ()
    work, variant = videos.work, Variant(name=ASK.name, media_withheld=True)
    work.ask(ASK, (work.request(ASK, f.id, f.setting, question_prompt(f), variant) for f in facts))
    replies = work.replies(ASK)
    asked: list[tuple[Fact, Question]] = []
    lines: list[OpenLine] = []
    for fact in facts:
        question = _asked(videos, fact, replies, lines)
        if question is not None:
            asked.append((fact, question))
    videos.people.wait_for(lines)
    kept = _not_blind(videos, asked) if videos.writing.readers else [q for _, q in asked]
    return placed(kept, videos.writing.seed)


def _asked(
    videos: VideoWork, fact: Fact, replies: Sequence[Replies], lines: list[OpenLine]
) -> Question | None:
    """Return the first question that asks for a fact; what people have to decide becomes a line."""
    found: Question | None = None
    waiting: list[OpenLine] = []
    for run in replies:
        if fact.id not in run.asked:
            continue
        wording = _heard(videos, fact, run)
        if found is not None and wording.outcome != "rejected":
            wording = WordedQuestion("rejected", wording.text, ANOTHER_FIRST)
        reason = ASKS if wording.outcome == "fits" else wording.reason
        counted = NOT_DECIDED if reason == FAILED else reason
        videos.outcomes.count(ASK.name, fact.setting, counted, wording.outcome != "rejected")
        if wording.outcome == "rejected":
            videos.outcomes.reject(
                ASK.name, fact.id, fact.question.scene, wording.text, run.model, reason, wording.detail
            )
            continue
        question = _question(fact, wording, run.model)
        asks_people = wording.outcome == "people"
        decision = videos.people.decision(question.id, fact.setting) if asks_people else "keep"
        if decision == "keep":
            found = question
        elif decision == "reject":
            why = videos.people.why_rejected(question.id, reason)
            videos.outcomes.reject(ASK.name, question.id, question.scene, question.text, run.model, why)
        else:
            waiting.append(_line(fact, question, wording))
    lines += waiting if found is None else []
    return found


def _heard(videos: VideoWork, fact: Fact, run: Replies) -> WordedQuestion:
    """Return what a model's reply comes to."""
    response = run.responses.get(fact.id)
    failed = failure_of(response)
    if failed or response is None:
        return WordedQuestion("rejected", reason=failed)
    return worded(response.text, fact, videos.vocabulary)


def _question(fact: Fact, wording: WordedQuestion, writer: str) -> Question:
    """Return the fact's question in a model's words; its program, options, margin and evidence stay."""
    changed: Question = msgspec.structs.replace(
        fact.question,
        id=f"{fact.id}_{short_hash('wording', wording.text, writer, length=6)}",
        text=wording.text,
        source=f"{IN_WORDS_OF}{writer}",
        tags={**fact.question.tags, "descriptions": ", ".join(fact.descriptions)},
    )
    return changed


def _line(fact: Fact, question: Question, wording: WordedQuestion) -> OpenLine:
    return OpenLine(
        id=question.id, about="question", scene=question.scene, media=question.media[0],
        words=question.text, asks=fact.question.text, choices=list(question.choices), answer=question.answer,
        why=f"{wording.reason}: {wording.detail}",
    )  # fmt: skip


def _not_blind(videos: VideoWork, asked: Sequence[tuple[Fact, Question]]) -> list[Question]:
    """Return the questions that at least one blind reader does not get right."""
    candidates = [
        QuestionCandidate(
            id=q.id, subject=q.scene, kind=fact.setting, text=q.text, choices=q.choices, answer=q.answer,
            writer=q.source.removeprefix(IN_WORDS_OF),
        )
        for fact, q in asked
    ]  # fmt: skip
    kept = {c.id for c in not_blind(videos.work, candidates, PROMPTS, videos.writing.readers)}
    status = videos.outcomes.status
    return [msgspec.structs.replace(q, tags={**q.tags, **status[q.id]}) for _, q in asked if q.id in kept]


def placed(questions: Sequence[Question], seed: str) -> tuple[Question, ...]:
    """Return the questions with their answers at each of the five places equally often."""
    places = answer_places([q.id for q in questions], f"written/{seed}")
    out = []
    for q in questions:
        choices = [c for c in q.choices if c != q.answer]
        choices.insert(places[q.id], q.answer)
        out.append(msgspec.structs.replace(q, choices=tuple(choices)))
    return tuple(out)
