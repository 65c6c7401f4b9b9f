"""Descriptions and sentences in English: articles, plurals, and whose left is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fathom.english import article, plural
from fathom.questions.notation import filled_text
from fathom.questions.templates import Template, Words


@dataclass(frozen=True)
class Wording:
    """How relation words are said, and how a question begins.

    `phrases` maps a task and an operator to its words and their phrases ("left": "to the left of"); the task
    "" stands for all. `openings` are put before the questions of a task; one of them is chosen. `noun` stands
    where a description has no shape word.
    """

    phrases: Mapping[tuple[str, str], Mapping[str, str]]
    openings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noun: str = "object"

    def phrase(self, template: Template, op: str, word: str) -> str:
        """Return how a relation word is said."""
        found = self.phrases.get((template.task, op)) or self.phrases[("", op)]
        return found[word]


@lru_cache(maxsize=65536)
def described(words: Words, noun: str = "object", many: bool = False) -> str:
    """Return a description without article: "large red suv", "blue objects"."""
    size, color, shape = words
    head = shape or noun
    return " ".join(w for w in (size, color, plural(head) if many else head) if w)


def sentence(
    template: Template, variant: int, opening: str, slots: Mapping[str, Words | str], wording: Wording
) -> str:
    """Return the text of a question: a variant of the template with its slots filled."""

    def fill(slot: str, form: str) -> str:
        value = slots[slot]
        if isinstance(value, str):
            return wording.phrase(template, template.relations[slot], value)
        if form == "pl":
            return described(value, wording.noun, many=True)
        bare = described(value, wording.noun)
        if form == "a":
            return f"{article(bare)} {bare}" if any(value) else f"another {bare}"
        return f"the {bare}" if form == "the" else bare

    text = filled_text(template.texts[variant], fill)
    text = f"{opening} {text}" if opening else text
    return text[0].upper() + text[1:]


@lru_cache(maxsize=65536)
def mask_name(words: Words, classes: frozenset[str]) -> str:
    """Return which words a description has: "size+color+class", "shape", or "none"."""
    names = [n for n, w in zip(("size", "color"), words[:2], strict=True) if w]
    if words[2]:
        names.append("class" if words[2] in classes else "shape")
    return "+".join(names) or "none"
