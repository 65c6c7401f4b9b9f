"""Drawing false choices so that what is offered does not tell what is right.

Of four choices one is right: a text that is the answer k times over a dataset should stand among the choices
4k times, else whoever has learnt the dataset's texts guesses better than chance. False choices are drawn to
come as near to that as the films allow, those that are true of something else in the film first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.build.options.pools import ABSENT, LEAST, Option
from fathom.build.questions.stories.asking import Candidate
from fathom.build.questions.stories.forms import Form
from fathom.store.seeds import rng

CHOICES = 4
SWEEPS = 12
ABSENT_COSTS = 4.0
"""How uneven texts may become, in questions, before a choice is taken that is true of nothing in the film."""

NOISE = 0.5
SAME_SUBJECT = 6.0
"""What a second choice about the same thing costs, where choices are about things that happen."""
FIXED = ("even numbers", "sides", "views", "goes", "places", "orders", "numbers", "ways")
"""Options that are not weighed: the same for all questions of a form, or drawn with the answer."""


def windows(available: Mapping[int, int]) -> dict[int, int]:
    """Return the first numbers of choices that can be drawn evenly, each with how many questions it allows.

    Choices are four numbers in a row, and each of the four must be as likely to be right.
    """
    left = dict(available)
    out: dict[int, int] = {}
    for first in sorted(range(LEAST, max(left, default=0) + 1), key=lambda w: (-_room(left, w), w)):
        room = _room(left, first)
        if room:
            out[first] = room
            for n in range(first, first + CHOICES):
                left[n] -= room
    return out


def _room(available: Mapping[int, int], first: int) -> int:
    return min(available.get(n, 0) for n in range(first, first + CHOICES))


def draw(
    chosen: Sequence[Candidate], forms: Mapping[str, Form], firsts: Sequence[int], seed: str
) -> list[tuple[Option, ...]]:
    """Return the choices of each question, in the order shown.

    `firsts` has for questions about numbers the first one of the choices, else 0. A pure function of its
    arguments.
    """
    g = rng(seed, "choices")
    false: list[list[Option]] = []
    groups: dict[str, list[int]] = defaultdict(list)
    for k, c in enumerate(chosen):
        options = forms[c.form].options
        if options == "numbers":
            row = [str(n) for n in range(firsts[k], firsts[k] + CHOICES)]
            false.append([o for o in c.pool if o.key in row])
        else:
            false.append(_at_random(c, g))
        if options not in FIXED:
            groups[options].append(k)
    for _, members in sorted(groups.items()):
        _even_out(chosen, false, members, g)
    return [_shuffled(c, f, g) for c, f in zip(chosen, false, strict=True)]


def _at_random(candidate: Candidate, g: np.random.Generator) -> list[Option]:
    """Return three false choices, what world knowledge would say among them."""
    forced = [candidate.prior] if candidate.prior else []
    free = [o for o in candidate.pool if all(o.key != p.key for p in forced)]
    order = sorted(g.permutation(len(free)), key=lambda k: free[k].source == ABSENT)
    return [*forced, *(free[int(k)] for k in order[: CHOICES - 1 - len(forced)])]


def _even_out(
    chosen: Sequence[Candidate], false: list[list[Option]], members: Sequence[int], g: np.random.Generator
) -> None:
    """Draw the false choices of questions again, one question at a time, until texts come out even."""
    wanted = Counter[str]()
    per_form = Counter[tuple[str, str]]()
    for k in members:
        wanted[chosen[k].answer.text] += CHOICES - 1
        per_form[chosen[k].form, chosen[k].answer.text] += CHOICES - 1
    offered = Counter(o.text for k in members for o in false[k])
    in_form = Counter((chosen[k].form, o.text) for k in members for o in false[k])
    for _ in range(SWEEPS):
        for k in g.permutation(members).tolist():
            c = chosen[k]
            offered.subtract(o.text for o in false[k])
            in_form.subtract((c.form, o.text) for o in false[k])
            forced = [c.prior] if c.prior else []
            free = [o for o in c.pool if all(o.text != p.text for p in forced)]
            noise = g.random(len(free)) * NOISE
            cost = [
                offered[o.text] - wanted[o.text]
                + 0.5 * (in_form[c.form, o.text] - per_form[c.form, o.text])
                + ABSENT_COSTS * (o.source == ABSENT)
                for o in free
            ]  # fmt: skip
            false[k] = [*forced, *_cheapest(free, np.array(cost) + noise, CHOICES - 1 - len(forced))]
            offered.update(o.text for o in false[k])
            in_form.update((c.form, o.text) for o in false[k])


def _cheapest(free: Sequence[Option], cost: NDArray[np.float64], count: int) -> list[Option]:
    """Return the cheapest options, not several of the same subject: the answer would be the odd one out."""
    left = cost.copy()
    taken: list[Option] = []
    for _ in range(min(count, len(free))):
        k = int(np.argmin(left))
        taken.append(free[k])
        left[k] = np.inf
        subject = free[k].key.split(":")[1:2]
        if subject:
            left += [SAME_SUBJECT * (o.key.split(":")[1:2] == subject) for o in free]
    return taken


def _shuffled(candidate: Candidate, false: Sequence[Option], g: np.random.Generator) -> tuple[Option, ...]:
    everything = [candidate.answer, *false]
    return tuple(everything[int(k)] for k in g.permutation(len(everything)))
