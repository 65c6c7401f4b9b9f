"""What goes on from each step, and why the rest does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fathom.build.written.candidates import Candidate
from fathom.build.written.drafts import DUPLICATE, is_duplicate, read_draft
from fathom.build.written.judging import BLIND, CHECK, Outcome, checked, tried
from fathom.build.written.requests import Said
from fathom.build.written.review import Reviewed
from fathom.build.written.tables import Fate
from fathom.records import Verdict

WRITE, REVIEW = "write", "review"

FAILED, REFUSED = "the request failed", "the model refused"
WRITTEN = "a question of the right form"
PASSED, BROKEN, UNREADABLE = "keeps the rules", "breaks a rule", "the checker says nothing that can be read"
NOT_DECIDED = "not decided: a request failed"
BLIND_RIGHT, BLIND_WRONG = "every blind reader is right", "a blind reader is not right"
KEPT, REJECTED, WAITING = "kept by people", "rejected by people", "waits for people"


@dataclass
class Sifted:
    """What became of everything so far: fates for the table, verdicts, and each question's status by step."""

    fates: list[Fate] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    status: dict[str, dict[str, str]] = field(default_factory=dict)

    def note(self, step: str, candidate: Candidate, outcome: str, stays: bool, status: str) -> None:
        """Keep what became of a question in a step."""
        self.fates.append(Fate(step, candidate.task, outcome, stays))
        self.status.setdefault(candidate.id, {})[step] = status


def written(
    said: Sequence[Said], tasks: Mapping[str, tuple[str, str]], seed: str, sifted: Sifted
) -> list[Candidate]:
    """Return the questions that writers wrote; `tasks` gives object and subtask of each request."""
    found: dict[str, list[Candidate]] = {}
    for run in said:
        for name in run.asked:
            if name not in tasks:  # of an object that the dataset no longer has
                continue
            thing, task = tasks[name]
            response = run.responses.get(name)
            if response is None or response.status != "ok":
                refused = response is not None and response.status == "refused"
                sifted.fates.append(Fate(WRITE, task, REFUSED if refused else FAILED))
                continue
            draft = read_draft(response.text, thing, task, run.model, seed)
            before = found.setdefault(thing, [])
            if isinstance(draft, str):
                sifted.fates.append(Fate(WRITE, task, draft))
            elif is_duplicate(draft, before):
                sifted.fates.append(Fate(WRITE, task, DUPLICATE))
            else:
                before.append(draft)
                sifted.note(WRITE, draft, WRITTEN, True, run.model)
    return [c for listed in found.values() for c in listed]


def passed(candidates: Sequence[Candidate], said: Sequence[Said], sifted: Sifted) -> list[Candidate]:
    """Return the questions in which no checker found a rule broken, and some checker found none."""
    kept = []
    for c in candidates:
        outcomes = _heard(c, said, CHECK, sifted)
        found = {o for _, o in outcomes}
        if "reject" in found:
            outcome = BROKEN
        elif "keep" in found:
            outcome = PASSED
            kept.append(c)
        else:
            outcome = NOT_DECIDED if "failed" in found else UNREADABLE
        sifted.note(CHECK, c, outcome, outcome == PASSED, _status(outcomes, "passed", "refused by"))
    return kept


def not_blind(candidates: Sequence[Candidate], said: Sequence[Said], sifted: Sifted) -> list[Candidate]:
    """Return the questions that at least one blind reader does not get right."""
    kept = []
    for c in candidates:
        outcomes = _heard(c, said, BLIND, sifted)
        found = {o for _, o in outcomes}
        if found & {"keep", "unreadable", "refused"}:
            outcome = BLIND_WRONG
            kept.append(c)
        else:
            outcome = NOT_DECIDED if "failed" in found else BLIND_RIGHT
        sifted.note(BLIND, c, outcome, outcome == BLIND_WRONG, _status(outcomes, "wrong", "right"))
    return kept


def reviewed(decided: Sequence[Reviewed], sifted: Sifted) -> list[Candidate]:
    """Return the questions that people keep, as they left them."""
    kept = []
    for each in decided:
        sifted.verdicts += each.verdicts
        outcome = {"keep": KEPT, "reject": REJECTED, "": WAITING}[each.decision]
        people = ", ".join(dict.fromkeys(v.reviewer.partition(":")[2] for v in each.verdicts))
        status = f"{'mended' if each.mended else each.decision} by {people}" if people else ""
        sifted.note(REVIEW, each.candidate, outcome, each.decision == "keep", status)
        if each.decision == "keep":
            kept.append(each.candidate)
    return kept


def _heard(
    candidate: Candidate, said: Sequence[Said], step: str, sifted: Sifted
) -> list[tuple[str, Outcome]]:
    """Return what each model decided of a question, and keep the verdicts."""
    decide = checked if step == CHECK else tried
    found: list[tuple[str, Outcome]] = []
    for run in said:
        if candidate.id not in run.asked:
            continue
        outcome, verdict = decide(candidate, run.responses.get(candidate.id), run.model)
        found.append((run.model, outcome))
        if verdict is not None:
            sifted.verdicts.append(verdict)
    return found


def _status(outcomes: Sequence[tuple[str, Outcome]], keep: str, reject: str) -> str:
    words = {"keep": keep, "reject": reject}
    return ", ".join(f"{model}: {words.get(outcome, outcome)}" for model, outcome in outcomes)
