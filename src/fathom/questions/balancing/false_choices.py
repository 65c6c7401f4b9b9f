"""Drawing false choices so that what is offered does not tell what is right.

Of four choices one is right: a text that would be the answer k times over a dataset should stand among the
choices 4k times, else whoever has learnt the dataset's texts guesses better than chance. False choices are
drawn to come as near to that as the films allow, those that are true of something else in the film first.

How often a text would be the answer is learnt from selections that might as well have been made. Taken from
the one that was made, the balance would be exact, and would tell: who knows all answers but one would look
for the text that is still owed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.balancing.level_places import level_places
from fathom.questions.distractors.sources import ABSENT, RIVAL, Option
from fathom.store.seeds import rng

CHOICES = 4
SWEEPS = 12
ABSENT_COSTS = 4.0
"""How uneven texts may become, in questions, before a choice is taken that is true of nothing in the film."""

NOISE = 1.0
WEIGHTS = (1.0, 0.5, 1.0)
"""How much it counts that texts are even over the dataset, within a form, and of an asset."""

NEARLY_SAME = 6.0
"""What a second choice costs about the same object, or of an action that looks alike."""
ALIKE = {"absent verbs": "verbs", "other verbs": "verbs"}
"""Options whose texts are the same, and are weighed together."""

FIXED = ("even numbers", "sides", "views", "flanks", "goes", "orders", "numbers", "sequences",
         "deeds", "seen ways", "places reached", "color sets", "side counts")  # fmt: skip
"""Options that are not weighed: the same for all questions of a form, or drawn with the answer."""


def windows(available: Mapping[int, int], least: int = 1) -> dict[int, int]:
    """Return the first numbers of choices that can be drawn evenly, each with how many questions it allows.

    Choices are four numbers in a row from `least` on, and each of the four must be as likely to be right.
    """
    left = dict(available)
    out: dict[int, int] = {}
    for first in sorted(range(least, max(left, default=0) + 1), key=lambda w: (-_room(left, w), w)):
        room = _room(left, first)
        if room:
            out[first] = room
            for n in range(first, first + CHOICES):
                left[n] -= room
    return out


def _room(available: Mapping[int, int], first: int) -> int:
    return min(available.get(n, 0) for n in range(first, first + CHOICES))


def draw(
    chosen: Sequence[AnimatedCandidate],
    firsts: Sequence[int],
    seed: str,
    rehearsed: Sequence[Sequence[AnimatedCandidate]] = (),
) -> list[tuple[Option, ...]]:
    """Return the choices of each question, in the order shown.

    `firsts` has for questions about numbers the first one of the choices, else 0; `rehearsed` what might as
    well have been chosen. A pure function of its arguments.
    """
    g = rng(seed, "choices")
    false: list[list[Option]] = []
    groups: dict[str, list[int]] = defaultdict(list)
    for k, c in enumerate(chosen):
        options = c.template.asks
        if options == "numbers":
            row = [str(n) for n in range(firsts[k], firsts[k] + CHOICES)]
            false.append([o for o in c.pool if o.key in row])
        else:
            false.append(_at_random(c, g))
        if options not in FIXED:
            groups[ALIKE.get(options, options)].append(k)
    owed = _owed(rehearsed or [chosen])
    near = [c.template.near for c in chosen]
    for name, members in sorted(groups.items()):
        _even_out(chosen, false, members, near, owed[name], g)
    return [
        _placed(c.answer, f, place, g)
        for c, f, place in zip(chosen, false, _level(chosen, seed), strict=True)
    ]


def _owed(selections: Sequence[Sequence[AnimatedCandidate]]) -> dict[str, dict[tuple[str, str], float]]:
    """Return how often each text is to be a false choice, by the options that it belongs to: three times as
    often as it is right on average.
    """
    owed: dict[str, dict[tuple[str, str], float]] = defaultdict(lambda: defaultdict(float))
    for c in (c for chosen in selections for c in chosen):
        options = c.template.asks
        for told in _tallies(c, c.answer):
            owed[ALIKE.get(options, options)][told] += (CHOICES - 1) / len(selections)
    return owed


def _at_random(candidate: AnimatedCandidate, g: np.random.Generator) -> list[Option]:
    """Return three false choices, what world knowledge would say among them."""
    forced = [candidate.prior] if candidate.prior else []
    free = [o for o in candidate.pool if all(o.key != p.key for p in forced)]
    order = sorted(
        g.permutation(len(free)), key=lambda k: (free[k].source == ABSENT) - (free[k].source == RIVAL)
    )
    return [*forced, *(free[int(k)] for k in order[: CHOICES - 1 - len(forced)])]


def _even_out(
    chosen: Sequence[AnimatedCandidate],
    false: list[list[Option]],
    members: Sequence[int],
    near: Sequence[int],
    owed: Mapping[tuple[str, str], float],
    g: np.random.Generator,
) -> None:
    """Draw the false choices of questions again, one question at a time, until texts come out even."""
    # What is still to be offered of each text: over the dataset, in its form, of its asset.
    short = defaultdict(float, owed)
    for k in members:
        for o in false[k]:
            _count(short, chosen[k], o, -1)
    for _ in range(SWEEPS):
        for k in g.permutation(members).tolist():
            c = chosen[k]
            for o in false[k]:
                _count(short, c, o, 1)
            forced = [c.prior] if c.prior else []
            free = [o for o in c.pool if all(o.text != p.text for p in forced)]
            noise = g.random(len(free)) * NOISE
            cost = [
                ABSENT_COSTS * (o.source == ABSENT)
                - sum(w * short[told] for w, told in zip(WEIGHTS, _tallies(c, o), strict=True))
                for o in free
            ]
            count = CHOICES - 1 - len(forced)
            false[k] = [*forced, *_cheapest(free, np.array(cost) + noise, count, near[k])]
            for o in false[k]:
                _count(short, c, o, -1)


def _count(
    short: defaultdict[tuple[str, str], float], candidate: AnimatedCandidate, option: Option, by: int
) -> None:
    for told in _tallies(candidate, option):
        short[told] += by


def _tallies(candidate: AnimatedCandidate, option: Option) -> tuple[tuple[str, str], ...]:
    """Return under which heads a choice's text is counted, as many as there are weights."""
    return ("", option.text), (f"form {candidate.form}", option.text), (candidate.asset, option.text)


