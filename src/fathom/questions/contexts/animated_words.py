"""How a language says what questions about films are made of, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from fathom.pronouns import personal, subject_of
from fathom.questions.notation import filled_text
from fathom.questions.templates import Fill


class VerbWords(Protocol):
    """How an action is said: "galloping", "gallops"; `alike` are verbs that could be said of it as well."""

    @property
    def ing(self) -> str:
        """The form after "is"."""
        ...

    @property
    def third(self) -> str:
        """The form after "it"."""
        ...

    @property
    def alike(self) -> tuple[str, ...]:
        """The keys of verbs that could be said of the same clip."""
        ...

    @property
    def countable(self) -> bool:
        """Whether one can ask how many times it is done."""
        ...


@dataclass(frozen=True)
class ActionWords:
    """An action's words."""

    key: str
    ing: str
    third: str
    alike: tuple[str, ...] = ()
    countable: bool = False


@dataclass(frozen=True)
class Language:
    """The words of questions and answers.

    moments : kind of moment → ways of saying it, with `{H}` for what happens then and `{V}` for what is done
    events : kind of event → the verb phrase after its subject, with `{detail}`
    any_change, any_changes : kind of event, "" for all → the verb phrase that tells only that, said of one
        object and of several
    ranks : which of several changes → how that is said
    sides, views, ways, goes : key → how it is said as an answer; `…_in_text` in a question
    shifts, limb_places : where a limb has got, and where it is from another one
    lines, courses : along which line a limb moves, how high one comes over time
    seen_ways : which way the actor goes, or faces, in one camera's picture
    places_reached : where it is then in that picture, against where it was
    obvious_reach : where a limb is farther than others → the last words of limbs that everybody knows it of
    growing_places : where something grows on an actor, as an answer
    machine_places : place → what it is called on a machine that lies
    headless_places : place → what it is called on what has no head
    growth_changes : whether what grows comes, besides others or not, or goes → how one asks how many do
    growth_times : which of the times at which one comes or goes → how that is said, after "when" or elsewhere
    plurals : noun → plural, where adding s is wrong
    vowels : words whose first letter misleads about a or an
    unsaid_verbs : keys of actions that could be said of any film: neither asked about nor offered
    unsaid_parts : words for parts that are not asked about
    alike_colors : colors that of a part, in its light, one could take for one another: never rivals there
    close_colors : the same, of whole objects: a change from one to the other is not spoken of
    mostly : words that say that an object is mostly hidden → those that say that all of it is
    falls : keys of actions in which the body goes down, whichever way it falls
    jumps : keys of actions in which the body goes up, after a crouch, or comes down
    seldom : keys of actions of which nobody asks how many times they are done: they end in another stance, as
        of what lies down, or hardly show
    obvious_limbs : verb → the last words of limbs that everybody knows to be what moves
    obvious_numbers : words for parts of which everybody knows how many there are
    obvious_colors : word for a part → the colors that such a part nearly always has
    natural_looks : categories of what has its color by nature
    natural_deeds : category, or last word of a limb → the actions that go without saying of what has that
    gaits : keys of actions in which arms and legs all swing: which of them goes farthest nobody sees
    next_forms : forms that ask what comes next, whose answers are balanced together
    """

    moments: Mapping[str, tuple[str, ...]]
    events: Mapping[str, str]
    any_change: Mapping[str, str]
    any_changes: Mapping[str, str]
    ranks: Mapping[str, str]
    sides: Mapping[str, str]
    sides_in_text: Mapping[str, str]
    views: Mapping[str, str]
    ways: Mapping[str, str]
    goes: Mapping[str, str]
    shifts: Mapping[str, str]
    limb_places: Mapping[str, str]
    lines: Mapping[str, str]
    courses: Mapping[str, str]
    seen_ways: Mapping[str, str]
    places_reached: Mapping[str, str]
    places_in_text: Mapping[str, str]
    plurals: Mapping[str, str]
    vowels: Mapping[str, bool]
    unsaid_verbs: frozenset[str] = frozenset()
    unsaid_parts: frozenset[str] = frozenset()
    alike_colors: frozenset[frozenset[str]] = frozenset()
    close_colors: frozenset[frozenset[str]] = frozenset()
    mostly: Mapping[str, str] = field(default_factory=dict)
    falls: frozenset[str] = frozenset()
    jumps: frozenset[str] = frozenset()
    gaits: frozenset[str] = frozenset()
    seldom: frozenset[str] = frozenset()
    obvious_limbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    obvious_numbers: frozenset[str] = frozenset()
    obvious_colors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    natural_looks: frozenset[str] = frozenset()
    natural_deeds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    next_forms: frozenset[str] = frozenset()
    obvious_reach: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    growing_places: Mapping[str, str] = field(default_factory=dict)
    machine_places: Mapping[str, str] = field(default_factory=dict)
    headless_places: Mapping[str, str] = field(default_factory=dict)
    growth_changes: Mapping[str, str] = field(default_factory=dict)
    growth_times: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def plural(self, noun: str) -> str:
        """Return the plural of a noun, which may have words before it."""
        if noun in self.plurals:
            return self.plurals[noun]
        *before, last = noun.split(" ")
        if last in self.plurals:
            last = self.plurals[last]
        elif last.endswith(("s", "x", "ch", "sh")):
            last += "es"
        elif last.endswith("y") and last[-2:-1] not in "aeiou":
            last = last[:-1] + "ies"
        else:
            last += "s"
        return " ".join([*before, last])

    def with_article(self, noun: str) -> str:
        """Return a noun after "a" or "an", a plural one ("wings") as it is."""
        if self.is_many(noun):
            return noun
        first = noun.split(" ", 1)[0]
        vowel = self.vowels.get(first, first[0] in "aeiou")
        return f"{'an' if vowel else 'a'} {noun}"

    def is_many(self, noun: str) -> bool:
        """Return whether a noun is a plural already: its own plural."""
        return self.plurals.get(noun.rsplit(" ", 1)[-1]) == noun.rsplit(" ", 1)[-1]

    def verb_phrase(self, many: bool, what: str, detail: str) -> str:
        """Return what an event does, said of one object or of many: "turns blue", "turn blue"."""
        said = detail if what != "swaps" else self.with_article(detail)
        phrase = self.events[what].format(detail=said)
        head, _, rest = phrase.partition(" ")
        if many:
            head = head[:-2] if head.endswith("shes") else head[:-1]
        return f"{head} {rest}".rstrip()


