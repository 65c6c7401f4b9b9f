"""What the name of a clip says is done in it: by a table of words that packs and exporters use."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("clip_names.json")
"""Verb → the names that stand for it; `unnamed` are those that no single verb tells, `unsure` those that
stand for several things, and `drop` are words that say nothing of what is done.
"""

ALL, SOME = 1.0, 0.5
"""How sure a verb is whose name says nothing else, and one of two that are named alike."""

_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

NAMED_OTHERWISE = {
    ("snake", "walk"): "slither",
    ("snake", "run"): "slither",
    ("worm", "walk"): "slither",
    ("fish", "idle"): "swim",
    ("tank", "forward"): "drive",
}
"""What is done where a model of that name does what its clip says."""


@dataclass(frozen=True)
class NamedVerb:
    """A verb, "" where the name tells none, how sure it is from 0 to 1, and the words that told it."""

    verb: str
    confidence: float
    words: str = ""


NOTHING = NamedVerb("", 0.0)


@dataclass(frozen=True)
class _Table:
    verbs: Mapping[tuple[str, ...], str]
    drop: frozenset[str]
    unsure: frozenset[tuple[str, ...]]
    longest: int


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a clip's name in small letters, without what exporters put before the last bar."""
    own = name.rsplit("|", 1)[-1] if name.rsplit("|", 1)[-1].strip() else name
    if own.lower().startswith(("layer", "take", "base")) and "|" in name:
        own = name.split("|")[-2]
    return tuple(w.lower() for w in _SPLIT.findall(own))


def named_verb(
    name: str, known: Collection[str], noun: str = "", own: Collection[str] = frozenset()
) -> NamedVerb:
    """Return what a clip's name says, of the verbs that are known; `noun` is what its model is called.

    Of all runs of words that stand in the table the longest one counts. What is left over makes it less sure.
    `own` are verbs of a lexicon of one's own: their keys stand for themselves.
    """
    table, words = _table_with(frozenset(own)), words_of(name)
    called = set(noun.split(" "))
    left = [w for w in words if w not in table.drop]
    found = _matches(words, table) + _matches(left, table)
    found = [f for f in found if len(f[0]) > 1 or f[0][0] not in called] or found
    if not found:
        return NOTHING
    length = max(len(run) for run, _ in found)
    # Of two that are as long what comes last is what is done: a shield is named before the slash.
    best = sorted(
        (f for f in found if len(f[0]) == length), key=lambda f: (f[1] != "idle", words.index(f[0][-1]))
    )
    run, verb = best[-1]
    for (kind, done), other in NAMED_OTHERWISE.items():
        if kind in (*called, *words) and done == verb:
            verb = other
    if not verb or verb not in known:
        return NOTHING
    rest = [w for w in left if w not in run and w not in called]
    sure = ALL - (ALL - SOME) * len(rest) / (len(rest) + length)
    doubtful = run in table.unsure or {v for _, v in best} - {best[-1][1], "idle"}
    return NamedVerb(verb, round(min(sure, SOME) if doubtful else sure, 2), " ".join(run))


def known_as_several(name: str) -> bool:
    """Return whether the table says that no single verb tells what a clip of that name shows."""
    table = _table()
    found = _matches(words_of(name), table)
    longest = max((len(run) for run, _ in found), default=0)
    return any(not verb for run, verb in found if len(run) == longest)


def _matches(words: Sequence[str], table: _Table) -> list[tuple[tuple[str, ...], str]]:
    """Return the runs of words that stand in the table."""
    found = []
    for length in range(min(table.longest, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            run = tuple(words[at : at + length])
            if run in table.verbs:
                found.append((run, table.verbs[run]))
    return found


@cache
def _table() -> _Table:
    raw = json.loads(FILE.read_text("utf-8"))
    verbs = {tuple(name.split(" ")): verb for verb, names in raw["verbs"].items() for name in names}
    verbs |= {tuple(name.split(" ")): "" for name in raw["unnamed"]}
    unsure = frozenset(tuple(name.split(" ")) for name in raw["unsure"])
    return _Table(verbs, frozenset(raw["drop"]), unsure, max(map(len, verbs)))


@cache
def _table_with(own: frozenset[str]) -> _Table:
    """Return the table with verbs of a lexicon of one's own, each called by its key."""
    table, runs = _table(), {tuple(key.split("_")): key for key in own}
    longest = max([table.longest, *map(len, runs)])
    return replace(table, verbs={**table.verbs, **runs}, drop=table.drop - own, longest=longest)
