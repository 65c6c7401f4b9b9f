"""The phrases that captions are made of; each notes what it claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fathom.authoring.captions.acts import ObservedAction
from fathom.authoring.captions.claims import IN_REVERSE, Claim
from fathom.authoring.captions.english import CaptionLexicon, is_many, joined, one, single
from fathom.authoring.captions.facts import Change, Facts, PropGroup
from fathom.authoring.captions.looks import looks_of, preposition
from fathom.english import number
from fathom.programs.limb_groups import pairs
from fathom.pronouns import subject_of

MUCH, MANY = ("body", "head"), 4
"""Limbs whose paint is most of what shows, and so many others that are: an actor is of no one color then."""

SIDES = {"front": "in front of {}", "behind": "behind {}", "left": "to {}'s left", "right": "to {}'s right"}
NEAR = "near {}"

LINES = {"lengthwise": "forward and back", "sideways": "from side to side", "vertical": "up and down"}


@dataclass
class Speaker:
    """Says objects of one object; what was said so far stands in `claims`."""

    facts: Facts
    lexicon: CaptionLexicon
    rng: np.random.Generator
    claims: list[Claim] = field(default_factory=list)

    def pick(self, *phrases: str) -> str:
        """Return one of several ways to say the same."""
        return phrases[int(self.rng.integers(len(phrases)))]

    def claim(self, kind: str, objects: Sequence[str], *words: str) -> None:
        """Note what is said."""
        self.claims.append(Claim(kind=kind, objects=tuple(objects), words=words))

    @property
    def the_actor(self) -> str:
        """What the actor is called once it is known: "it" could be a prop."""
        return f"the {self.facts.noun}"

    @property
    def it(self) -> str:
        """What the actor is called before a verb once it is known: "he", "it"."""
        return subject_of(self.facts.noun)

    @property
    def still(self) -> list[PropGroup]:
        """The props to which nothing happens, and that do nothing."""
        return [g for g in self.facts.groups if not g.changes and not g.acts]

    def actor(self, level: int) -> str:
        """Return the actor with its article, its colour, and so many details (at most three)."""
        facts = self.facts
        self.claim("noun", (facts.actor,), facts.noun)
        # "A white horse" of whatever color is not "a white white horse".
        color = "" if set(facts.color.split(" ")) & set(facts.noun.split(" ")) else facts.color
        color = "" if _is_painted_over(facts) else color
        if color:
            self.claim("color", (facts.actor,), color)
        return single(facts.noun, color) + looks_of(self, level)

    def third(self, turning: bool = False) -> str:
        """Return what the actor does: "gallops and then sits down"; with `turning`, in which of several
        things it turns, and to which side, too.
        """
        verbs = self.verbs(self.facts.acts, lambda verb: self.lexicon.forms(verb).third)
        verbs = self.turning(verbs) if turning else verbs
        self.does()
        if len(verbs) == 2:
            return f"{verbs[0]} and then {verbs[1]}"
        return self._in_order(verbs)

    def ing(self, turning: bool = False) -> str:
        """Return what the actor does: "galloping and then sitting down"; `turning` as in `third`."""
        self.does()
        verbs = self.verbs(self.facts.acts, lambda verb: self.lexicon.forms(verb).ing)
        return joined(self.turning(verbs) if turning else verbs, "and then")

    def does(self) -> None:
        """Note that all that the actor does was said, in order."""
        self._does((self.facts.actor,), self.facts.acts)

    def _does(self, objects: Sequence[str], acts: Sequence[ObservedAction]) -> None:
        self.claim("does", objects, *(a.verb + IN_REVERSE * a.backwards for a in acts))

    def verbs(self, acts: Sequence[ObservedAction], form: Callable[[str], str]) -> list[str]:
        """Return each act in words; one that came before is done "again"."""
        found, before = [], set[tuple[str, bool]]()
        for act in acts:
            again = " again" if (act.verb, act.backwards) in before else ""
            before.add((act.verb, act.backwards))
            found.append(self._reversed(form(act.verb), act) + self._often(act) + again)
        return found

    def _often(self, act: ObservedAction) -> str:
        if act.times == 1 or sum(a.verb == act.verb for a in self.facts.acts) > 1:
            return ""
        self.claim("times", (self.facts.actor,), act.verb + IN_REVERSE * act.backwards, str(act.times))
        return " twice" if act.times == 2 else f" {number(act.times)} times"

    def _reversed(self, words: str, act: ObservedAction) -> str:
        """Return the words for an act, and that the actor gets back in it where it does."""
        if not act.backwards:
            return words
        self.claim("goes", (self.facts.actor,), act.verb, "backward")
        return f"{words.removesuffix(' forward')} backward"

    def _in_order(self, verbs: Sequence[str]) -> str:
        if len(verbs) == 1:
            return verbs[0]
        if len(verbs) == 2:
            return self.pick(f"{verbs[0]} and then {verbs[1]}", f"{verbs[0]}, then {verbs[1]}")
        *some, last = verbs
        if self.pick("comma", "then") == "comma":
            return f"{', '.join(some)} and then {last}"
        return f"{', then '.join(some)}, and finally {last}"

    def way(self, link: str = ",") -> str:
        """Return how the actor moves through space, as it follows what it does; often nothing. `link` stands
        between the one thing that it does and a turn.
        """
        facts = self.facts
        if facts.travel == "backward" and any(act.backwards for act in facts.acts):
            return ""  # "walks backward" says it
        if facts.travel:
            self.claim("travel", (facts.actor,), facts.travel)
            return f" {facts.travel}" if len(facts.acts) == 1 else f", moving {facts.travel}"
        if facts.turn and facts.at_one:
            self.claim("turn", (facts.actor,), facts.turn)
            return f"{link} turning to its {facts.turn}"
        return ""

    def turning(self, verbs: Sequence[str]) -> list[str]:
        """Return what the actor does, and to which side it turns in the one of several things in which it
        does.
        """
        facts, found = self.facts, list(verbs)
        turns = any(self.lexicon.forms(act.verb).third.startswith("turn") for act in facts.acts)
        if not facts.turn or not facts.turns_in or facts.at_one or facts.travel or turns:
            return found
        self.claim("turn", (facts.actor,), facts.turn, facts.turns_in)
        place = next(k for k, act in enumerate(facts.acts) if act.verb == facts.turns_in)
        found[place] += f" while turning to its {facts.turn}"
        return found

    def moving_limbs(self) -> str:
        """Return how the actor moves one of its limbs while it does something; "" where nothing is known."""
        # Nobody says of a head that it moves as its owner lowers its head.
        verbs = {f: self.lexicon.forms(f.verb).third for f in self.facts.limbs}
        told = [f for f, third in verbs.items() if f.limbs[0].split(" ")[-1] not in third.split(" ")]
        if not told:
            return ""
        fact = told[int(self.rng.integers(len(told)))]
        for limb in fact.limbs:
            self.claim("moves", (self.facts.actor,), limb, fact.line, fact.verb)
        who = next((f"{both} move" for both in pairs(fact.limbs)), f"{fact.limbs[0]} moves")
        return f"its {who} {LINES[fact.line]} as {self.it} {verbs[fact]}"

    def objects(self, group: PropGroup, mentioned: set[str]) -> str:
        """Return a group of props with its number: "two red crates", "another cone"."""
        changes = tuple(f"{what}:{detail}" for what, detail in group.changes)
        self.claim("group", group.objects, group.noun, group.color, *changes)
        if group.acts:
            self._does(group.objects, group.acts)
        words, many = f"{group.color} {group.noun}".strip(), len(group.objects)
        actor = f"{self.facts.color} {self.facts.noun}".strip()
        other = words in mentioned or (
            group.noun == self.facts.noun and group.color in ("", self.facts.color)
        )
        other = other or words == actor
        mentioned.add(words)
        if many == 1:
            return f"another {words}" if other else one(group.noun, group.color)
        return f"{number(many)} {'other ' if other else ''}{self.lexicon.many(words)}"

    def props(self, mentioned: set[str] | None = None) -> str:
        """Return the still props as a list: "two red crates and a cone"."""
        known = set() if mentioned is None else mentioned
        return joined([self.objects(group, known) for group in self.still])

    def clauses(self) -> list[str]:
        """Return a clause for all else: props and where they are, what becomes of them, what others do."""
        mentioned: set[str] = set()
        by_side: dict[str, list[PropGroup]] = {}
        for group in self.still:
            by_side.setdefault(group.side, []).append(group)
        found = []
        if self.facts.changes:
            facts = self.facts
            self.claim("changes", (facts.actor,), *(f"{what}:{detail}" for what, detail in facts.changes))
            who, many = self._changing()
            becomes = self._becomes(facts.changes, many)
            found.append(self._while((facts.actor,), facts.during, f"{who} {becomes}"))
        for side, groups in sorted(by_side.items()):
            for group in groups:
                if side:
                    self.claim("side", group.objects, side)
            listed = joined([self.objects(group, mentioned) for group in groups])
            several = len(groups) > 1 or len(groups[0].objects) > 1 or is_many(groups[0].noun)
            place = SIDES.get(side, NEAR).format(self.the_actor)
            found.append(f"{listed} {'are' if several else 'is'} {place}")
        moving = [g for g in self.facts.groups if g.changes or g.acts]
        found += [self._happening(group, mentioned) for group in moving]
        return found

    def _happening(self, group: PropGroup, mentioned: set[str]) -> str:
        who, many = self.objects(group, mentioned), len(group.objects) > 1 or is_many(group.noun)
        if group.changes:
            place = self._place(group)
            if place and group.changes[0][0] != "appears":
                who, place = f"{who} {place}", ""
            clause = f"{who} {self._becomes(group.changes, many, place)}"
            return self._while(group.objects, group.during, clause)
        does = self._in_order(self.verbs(group.acts, lambda verb: self.lexicon.forms(verb).ing))
        return f"{who} {'are' if many else 'is'} {does}"

    def _place(self, group: PropGroup) -> str:
        if not group.how:
            return ""
        self.claim("place", group.objects, group.how, group.where)
        return f"{preposition(group.how, group.where)} {self.the_actor}'s {group.where}"

    def _changing(self) -> tuple[str, bool]:
        """Return what of the actor changes, "the fox", or "the fox's legs" where that is all; and if many."""
        parts = {detail.partition("=")[0] for _, detail in self.facts.changes if "=" in detail}
        if len(parts) != 1 or any("=" not in detail for _, detail in self.facts.changes):
            return self.the_actor, False
        part = parts.pop()
        return f"{self.the_actor}'s {part}", is_many(part)

    def _while(self, objects: Sequence[str], during: int, clause: str) -> str:
        if during < 0:
            return clause
        act = self.facts.acts[during]
        self.claim("during", objects, act.verb + IN_REVERSE * act.backwards)
        ing = self._reversed(self.lexicon.forms(act.verb).ing, act)
        if objects == (self.facts.actor,):
            return f"{clause} while {self.it} is {ing}"
        return self.pick(
            f"{clause} while {self.the_actor} is {ing}", f"while {self.the_actor} is {ing}, {clause}"
        )

    def _becomes(self, changes: Sequence[Change], many: bool, place: str = "") -> str:
        s = "" if many else "s"
        said = []
        for what, detail in changes:
            color = detail.partition("=")[2] or detail
            into = self._into(detail, many)
            words = {
                "appears": f"appear{s} {place}".strip(),
                "vanishes": f"disappear{s}",
                "recolours": f"turn{s} {color}",
                "swaps": f"turn{s} into {into}",
            }
            said.append(words[what])
            place = ""
        return joined(said, "and then")

    def _into(self, noun: str, many: bool) -> str:
        if not noun:
            return ""
        return self.lexicon.many(noun) if many and not is_many(noun) else one(noun)


def _is_painted_over(facts: Facts) -> bool:
    """Return whether so much of the actor is painted that nobody would say what color it has."""
    return any(p.limb in MUCH for p in facts.paint) or sum(p.count for p in facts.paint) >= MANY
