"""Questions that go: those in which a checker finds a rule broken, and those that all get right blind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.outcomes import NOT_DECIDED
from fathom.authoring.prompts import PromptSet, listed_options
from fathom.authoring.replies import FAILED, failure_of, one_line, said_in
from fathom.authoring.requests import ModelStep
from fathom.authoring.runs import Replies
from fathom.authoring.work import Work
from fathom.extraction.fathom_extractor import EXTRACTOR
from fathom.records import Prompt, Response, TextPart, Variant, Verdict

CHECK = ModelStep("check", "judge", "have a model that sees pictures check the questions against the rules")
BLIND = ModelStep("blind", "blind", "have {models} different text-only models answer the questions blind")

PASSED, BROKEN, UNREADABLE = "keeps the rules", "breaks a rule", "the checker says nothing that can be read"
BLIND_RIGHT, BLIND_WRONG = "every blind reader is right", "a blind reader is not right"

Found = Literal["keep", "reject", "refused", "unreadable", "failed"]
"""What came of asking one model: a decision, or why there is none. A reader that reads nothing has no right
answer, so that it keeps a question; a checker that says nothing readable passes none."""

Decide = Callable[[QuestionCandidate, Response, str], Verdict | None]
"""From a question and what a model said of it to the model's verdict; None: nothing that can be read."""


def keeping_rules(
    work: Work,
    candidates: Sequence[QuestionCandidate],
    prompts: PromptSet,
    prompt: Callable[[QuestionCandidate], Prompt],
) -> list[QuestionCandidate]:
    """Return the questions in which no checker found a rule broken, and some checker found none.

    `prompt` is what a checker reads of a question. Raises WaitError where a checker has still to answer.
    """
    work.ask(CHECK, (work.request(CHECK, c.id, c.kind, prompt(c)) for c in candidates))

    def decide(candidate: QuestionCandidate, response: Response, model: str) -> Verdict | None:
        return checked(candidate, response, model, len(prompts.rules_of(candidate.kind)))

    replies, kept = work.replies(CHECK), []
    for c in candidates:
        heard = _heard(work, CHECK, c, replies, decide)
        found = {f for _, f in heard}
        if "reject" in found:
            outcome = BROKEN
        elif "keep" in found:
            outcome = PASSED
            kept.append(c)
        else:
            outcome = NOT_DECIDED if "failed" in found else UNREADABLE
        _note(work, CHECK, c, outcome, outcome == PASSED, _status(heard, "passed", "refused by"))
    return kept


def not_blind(
    work: Work, candidates: Sequence[QuestionCandidate], prompts: PromptSet, readers: int
) -> list[QuestionCandidate]:
    """Return the questions that at least one of so many blind readers does not get right.

    Raises WaitError where readers have still to answer.
    """
    variant = Variant(name=BLIND.name, media_withheld=True)
    work.ask(
        BLIND,
        (work.request(BLIND, c.id, c.kind, blind_prompt(c, prompts), variant, c.choices) for c in candidates),
        readers,
    )
    replies, kept = work.replies(BLIND), []
    for c in candidates:
        heard = _heard(work, BLIND, c, replies, tried)
        found = {f for _, f in heard}
        if found & {"keep", "unreadable", "refused"}:
            outcome = BLIND_WRONG
            kept.append(c)
        else:
            outcome = NOT_DECIDED if "failed" in found else BLIND_RIGHT
        _note(work, BLIND, c, outcome, outcome == BLIND_WRONG, _status(heard, "wrong", "right"))
    return kept


def blind_prompt(candidate: QuestionCandidate, prompts: PromptSet) -> Prompt:
    """Return what a model reads that sees nothing of what the question is about."""
    asked = f"Question: {candidate.text}\n{listed_options(candidate.choices)}"
    return Prompt(parts=(TextPart(text=f"{prompts.text('blind')}\n\n{asked}"),))


class _Checked(msgspec.Struct, forbid_unknown_fields=True):
    broken: list[int]
    reason: str = ""


def checked(candidate: QuestionCandidate, response: Response, model: str, rules: int) -> Verdict | None:
    """Return a checker's verdict; the rules are numbered from 1 to `rules`."""
    said = said_in(response.text, _Checked)
    if isinstance(said, str) or not all(1 <= n <= rules for n in said.broken):
        return None
    broken = ", ".join(str(n) for n in sorted(set(said.broken)))
    why = one_line(said.reason)[:300]
    return Verdict(
        question=candidate.id,
        reviewer=f"{CHECK.name}:{model}",
        decision="reject" if broken else "keep",
        reason=f"breaks rule {broken}: {why}".rstrip(": ") if broken else why,
    )


def tried(candidate: QuestionCandidate, response: Response, model: str) -> Verdict | None:
    """Return a blind reader's verdict: whether it was right (reject) or not (keep)."""
    picked = EXTRACTOR.read(candidate.question, response.text).picked
    if picked is None:
        return None
    right = picked == candidate.answer
    return Verdict(
        question=candidate.id,
        reviewer=f"{BLIND.name}:{model}",
        decision="reject" if right else "keep",
        answer_given=picked,
        reason=f"{'right' if right else 'wrong'} without seeing the object",
    )


def _heard(
    work: Work, step: ModelStep, candidate: QuestionCandidate, replies: Sequence[Replies], decide: Decide
) -> list[tuple[str, Found]]:
    """Return what each model decided of a question, and keep the verdicts."""
    heard: list[tuple[str, Found]] = []
    for run in replies:
        if candidate.id not in run.asked:
            continue
        response = run.responses.get(candidate.id)
        if response is None or (failed := failure_of(response)):
            heard.append((run.model, "failed" if response is None or failed == FAILED else "refused"))
            continue
        verdict = decide(candidate, response, run.model)
        heard.append((run.model, verdict.decision if verdict else "unreadable"))
        if verdict:
            work.outcomes.verdicts.append(verdict)
    return heard


def _note(
    work: Work, step: ModelStep, candidate: QuestionCandidate, outcome: str, stays: bool, status: str
) -> None:
    work.outcomes.note(step.name, candidate, outcome, stays, status)
    if not stays:
        work.outcomes.reject(
            step.name, candidate.id, candidate.subject, candidate.text, candidate.writer, outcome, status
        )


def _status(heard: Sequence[tuple[str, Found]], keep: str, reject: str) -> str:
    words = {"keep": keep, "reject": reject}
    return ", ".join(f"{model}: {words.get(found, found)}" for model, found in heard)
