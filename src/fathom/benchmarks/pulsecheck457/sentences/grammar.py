"""A grammar of questions: from words to what they mean, read from left to right.

What a sentence cannot say here is not read: a wording that is new to the reader must be taught to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.benchmarks.pulsecheck457.sentences import words as w
from fathom.benchmarks.pulsecheck457.sentences.normal import Meaning, described, said

TOKENS = re.compile(r"[^\s,:?()]+|[,:?()]")


class Unreadable(Exception):
    """Where the words stop making sense."""


@dataclass(frozen=True)
class GrammarWords:
    """The words that a reader knows: nouns by the text that they have in singular and plural.

    `related` are the phrases of relations, and `related_by` the operator that they stand for. `framed` are
    the openings that say from where they are meant; empty where a question has none.
    """

    sizes: frozenset[str]
    colors: frozenset[str]
    one: Mapping[str, str]
    many: Mapping[str, str]
    related: Mapping[str, str]
    related_by: str
    framed: tuple[str, ...]


class Reader:
    """Reads one question. `it` is what "it" stands for, `way` where it moves."""

    def __init__(self, text: str, lexicon: GrammarWords) -> None:
        self.tokens = TOKENS.findall(text.lower())
        self.at = 0
        self.lexicon = lexicon
        self.it: Meaning | None = None
        self.way = ""

    # --- words ------------------------------------------------------------------------------------------

    def hears(self, *phrases: str) -> bool:
        """Return whether one of the phrases is said next, and go past it."""
        for phrase in phrases:
            wanted = phrase.split(" ")
            if self.tokens[self.at : self.at + len(wanted)] == wanted:
                self.at += len(wanted)
                return True
        return False

    def next_of(self, phrases: Mapping[str, str]) -> str | None:
        """Return what the next phrase stands for, None where none of them is said."""
        for phrase, value in phrases.items():
            if self.hears(phrase):
                return value
        return None

    def wants(self, *phrases: str) -> None:
        """Go past one of the phrases. Raises Unreadable where none is said."""
        if not self.hears(*phrases):
            raise self.lost(" or ".join(repr(p) for p in phrases))

    def wanted_of(self, phrases: Mapping[str, str]) -> str:
        """Return what the next phrase stands for. Raises Unreadable where none of them is said."""
        found = self.next_of(phrases)
        if found is None:
            raise self.lost(" or ".join(repr(p) for p in phrases))
        return found

    def lost(self, wanted: str) -> Unreadable:
        """Return the error of not finding what was wanted here."""
        rest = " ".join(self.tokens[self.at : self.at + 6]) or "its end"
        return Unreadable(f"expected {wanted} at {rest!r}")

    # --- descriptions -------------------------------------------------------------------------------------

    def description(self, many: bool = False) -> tuple[str, ...]:
        """Return the words of a description: size, color, noun, as "color red"."""
        start = self.at
        stripped = self._adjectives()
        noun = self._known_noun(many)
        if noun is None:
            behind, self.at = self.at, start
            noun = self._known_noun(many)  # a noun may begin with a color: "red fox"
            if noun is not None:
                stripped = ()
            else:
                self.at = behind
                noun = self._unknown_noun(many)
        return (*stripped, f"shape {noun}") if noun else stripped

    def _adjectives(self) -> tuple[str, ...]:
        found = []
        for name, known in (("size", self.lexicon.sizes), ("color", self.lexicon.colors)):
            if self.at < len(self.tokens) and self.tokens[self.at] in known:
                found.append(f"{name} {self.tokens[self.at]}")
                self.at += 1
        return tuple(found)

    def _known_noun(self, many: bool) -> str | None:
        known = self.lexicon.many if many else self.lexicon.one
        for length in range(5, 0, -1):
            text = " ".join(self.tokens[self.at : self.at + length])
            if self.at + length <= len(self.tokens) and text in known:
                self.at += length
                return known[text]
        return None

    def _unknown_noun(self, many: bool) -> str:
        start = self.at
        while self.at < len(self.tokens) and self.tokens[self.at] not in w.BOUNDARIES:
            self.at += 1
        noun = " ".join(self.tokens[start : self.at])
        if not noun:
            raise self.lost("a noun")
        singular = w.singular_of(noun) if many else noun
        if not singular or (not many and noun in self.lexicon.many):
            raise self.lost("a noun in the plural before" if many else "a noun in the singular before")
        return singular

    def obj(self) -> Meaning:
        """Return the one object that "the …" names, with all that is said about it after "that"."""
        self.wants("the")
        if self.hears("first object that it would hit"):
            return said("unique", self._moved("relate_first"))
        self.hears("only")
        words = self.description()
        return said("unique", self.clause(words, "that is"))

    def some(self) -> tuple[str, ...]:
        """Return the description behind "a", "an" or "another"."""
        self.wants("a", "an", "another")
        return self.description()

    def clause(self, words: Sequence[str], that: str) -> Meaning:
        """Return the set that a description and the clause behind it name; without one, it is the scene's."""
        if self.hears(that):
            if self.hears("partly hidden by another object"):
                return described((*words, "occludee"))
            if self.hears("partly hidden by"):
                return described(words, said("relate_occluding", self.obj()))
            if self.hears("facing"):
                return described((*words, f"pose {self.wanted_of(w.FACING)}"))
            if (like := self.next_of(w.LIKENESS)) is not None:
                return described(words, self.alike(like))
            return described(words, self.relations())
        if self.hears("that hides part of", "that partly hides"):
            return described(words, said("relate_occluded", self.obj()))
        if self.hears("that faces roughly"):
            turn = self.wanted_of(w.TURNS)
            return described(words, said(turn, self.obj()))
        if self.hears("that it would collide with"):
            return described(words, self._moved("relate_hit"))
        if self.tokens[self.at : self.at + 2] == ["that", "the"]:
            self.wants("that")
            hider = self.obj()
            self.wants("partly hides")
            return described(words, said("relate_occluding", hider))
        return described(words)

    def alike(self, like: str) -> Meaning:
        """Return what is like "it", which must have been set aside: "not counting the red suv itself"."""
        self.wants("it")
        if self.it is None or self.way:
            raise self.lost("an object that is set aside ('not counting … itself') before")
        return said(f"same_{like}", self.it)

    def _moved(self, op: str) -> Meaning:
        if self.it is None or not self.way:
            raise self.lost("something that moves before")
        return said(op, self.it, word=self.way)

    # --- relations ----------------------------------------------------------------------------------------

    def relation(self) -> Meaning:
        """Return what stands in a relation to the object that is named."""
        word = self.wanted_of(self.lexicon.related)
        return said(self.lexicon.related_by, self.obj(), word=word)

    def relations(self) -> Meaning:
        """Return what stands in one relation, or in both of two that "and also" joins."""
        first = self.relation()
        return said("intersect", first, self.relation()) if self.hears("and also") else first

    def group(self) -> Meaning:
        """Return one of two sets that are joined or compared."""
        words = self.description(many=True)
        if self.hears("( wherever they stand )", "in the whole picture"):
            return described(words)
        if self.hears("that are"):
            return described(words, self.relation())
        start = self.at
        if self.next_of(self.lexicon.related) is None:
            return described(words)
        self.at = start
        return described(words, self.relation())

    # --- sentences ----------------------------------------------------------------------------------------

    def question(self) -> Meaning:
        """Return what the whole question asks. Raises Unreadable."""
        if self.lexicon.framed:
            self.wants(*self.lexicon.framed)
        meaning = self.sentence()
        self.wants("?")
        if self.at != len(self.tokens):
            raise self.lost("the end")
        return meaning

    def sentence(self) -> Meaning:
        """Return what a sentence asks, with what is said before it."""
        if self.hears("if", "suppose"):
            self.it = self.obj()
            self.wants("moved straight")
            self.way = self.wanted_of({"forward": "forward", "backward": "backward"})
            self.wants(",", ":")
        elif self.hears("not counting", "apart from", "leaving"):
            self.it = self.obj()
            self.wants("itself ,", "itself aside ,")
        for begins, read in (
            (("only one",), self._that_one),
            (("how many different objects in the picture are", "how many different objects are",
              "of all the objects in the picture , how many are"), self._either),
            (("how many other objects are", "is there any other object that is",
              "does any other object have"), self._likened),
            (("how many",), self._how_many),
            (("are there any", "is there"), self._any),
            (("are there",), self._compared_numbers),
            (("compare two groups , first all",), self._compared_groups),
            (("would it hit",), self._would_hit),
            (("which way is", "seen from the camera , is"), self._which_way),
            (("what is the", "what"), self._what),
            (("is", "does"), self._yes_or_no),
        ):  # fmt: skip
            before = self.at
            if self.hears(*begins):
                return read(" ".join(self.tokens[before : self.at]))
        raise self.lost("a question")

    def _that_one(self, begins: str) -> Meaning:
        words = self.description()
        self.wants("is")
        like = self.wanted_of(w.LIKENESS)
        obj = said("unique", described(words, self.alike(like)))
        self.wants(": what")
        asked = self._attribute()
        self.wants("is that one")
        return said(f"query_{asked}", obj)

    def _either(self, begins: str) -> Meaning:
        self.hears("either")
        first = self.group()
        self.wants("or")
        return said("count", said("union", first, self.group()))

    def _likened(self, begins: str) -> Meaning:
        like = self.wanted_of(w.LIKENESS)
        alike = said(f"same_{like}", self.obj())
        return said("count" if begins.startswith("how many") else "exist", alike)

    def _how_many(self, begins: str) -> Meaning:
        words = self.description(many=True)
        if self.hears("are there in the picture", "can you see"):
            return said("count", described(words))
        if self.hears("would stand in its path , those behind others included"):
            return said("count", described(words, self._moved("relate_path")))
        if self.hears("would it collide with"):
            return said("count", described(words, self._moved("relate_hit")))
        self.wants("are there that are", "can be found", "are")
        if (like := self.next_of(w.LIKENESS)) is not None:
            return said("count", described(words, self.alike(like)))
        return said("count", described(words, self.relations()))

    def _any(self, begins: str) -> Meaning:
        many = begins == "are there any"
        words = self.description(many=True) if many else self.some()
        if self.hears("in the picture"):
            return said("exist", described(words))
        that = "that are" if many else "that is"
        return said("exist", self.clause(words, that) if self.tokens[self.at : self.at + 1] == ["that"]
                    else described(words, self.relations()))  # fmt: skip

    def _compared_numbers(self, begins: str) -> Meaning:
        for amount, (op, before_second) in w.AMOUNTS.items():
            if self.hears(amount):
                first = self.group()
                self.wants(before_second)
                return said(op, said("count", first), said("count", self.group()))
        raise self.lost("'more', 'fewer' or 'exactly as many'")

    def _compared_groups(self, begins: str) -> Meaning:
        first = self.group()
        self.wants(", second all")
        second = self.group()
        self.wants(":")
        op = self.wanted_of(w.GROUPS_COMPARED)
        return said(op, said("count", first), said("count", second))

    def _would_hit(self, begins: str) -> Meaning:
        return said("exist", described(self.some(), self._moved("relate_hit")))

    def _which_way(self, begins: str) -> Meaning:
        obj = self.obj()
        self.wants(
            "facing : " + w.FACING_OPTIONS if begins == "which way is" else "facing " + w.FACING_OPTIONS
        )
        return said("query_pose", obj)

    def _what(self, begins: str) -> Meaning:
        asked = self._attribute()
        self.wants("of" if begins == "what is the" else "is")
        return said(f"query_{asked}", self.obj())

    def _attribute(self) -> str:
        return self.wanted_of({name: name for name in w.ATTRIBUTE_WORDS})

    def _yes_or_no(self, begins: str) -> Meaning:
        hides = "hide part of" if begins == "does" else "partly hidden by"
        if self.tokens[self.at : self.at + 1] != ["the"]:
            words = self.some()
            self.wants(hides)
            op = "relate_occluded" if begins == "does" else "relate_occluding"
            return said("exist", described(words, said(op, self.obj())))
        first = self.obj()
        if self.hears(hides):
            op = "relate_occluding" if begins == "does" else "relate_occluded"
            return said("exist", described(self.some(), said(op, first)))
        like = self.wanted_of(w.LIKENESS)
        second = self.obj()
        return said(f"equal_{like}", said(f"query_{like}", first), said(f"query_{like}", second))
