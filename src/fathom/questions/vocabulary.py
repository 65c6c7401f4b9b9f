"""The words that descriptions and answers are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fathom.programs.predicates import POSES
from fathom.questions.templates import YES_NO, Template, Words


@dataclass(frozen=True)
class Vocabulary:
    """Sizes, colors, and shapes by class; `also` are other texts for a shape that mean the same answer."""

    sizes: tuple[str, ...]
    colors: tuple[str, ...]
    shapes: Mapping[str, str]
    also: Mapping[str, tuple[str, ...]]

    @cached_property
    def classes(self) -> frozenset[str]:
        """The class words."""
        return frozenset(self.shapes.values())

    def shapes_of(self, word: str) -> frozenset[str]:
        """Return the shapes that a shape word covers: itself, or all of its class."""
        if word in self.classes:
            return frozenset(name for name, of in self.shapes.items() if of == word or name == word)
        return frozenset((word,))

    def answers(self, template: Template) -> tuple[str, ...]:
        """Return the answers that questions of a template may have."""
        return template.possible or self._answers[template.asks]

    @cached_property
    def _answers(self) -> dict[str, tuple[str, ...]]:
        """All answers of each kind that is not counted."""
        return {
            "size": tuple(self.sizes),
            "color": tuple(self.colors),
            "shape": tuple(self.shapes),
            "pose": tuple(POSES),
            "exist": tuple(YES_NO),
            "compare": tuple(YES_NO),
        }

    def covers(self, wide: Words, narrow: Words) -> bool:
        """Return whether everything that `narrow` describes is also described by `wide`."""
        size, color, shape = wide
        if (size and size != narrow[0]) or (color and color != narrow[1]):
            return False
        return not shape or (bool(narrow[2]) and self.shapes_of(narrow[2]) <= self.shapes_of(shape))

    def ruled_out(self, asks: str, named: Words, known: Words) -> frozenset[str]:
        """Return the answers that another description, fitting one other object only, rules out.

        Were the object asked about like that in the one attribute asked, with the rest already `known` of it,
        the description would fit it too. "What shape is the red thing left of the red suv?" is not "suv".
        """
        index = ("size", "color", "shape").index(asks)
        if not named[index]:
            return frozenset()
        rest: list[str] = list(named)
        rest[index] = ""
        if not self.covers((rest[0], rest[1], rest[2]), known):
            return frozenset()
        return self.shapes_of(named[2]) if asks == "shape" else frozenset((named[index],))
