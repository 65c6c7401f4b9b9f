"""English that captions need: how verbs are said, numbers in words, what is many and what is no number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fathom.english import IRREGULAR, article, plural
from fathom.records import UnfitError


class SpokenVerb(Protocol):
    """A verb as sentences need it."""

    @property
    def third(self) -> str:
        """As in "it gallops"."""
        ...

    @property
    def ing(self) -> str:
        """As in "it is galloping"."""
        ...


@dataclass(frozen=True)
class VerbForms:
    """How an action is said: "gallops", "galloping"."""

    third: str
    ing: str


@dataclass(frozen=True)
class CaptionLexicon:
    """How verbs are said, by their key, and the plurals of nouns that the rules would get wrong."""

    verbs: Mapping[str, SpokenVerb]
    plurals: Mapping[str, str] = field(default_factory=dict)

    def forms(self, verb: str) -> SpokenVerb:
        """Return how a verb is said. Raises UnfitError for one that is not in the lexicon."""
        if verb not in self.verbs:
            raise UnfitError(
                f"verb {verb!r}: is not in the lexicon, so that nothing true can be said with it"
            )
        return self.verbs[verb]

    def many(self, noun: str) -> str:
        """Return the plural of a noun, which may have words before it ("gift box": "gift boxes")."""
        if noun in self.plurals:
            return self.plurals[noun]
        *before, last = noun.split(" ")
        return " ".join([*before, self.plurals.get(last) or plural(last)])


CLOTHES = frozenset(
    ("backpack", "belt", "boots", "cap", "cape", "crown", "glasses", "hat", "helmet", "mask", "scarf")
)
"""Nouns, or their last words, of what is worn; other objects are just there."""

UNCOUNTED = frozenset(
    (
        "armor", "chrome", "clothing", "cloth", "concrete", "dust", "fabric", "fire", "flesh",
        "fur", "gold", "grass", "hair", "ice", "leather", "metal", "moss", "mud", "plastic",
        "plumage", "rubber", "rust", "sand", "silver", "skin", "smoke", "snow", "steel", "stone",
        "water", "wax", "wood", "wool", "glass",
    )
)  # fmt: skip
"""Words for parts and materials that take neither an article nor a plural."""

PAIRED = frozenset({"scissors", "glasses", "goggles", "trousers", "pants", "shorts", "jeans", "overalls"})

_MANY = frozenset(many for one, many in IRREGULAR.items() if one != many)
_SINGULAR_S = frozenset(
    {"body", "canvas", "dress", "cactus", "lens", "bus", "glass", "cross", "moss", "compass"}
)


def is_many(noun: str) -> bool:
    """Return whether a noun is a plural already: "hooves", "wheels", "mane and tail"."""
    if " and " in noun:
        return True
    last = noun.split(" ")[-1]
    if last in _MANY or last in PAIRED:
        return True
    ends = last.endswith(("ss", "us", "is", "ops"))
    return last.endswith("s") and not ends and last not in _SINGULAR_S


def one(noun: str, color: str = "") -> str:
    """Return one thing, and its colour, with what stands before it: "an orange fox", "gray fur", "hooves"."""
    words = f"{color} {noun}".strip()
    head = noun.split(" ")[-1]
    return words if is_many(noun) or head in UNCOUNTED else f"{article(words)} {words}"


def single(noun: str, color: str = "") -> str:
    """Return a single figure, whatever its noun looks like: "a triceratops", "a red pair of scissors"."""
    words = f"{color} {'pair of ' if noun.split(' ')[-1] in PAIRED else ''}{noun}".strip()
    return f"{article(words)} {words}"


def joined(items: Sequence[str], last: str = "and") -> str:
    """Return items as a list in words: "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def sentence(text: str) -> str:
    """Return text with a capital at its beginning and one full stop at its end."""
    plain = re.sub(r"(?:, *)+([,;.])", r"\1", " ".join(text.split())).rstrip(" .;,")
    return f"{plain[0].upper()}{plain[1:]}."
