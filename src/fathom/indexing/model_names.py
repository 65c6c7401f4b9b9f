"""What the name of a model says it is, and of which category: by a table of nouns."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("nouns.json")
"""Category → nouns of it."""

NOTHING, OTHER = "object", "object"
"""What a model is called whose name says nothing, and its category where no noun is known."""

FIGURE, CREATURE = ("figure", "animal"), ("creature", "animal")
"""What one is called of which no more is known than that it has arms and legs, or other limbs. Whether
its arms end in hands nobody has said.
"""

_UID = re.compile(r"[0-9a-f]{32}")
_MOST = 40


def name_of(file: Path) -> str:
    """Return what an asset is called: the uid in its path, or else the file's name without its ending."""
    if _UID.fullmatch(file.stem):
        return file.stem
    if file.parent.name and _UID.fullmatch(file.parent.name):
        return file.parent.name
    return file.stem


def noun_of(name: str) -> tuple[str, str]:
    """Return the noun that the name of an asset says, and its category.

    Of the nouns of the table the longest one counts, and the last of those. Where none is there all words of
    the name are the noun; "object" where it has none.
    """
    if _UID.fullmatch(name):
        return NOTHING, OTHER
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    words = [w for w in re.findall(r"[a-z]+", spaced) if len(w) > 1]
    table = _table()
    for length in (3, 2, 1):
        for at in range(len(words) - length, -1, -1):
            noun = " ".join(words[at : at + length])
            if noun in table:
                return noun, table[noun]
    return " ".join(words)[:_MOST].strip() or NOTHING, OTHER


def called_by_limbs(limbs: Collection[str]) -> tuple[str, str]:
    """Return what a model is called whose name says nothing, and its category, by the limbs that it has."""
    kinds = {limb.split(" ")[-1].removesuffix("s") for limb in limbs}
    if {"arm", "leg"} <= kinds and "tail" not in kinds:
        return FIGURE
    return CREATURE if kinds & {"leg", "wing", "flipper"} or {"head", "tail"} <= kinds else (NOTHING, OTHER)


@cache
def _table() -> Mapping[str, str]:
    raw: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return {noun: category for category, nouns in raw.items() for noun in nouns}
