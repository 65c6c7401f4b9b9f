"""Which families of questions a set asks, against the shares that it should ask of them.

A task's families are taken together by kind (one hop, two hops, "and also"): each kind and each family has a
target share of its task, the same for every number of scenes but where it would be asked too seldom.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fathom.pages.tables import Table, per_cent
from fathom.questions.asking import FEWEST, FROM_SCENES, Asking
from fathom.questions.templates import Template
from fathom.records import Question

WITHIN = 0.1
"""By what part of its target a share may be off."""


@dataclass(frozen=True)
class Share:
    """How much of its task a family, or a kind of families, is asked, and how much it should be."""

    task: str
    name: str
    families: int
    asked: int
    of: int
    target: float

    @property
    def found(self) -> float:
        """The share that was asked."""
        return self.asked / max(self.of, 1)

    @property
    def is_met(self) -> bool:
        """Whether the share is within a tenth of its target, or as near to it as whole questions come."""
        return abs(self.asked - self.target * self.of) <= max(WITHIN * self.target * self.of, 1.0)

    def __str__(self) -> str:
        """Return what was found in words."""
        return f"{self.name} {per_cent(self.found)} of {per_cent(self.target)} % ({self.asked})"


def family_shares(questions: Sequence[Question], asking: Asking, scenes: int) -> list[Share]:
    """Return the share of every family of a set of so many scenes, in the order of the templates."""
    asked = Counter(q.tags.get("template", "") for q in questions)
    of = Counter(q.task for q in questions)
    targets = asking.targets(scenes)
    return [
        Share(t.task, t.id, 1, asked[t.id], of[t.task], targets[t.id]) for t in asking.templates if of[t.task]
    ]


def kind_shares(questions: Sequence[Question], asking: Asking, scenes: int) -> list[Share]:
    """Return the share of every kind of families of every task."""
    kinds: dict[tuple[str, str], list[Share]] = defaultdict(list)
    of: dict[str, Template] = {t.id: t for t in asking.templates}
    for share in family_shares(questions, asking, scenes):
        kinds[share.task, of[share.name].kind or share.name].append(share)
    return [
        Share(task, kind, len(some), sum(s.asked for s in some), some[0].of, sum(s.target for s in some))
        for (task, kind), some in kinds.items()
    ]


def shares_table(questions: Sequence[Question], asking: Asking, scenes: int) -> Table:
    """Return every kind of question with its share and its target, and by name the families that fall
    short.
    """
    families = family_shares(questions, asking, scenes)
    never = [s.name for s in families if not s.asked]
    seldom = [s for s in families if 0 < s.asked < FEWEST and scenes >= FROM_SCENES]
    short = [s for s in families if s.asked and not s.is_met and s not in seldom]
    notes = [f"{len(families) - len(never)} of {len(families)} templates are asked"]
    if never:
        notes.append(f"never asked: {', '.join(never)}")
    if seldom:
        notes.append(f"asked fewer than {FEWEST} times: {', '.join(map(str, seldom))}")
    if short:
        notes.append(f"more than a tenth off their target share: {', '.join(map(str, short))}")
    rows = tuple(
        (
            f"{s.task}: {s.name}",
            str(s.families),
            str(s.asked),
            per_cent(s.found),
            per_cent(s.target),
            "yes" if s.is_met else "no",
        )
        for s in kind_shares(questions, asking, scenes)
    )
    return Table(
        title="What is asked, against its target",
        columns=("task and kind", "templates", "asked", "share, %", "target, %", "on target"),
        rows=rows,
        notes=tuple(notes),
    )


def shares_words(questions: Sequence[Question], asking: Asking, scenes: int) -> tuple[bool, str]:
    """Return whether every kind has its share, and in words how many have it."""
    kinds = kind_shares(questions, asking, scenes)
    off = [s for s in kinds if not s.is_met]
    worst = max(off, key=lambda s: abs(s.found / s.target - 1), default=None)
    told = f"{len(kinds) - len(off)} of {len(kinds)} kinds are within a tenth of their target"
    return not off, told + (f"; farthest off: {worst.task} {worst}" if worst else "")
