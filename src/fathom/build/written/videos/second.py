"""The second half: facts put into questions by a model, held against the facts, and tried blind."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.build.options.fine.five import answer_places
from fathom.build.written.candidates import Candidate
from fathom.build.written.requests import Said
from fathom.build.written.sifting import FAILED, NOT_DECIDED, REFUSED, not_blind
from fathom.build.written.tables import Fate
from fathom.build.written.videos.asking import Wording, worded
from fathom.build.written.videos.desk import NO_PEOPLE, Desk, request
from fathom.build.written.videos.prompts import ask_prompt, blind_prompt
from fathom.build.written.videos.review import Line
from fathom.build.written.videos.settings import Fact
from fathom.records import Question
from fathom.store.seeds import short_hash

SOURCE = "model:"
"""What the source of a question begins with that a model put into words."""

ASKS = "asks for its fact"
ANOTHER_FIRST = "asks for a fact that is asked for already"


def questions_in(desk: Desk, facts: Sequence[Fact]) -> tuple[Question, ...]:
    """Return the questions that ask for these facts. Raises WaitError where somebody is waited for."""
    if not facts:
        return ()
    desk.wait_for("ask", [request("ask", f.id, f.setting, ask_prompt(f)) for f in facts])
    asked: list[tuple[Fact, Question]] = []
    lines: list[Line] = []
    for fact in facts:
        question = _asked(desk, fact, desk.said("ask"), lines)
        if question is not None:
            asked.append((fact, question))
    desk.wait_for_people(lines)
    kept = _not_blind(desk, asked) if desk.writing.readers else [q for _, q in asked]
    return placed(kept, desk.writing.seed)


def _asked(desk: Desk, fact: Fact, said: Sequence[Said], lines: list[Line]) -> Question | None:
    """Return the first question that asks for a fact; what people have to decide becomes a line."""
    found: Question | None = None
    waiting: list[Line] = []
    for run in said:
        if fact.id not in run.asked:
            continue
        response = run.responses.get(fact.id)
        if response is None or response.status != "ok":
            refused = response is not None and response.status == "refused"
            desk.sifted.fates.append(Fate("ask", fact.setting, REFUSED if refused else NOT_DECIDED))
            desk.reject("ask", fact.id, fact.question.scene, "", run.model, REFUSED if refused else FAILED)
            continue
        wording = worded(response.text, fact, desk.lexicon)
        if found is not None and wording.outcome != "rejected":
            wording = Wording("rejected", wording.text, ANOTHER_FIRST)
        reason = ASKS if wording.outcome == "fits" else wording.reason
        desk.sifted.fates.append(Fate("ask", fact.setting, reason, wording.outcome != "rejected"))
        if wording.outcome == "rejected":
            desk.reject("ask", fact.id, fact.question.scene, wording.text, run.model, reason, wording.detail)
            continue
        question = _question(fact, wording, run.model)
        decision = desk.decided(question.id, fact.setting) if wording.outcome == "people" else "keep"
        if decision == "keep":
            found = question
        elif decision == "reject":
            by = "rejected by people" if question.id in desk.decisions else NO_PEOPLE
            desk.reject("ask", question.id, question.scene, question.text, run.model, f"{by} ({reason})")
        else:
            waiting.append(_line(fact, question, wording))
    lines += waiting if found is None else []
    return found


def _question(fact: Fact, wording: Wording, writer: str) -> Question:
    """Return the fact's question in a model's words; its program, options, margin and evidence stay."""
    changed: Question = msgspec.structs.replace(
        fact.question,
        id=f"{fact.id}_{short_hash('wording', wording.text, writer, length=6)}",
        text=wording.text,
        source=f"{SOURCE}{writer}",
        tags={**fact.question.tags, "descriptions": ", ".join(fact.descriptions)},
    )
    return changed


def _line(fact: Fact, question: Question, wording: Wording) -> Line:
    return Line(
        id=question.id, about="question", scene=question.scene, media=question.media[0],
        words=question.text, asks=fact.question.text, choices=list(question.choices), answer=question.answer,
        why=f"{wording.reason}: {wording.detail}",
    )  # fmt: skip


def _not_blind(desk: Desk, asked: Sequence[tuple[Fact, Question]]) -> list[Question]:
    """Return the questions that at least one blind reader does not get right."""
    candidates = [
        Candidate(
            id=q.id, object=q.scene, task=fact.setting, text=q.text, choices=q.choices, answer=q.answer,
            writer=q.source.removeprefix(SOURCE),
        )
        for fact, q in asked
    ]  # fmt: skip
    if not candidates:
        return []
    wanted = [request("blind", c.id, c.task, blind_prompt(c), c.choices) for c in candidates]
    desk.wait_for("blind", wanted, desk.writing.readers)
    kept = {c.id for c in not_blind(candidates, desk.said("blind"), desk.sifted)}
    out = []
    for _, q in asked:
        if q.id in kept:
            status = desk.sifted.status[q.id]
            out.append(msgspec.structs.replace(q, tags={**q.tags, **status}))
        else:
            reason = "every blind reader is right, or a request failed"
            desk.reject("blind", q.id, q.scene, q.text, q.source.removeprefix(SOURCE), reason)
    return out


def placed(questions: Sequence[Question], seed: str) -> tuple[Question, ...]:
    """Return the questions with their answers at each of the five places equally often."""
    places = answer_places([q.id for q in questions], f"written/{seed}")
    out = []
    for q in questions:
        choices = [c for c in q.choices if c != q.answer]
        choices.insert(places[q.id], q.answer)
        out.append(msgspec.structs.replace(q, choices=tuple(choices)))
    return tuple(out)
