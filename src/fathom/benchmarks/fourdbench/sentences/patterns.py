"""What a sentence of the grammar is: a pattern of a text with marks, and what it asks for.

It may have a moment or not, wherever that stands: the marks of moments are taken out before, but where a
sentence needs two of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fathom.benchmarks.fourdbench.sentences.marking import Marked, acting, happening
from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node, set_of
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence that is taken apart: its marks, the words in its gaps, and who could be meant."""

    found: Marked
    gaps: Mapping[str, str]
    cast: SceneNouns
    keys: frozenset[str]

    @property
    def moment(self) -> Node:
        """When; the whole film where nothing is said."""
        return self.found.moments[0] if self.found.moments else WHOLE

    @property
    def then(self) -> Node:
        """What happens at the time that is asked about: the event, or the change that is told by its rank."""
        return happening(self.found.events[0]) if self.found.events else self.found.changes[0]

    def event(self, place: int = 0) -> Node:
        """Return one of the events that are named."""
        return happening(self.found.events[place])

    @property
    def obj(self) -> Node:
        """The object that is named."""
        return self.found.objects[0] if self.found.objects else ("thing", self.found.antecedent())

    @property
    def side(self) -> str:
        """The side of the actor that is named."""
        return self.found.sides[0]

    @property
    def act(self) -> Node:
        """The action in the gap."""
        return acting(self.gaps["verb"], self.keys)

    def doing(self, gap: str) -> Node:
        """Return the action in a gap of another name."""
        return acting(self.gaps[gap], self.keys)

    def kinds(self, *others: Node) -> Node:
        """Return the objects that stand there of the colour and name in the gap; "objects" is any name."""
        color, noun = _color_and_noun(self.gaps["kind"], self.cast)
        filters = [("named", noun, self.moment)] if noun else []
        filters += [("colored", color, self.moment)] if color else []
        return set_of("standing", *filters, *others)


def _color_and_noun(words: str, cast: SceneNouns) -> tuple[str, str]:
    color = next((c for c in cast.colors if words.startswith(f"{c} ")), "")
    noun = words.removeprefix(color).strip()
    if noun == "objects" and "object" not in cast.nouns:
        return color, ""
    return color, cast.noun_of(noun)


Builder = Callable[[ParsedSentence], Node]


@dataclass(frozen=True)
class Sentence:
    """What a pattern asks, of which task; `moments` are how many it takes: none, one, at most one, two."""

    task: str
    pattern: re.Pattern[str]
    build: Builder
    moments: tuple[int, ...] = (0,)
    other: bool = False


def ask(
    task: str, *patterns: str, build: Builder, moments: tuple[int, ...] = (0,), other: bool = False
) -> tuple[Sentence, ...]:
    """Return the sentences that ask the same in several ways."""
    return tuple(Sentence(task, re.compile(p), build, moments, other) for p in patterns)