ASKS_FOR_ANOTHER = re.compile(
    r"\b(which|other|the) objects?\b|\b(closest|nearest)\b|\bon top of\b", re.IGNORECASE
)
"""What stands in a question of one object whose answer is another one."""


def sentence(text: str, actor: str, fills: Mapping[str, Fill], variant: int) -> str:
    """Return a text with its slots filled, beginning with a capital letter."""

    def fill(slot: str, way: str) -> str:
        if slot == "actor":
            return actor
        ways = fills[slot].said[way or "said"]
        return ways[variant % len(ways)]

    out = filled_text(text, fill)
    out = re.sub(r"\b(left|right) right (?=before|after)", r"\1 just ", out)
    # A slot may be filled with nothing: what stood around it closes up.
    out = re.sub(r"\s+([?.,;])", r"\1", re.sub(r"\s{2,}", " ", out)).lstrip(" ,")
    out = _said_once(out, actor, fills)
    return out[0].upper() + out[1:]


def _said_once(text: str, actor: str, fills: Mapping[str, Fill]) -> str:
    """Return a text that calls an object by its name only once, and then "it"."""
    named = [f for f in fills.values() if "is" in f.said and "said" in f.said]
    objects = [f for f in named if f.said["is"][0].endswith(f.said["said"][0])]
    # Where another object is asked for, "it" could be either.
    for fill in objects if not ASKS_FOR_ANOTHER.search(text) else ():
        name = fill.said["said"][0]
        word = "they" if fill.said["is"][0].startswith("are ") else "it"
        text = _after_first(text, rf"\b{re.escape(name)}\b(?!')", word)
    for fill in (f for f in named if f.said.get("it") and f not in objects):
        text = _after_first(
            text, rf"\bthe {re.escape(actor)}'s {re.escape(fill.said['said'][0])}\b", fill.said["it"][0]
        )
    # With an object beside the actor, "it" could be either.
    if objects:
        return text
    again = rf"\bthe {re.escape(actor)}(?= (?:is|starts|turns)\b)"
    return personal(_after_first(text, again, subject_of(actor), rf"the {actor}"), actor)


def _after_first(text: str, pattern: str, word: str, first: str = "") -> str:
    """Return a text with what fits a pattern exchanged, but where it stands first."""
    found = re.search(re.escape(first) if first else pattern, text, re.IGNORECASE)
    if not found:
        return text
    return text[: found.end()] + re.sub(pattern, word, text[found.end() :])
