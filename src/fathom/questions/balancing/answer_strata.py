"""The candidates of forms by answer, and which answers can be drawn evenly from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fathom.programs.sides import SEEN_WAYS
from fathom.programs.state import TOGETHER
from fathom.questions.animated_candidate import AnimatedCandidate
from fathom.questions.balancing.false_choices import CHOICES, windows
from fathom.questions.balancing.sampler import SceneRoom
from fathom.questions.templates import Template

LEVEL = 0.5
"""How much less likely an answer is drawn for each time that it was drawn more often than others."""

MOST_MISSES = 12
"""After how many answers drawn in vain no more of a form is asked."""

FIXED_KEYS = {
    "sides": ("front", "left", "behind", "right"),
    "views": ("front", "left", "behind", "right"),
    "seen ways": SEEN_WAYS,
    "places reached": SEEN_WAYS,
    "even numbers": ("2", "4", "6", "8"),
    "goes": ("forward", "backward", "left", "right"),
    "color sets": ("neither", "one", "other", "both"),
    "side counts": ("more", "fewer", "both the lower", "both the higher"),
}
"""Options of which there are always the same, each as likely: their keys, or what kinds of keys there are."""


@dataclass
class AnswerStrata:
    """The candidates of forms that are balanced together, by answer, as far as they are left, and the rows of
    numbers that are still drawn from: the first number → how many questions more.
    """

    templates: tuple[Template, ...]
    left: dict[str, list[AnimatedCandidate]]
    rows: dict[int, int]
    misses: int = 0
    drawn: Counter[str] = field(default_factory=Counter)

    @property
    def asks(self) -> str:
        """What the answers are."""
        return self.templates[0].asks

    @property
    def weight(self) -> float:
        """How often it is drawn from, against other forms."""
        return sum(t.weight for t in self.templates)

    @property
    def is_open(self) -> bool:
        """Whether something may still be had."""
        full = self.asks != "numbers" or any(self.rows.values())
        return full and self.misses < MOST_MISSES and any(self.left.values())

    def has(self, trait: str, room: SceneRoom) -> bool:
        """Return whether a candidate is left that has a trait of `TRAITS`."""
        return any(
            getattr(c, trait) and room.of_scene(c.scene) > 0 for found in self.left.values() for c in found
        )

    def key(self, g: np.random.Generator) -> str:
        """Return the key of one of the fixed options to be asked for: what is drawn must not depend on what
        there is, but the rarer it has been, the likelier.
        """
        keys = FIXED_KEYS[self.asks]
        return keys[_level([self.drawn[k] for k in keys], g)]

    def number(self, g: np.random.Generator, asked: Counter[tuple[int, int]]) -> tuple[str, int]:
        """Return a number to be asked for, and the first of its choices.

        `asked` has how often each was the answer among the choices from a first one on. Rows of rare numbers
        and numbers that are rare in their row are drawn more often, so that neither tells anything.
        """
        firsts = sorted(f for f, room in self.rows.items() if room)
        so_far = Counter({n: 0 for f in firsts for n in range(f, f + CHOICES)})
        for (_, n), count in asked.items():
            so_far[n] += count
        rooms = np.array([self.rows[f] / (1 + so_far[f] + so_far[f + CHOICES - 1]) for f in firsts])
        first = firsts[int(g.choice(len(firsts), p=rooms / rooms.sum()))]
        self.rows[first] -= 1
        return str(first + _level([asked[first, n] for n in range(first, first + CHOICES)], g)), first

    def miss(self, answer: str, first: int, asked: Counter[tuple[int, int]]) -> None:
        """Count that an answer was drawn in vain; where it is the rarest, the others must not get ahead."""
        self.misses += 1
        if first and asked[first, int(answer)] == min(asked[first, n] for n in range(first, first + CHOICES)):
            self.rows[first] = 0
        keys = FIXED_KEYS.get(self.asks, ())
        if keys and not self.left.get(answer) and self.drawn[answer] == min(self.drawn[k] for k in keys):
            self.misses = MOST_MISSES


def _level(counts: Sequence[int], g: np.random.Generator) -> int:
    """Return a place, drawn the likelier the less often it has been."""
    chances = LEVEL ** (np.array(counts, dtype=float) - min(counts))
    return int(g.choice(len(counts), p=chances / chances.sum()))


def _drawn_as(candidate: AnimatedCandidate) -> str:
    """Return what is drawn where a candidate is: its answer's key, or what kind of key that is."""
    key, asks = candidate.answer.key, candidate.template.asks
    if asks == "color sets":
        return _colors_as(candidate)
    if asks != "side counts":
        return key
    one, other = (own.partition("=")[2] for own in key.split(TOGETHER))
    if one != other:
        return "more" if int(one) > int(other) else "fewer"
    lower = {own.partition("=")[2] for o in candidate.pool for own in o.key.split(TOGETHER)}
    return "both the lower" if min(map(int, lower)) == int(one) else "both the higher"


def _colors_as(candidate: AnimatedCandidate) -> str:
    """Return which of two colors that not all choices have the answer has: of one, the first in the alphabet,
    or the other.
    """
    own, *rest = (set(o.key.split(TOGETHER)) for o in (candidate.answer, *candidate.pool))
    open_ = sorted(own.union(*rest) - own.intersection(*rest))
    held = [k for k, color in enumerate(open_) if color in own]
    return "neither" if not held else "both" if len(held) > 1 else ("one", "other")[held[0]]


def answers_of(candidates: Sequence[AnimatedCandidate], g: np.random.Generator) -> AnswerStrata:
    """Return the candidates of forms that are balanced together by answer, in any order."""
    templates = tuple(dict.fromkeys(c.template for c in candidates))
    left: dict[str, list[AnimatedCandidate]] = defaultdict(list)
    for k in g.permutation(len(candidates)):
        left[_drawn_as(candidates[int(k)])].append(candidates[int(k)])
    rows: dict[int, int] = {}
    if templates[0].asks == "numbers":
        usable = {int(a): len({(c.form, c.scene) for c in cs}) for a, cs in left.items()}
        least = min(t.least for t in templates)
        # Drawn until one of the four cannot be had, the rarest comes up that often on average.
        rows = {first: (room + 1) * CHOICES for first, room in windows(usable, least).items()}
    return AnswerStrata(templates, left, rows)