def _cheapest(free: Sequence[Option], cost: NDArray[np.float64], count: int, near: int) -> list[Option]:
    """Return the cheapest options, `near` of them true of something in the film and one a rival of the answer
    where there is any, not several that say nearly the same: the answer would be the odd one out.
    """
    left = cost.copy()
    taken: list[Option] = []
    absent = np.array([o.source == ABSENT for o in free])
    rival = np.array([o.source == RIVAL for o in free])
    for place in range(min(count, len(free))):
        held = left + np.where(absent & (place < near), 1e6, 0.0)
        if place == 0 and rival.any():
            held = held + np.where(rival, 0.0, 1e6)
        k = int(np.argmin(held))
        taken.append(free[k])
        left[k] = np.inf
        left += [NEARLY_SAME * o.nearly(free[k]) for o in free]
    return taken


def _level(chosen: Sequence[AnimatedCandidate], seed: str) -> list[int]:
    """Return at which place of its choices each answer stands."""
    shared = [
        ("all", f"task {c.template.task}", f"form {c.form}", f"text {c.answer.text}", f"asset {c.asset}")
        for c in chosen
    ]
    return level_places(shared, CHOICES, rng(seed, "places"))


def _placed(
    answer: Option, false: Sequence[Option], place: int, g: np.random.Generator
) -> tuple[Option, ...]:
    """Return the choices with the answer at a place, the others in any order."""
    others = [false[int(k)] for k in g.permutation(len(false))]
    return (*others[:place], answer, *others[place:])
