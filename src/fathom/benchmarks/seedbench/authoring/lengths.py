"""The length of an option does not tell whether it is right.

A writer may give more than three wrong options. Three of them are kept, so that the right one is as often
the longest as the second, the third and the shortest. What still tells is thinned: of a dimension, the right
option is the only longest, or the only shortest, of no more than a quarter of the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import OPTIONS
from fathom.authoring.work import Work
from fathom.extraction.words import canonical
from fathom.store.seeds import rng, short_hash

LENGTHS = "lengths"
"""The step in which nobody is asked: the lengths of options are made even."""

TOLD_BY_LENGTH = "the right option is the longest, or the shortest, too often"
EVEN = "lengths of options tell nothing"

Told = Callable[[QuestionCandidate], bool]


def longest(candidate: QuestionCandidate) -> bool:
    """Return whether the right option is longer than each other one."""
    return all(len(c) < len(candidate.answer) for c in candidate.choices if c != candidate.answer)


def shortest(candidate: QuestionCandidate) -> bool:
    """Return whether the right option is shorter than each other one."""
    return all(len(c) > len(candidate.answer) for c in candidate.choices if c != candidate.answer)


def chosen(choices: Sequence[str], answer: str, seed: str, *names: str) -> list[str]:
    """Return the right option and three of the wrong ones, where there are more; else all options.

    How many of the three are longer than the right one is drawn; where the writer gave too few such, others
    stand in for them. What is drawn hangs on the seed and the names alone.
    """
    false = [c for c in choices if c != answer]
    if len(false) < OPTIONS or answer not in choices or len({canonical(c) for c in choices}) < len(choices):
        return list(choices)
    drawn = rng(seed, "wrong options", *names)
    pool = [false[k] for k in drawn.permutation(len(false))]
    wanted = int(drawn.integers(OPTIONS))
    longer = sorted((c for c in pool if len(c) >= len(answer)), key=lambda c: len(c) == len(answer))[:wanted]
    shorter = sorted((c for c in pool if len(c) <= len(answer)), key=lambda c: len(c) == len(answer))
    kept = longer + [c for c in shorter if c not in longer][: OPTIONS - 1 - len(longer)]
    kept += [c for c in pool if c not in kept][: OPTIONS - 1 - len(kept)]
    return [answer, *kept]


def evened(work: Work, written: Sequence[QuestionCandidate], seed: str) -> list[QuestionCandidate]:
    """Return the questions without those that make the length of an option tell whether it is right."""
    gone = told_by_length(written, seed)
    for c in written:
        outcome = TOLD_BY_LENGTH if c.id in gone else EVEN
        work.outcomes.note(LENGTHS, c, outcome, c.id not in gone, outcome)
        if c.id in gone:
            work.outcomes.reject(LENGTHS, c.id, c.subject, c.text, c.writer, outcome)
    return [c for c in written if c.id not in gone]


def told_by_length(candidates: Sequence[QuestionCandidate], seed: str) -> set[str]:
    """Return the ids of questions that go, so that in none of the dimensions lengths tell the right options.

    Which ones go hangs on the seed and on the question.
    """
    gone: set[str] = set()
    for kind in dict.fromkeys(c.kind for c in candidates):
        of_kind = [c for c in candidates if c.kind == kind]
        before = -1
        while len(gone) > before:  # what goes for one length makes the share of the other one larger
            before = len(gone)
            for told in (longest, shortest):
                gone |= _too_many([c for c in of_kind if c.id not in gone], told, seed)
    return gone


def _too_many(candidates: Sequence[QuestionCandidate], told: Told, seed: str) -> set[str]:
    those = sorted((c for c in candidates if told(c)), key=lambda c: short_hash(seed, "lengths", c.id))
    n = len(candidates)
    go = next(k for k in range(len(those) + 1) if len(those) - k <= -(-(n - k) // OPTIONS))
    return {c.id for c in those[:go]}
