"""What a description says: its noun, and what it claims beside, each with its place in the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from fathom.benchmarks.stibench.authoring.vocabulary import (
    ARTICLES,
    COPULAS,
    LAST,
    LINKING,
    MOTIONS,
    OF_ITS_OWN,
    ORDERS,
    RELATIONS,
    SIZES,
    DescriptionVocabulary,
)
from fathom.programs.referring import PEOPLE

DEPTH = 2
"""How many objects may be named one after another to say which one is meant."""

MOST_UNKNOWN = 2
"""So many words before a noun may mean nothing to a program."""

_BETWEEN = frozenset(w for p in (*RELATIONS, *OF_ITS_OWN) for w in p.split()) | ARTICLES | LINKING | COPULAS
"""Words that stand between two nouns, and never before the first."""

_TOKEN = re.compile(r"[a-z][a-z'-]*")
_CLEAN = re.compile(r"[a-z' ,-]+")


@dataclass(frozen=True)
class Link:
    """A relation to another thing: its word, the thing, and whether that thing's own front may be meant."""

    relation: str
    anchor: ParsedDescription
    own: bool = False


@dataclass(frozen=True)
class ParsedDescription:
    """What a description says of an object. `unknown` are words before the noun that mean nothing to a
    program.
    """

    noun: str
    colors: tuple[str, ...] = ()
    motions: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    links: tuple[Link, ...] = field(default=())


def parsed(words: str, vocabulary: DescriptionVocabulary) -> ParsedDescription | None:
    """Return what a description says, None where it is not made of the vocabulary.

    Of several ways to read it, the one that leaves the fewest words not understood.
    """
    text = words.casefold().strip().removesuffix(".")
    if not _CLEAN.fullmatch(text):
        return None
    tokens = tuple(_TOKEN.findall(text))
    return _object(tokens, _Reader(vocabulary), DEPTH) if tokens else None


@dataclass(frozen=True)
class _Reader:
    """The vocabulary, with the phrases of each list by their words."""

    vocabulary: DescriptionVocabulary

    def noun_at(self, tokens: Sequence[str], at: int) -> list[tuple[str, int]]:
        """Return the nouns that begin at a word, the longest first: what is meant, and where it ends."""
        found = []
        for n in range(min(self.vocabulary.longest, len(tokens) - at), 0, -1):
            meant = self.vocabulary.nouns.get(" ".join(tokens[at : at + n]))
            if meant is not None:
                found.append((meant, at + n))
        return found


def _object(tokens: tuple[str, ...], reader: _Reader, depth: int) -> ParsedDescription | None:
    """Return what all these words say of one object."""
    start = 1 if tokens and tokens[0] in ARTICLES else 0
    best: ParsedDescription | None = None
    for at in range(start, len(tokens)):
        for noun, end in reader.noun_at(tokens, at):
            before = _before(tokens[start:at], ParsedDescription(noun), reader)
            if before is None:
                continue
            found = _behind(tokens[end:], before, reader, depth)
            if found is not None and (best is None or len(found.unknown) < len(best.unknown)):
                best = found
        if best is not None and not best.unknown:
            break
    return best


def _before(tokens: Sequence[str], said: ParsedDescription, reader: _Reader) -> ParsedDescription | None:
    """Return an object with what the words before its noun say; None where they are no words of that kind."""
    # Of people nobody says "the red pedestrian": it may mean anything about them.
    people = said.noun.rpartition(" ")[2] in PEOPLE
    for word in tokens:
        if word in reader.vocabulary.colors and not people:
            said = replace(said, colors=(*said.colors, reader.vocabulary.colors[word]))
        elif word in SIZES:
            said = replace(said, sizes=(*said.sizes, word))
        elif word in ORDERS:
            said = replace(said, orders=(*said.orders, ORDERS[word]))
        elif word in MOTIONS:
            said = replace(said, motions=(*said.motions, MOTIONS[word]))
        elif word in _BETWEEN or word in reader.vocabulary.nouns:
            return None
        else:
            said = replace(said, unknown=(*said.unknown, word))
    return said if len(said.unknown) <= MOST_UNKNOWN else None


def _behind(
    tokens: tuple[str, ...], said: ParsedDescription, reader: _Reader, depth: int
) -> ParsedDescription | None:
    """Return an object with what the words behind its noun say; None where they say nothing known."""
    if not tokens:
        return said
    rest = tokens[1:] if tokens[0] == "and" else tokens
    if _worn(rest, said, reader):
        colored = replace(said, colors=(*said.colors, reader.vocabulary.colors[rest[1]]))
        return _behind(rest[2:], colored, reader, depth)
    rest = rest[1:] if rest and rest[0] in LINKING else rest
    # "does not move" begins like no copula; "is moving" and "stands still" both have to be understood.
    for left in dict.fromkeys((rest, rest[1:] if rest and rest[0] in COPULAS else rest)):
        for phrase, motion in _begins(left, MOTIONS):
            moved = _behind(left[phrase:], replace(said, motions=(*said.motions, motion)), reader, depth)
            if moved is not None:
                return moved
        for phrase, order in _begins(left, LAST):
            if len(left) == phrase:
                return replace(said, orders=(*said.orders, order))
        if depth > 1 and (linked := _linked(left, said, reader, depth)) is not None:
            return linked
    return None


def _worn(tokens: Sequence[str], said: ParsedDescription, reader: _Reader) -> bool:
    """Return whether people are told by the colour of what they wear: "the pedestrian in red"."""
    people = said.noun.rpartition(" ")[2] in PEOPLE
    return people and len(tokens) > 1 and tokens[0] == "in" and tokens[1] in reader.vocabulary.colors


def _linked(
    tokens: tuple[str, ...], said: ParsedDescription, reader: _Reader, depth: int
) -> ParsedDescription | None:
    """Return an object with a relation to another, of which all words behind the relation speak."""
    for own, phrases in ((False, RELATIONS), (True, OF_ITS_OWN)):
        for phrase, relation in _begins(tokens, phrases):
            anchor = _object(tokens[phrase:], reader, depth - 1)
            if anchor is not None:
                return replace(said, links=(*said.links, Link(relation, anchor, own)))
    return None


def _begins(tokens: tuple[str, ...], phrases: Mapping[str, str]) -> list[tuple[int, str]]:
    """Return the phrases with which words begin, the longest first: how many words, and what they mean."""
    return [(n, meant) for n, words, meant in _by_length(tuple(phrases.items())) if tokens[:n] == words]


@lru_cache(maxsize=16)
def _by_length(phrases: tuple[tuple[str, str], ...]) -> tuple[tuple[int, tuple[str, ...], str], ...]:
    listed = [(len(p.split()), tuple(p.split()), meant) for p, meant in phrases]
    return tuple(sorted(listed, key=lambda one: -one[0]))
