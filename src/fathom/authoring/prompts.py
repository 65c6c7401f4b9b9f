"""Prompt sets: what models are told, as data beside the benchmark that tells it.

A set is a TOML file: its version, its texts by name, and, where it has kinds of questions, their rules. In a
text, $name stands for what is put in, and $$ for a dollar sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

import msgspec

from fathom.records import Record

LETTERS = "ABCDEFGH"


class QuestionKind(Record, frozen=True, kw_only=True):
    """One kind of question: what it asks for, and the rules of its own."""

    about: str
    rules: tuple[str, ...] = ()


class PromptSet(Record, frozen=True, kw_only=True):
    """What models are told in every step, and the rules by which questions are written and checked.

    `version` is raised by whatever could change what is written or taken: the words, and how replies are
    read. `rules` are those for questions of all `kinds`.
    """

    version: str
    texts: dict[str, str]
    rules: tuple[str, ...] = ()
    kinds: dict[str, QuestionKind] = {}

    def text(self, name: str, **values: str) -> str:
        """Return a text with these values put in."""
        return Template(self.texts[name]).substitute(values)

    def rules_of(self, kind: str) -> tuple[str, ...]:
        """Return the rules of a kind: those for all, then its own. They are numbered from 1."""
        return (*self.rules, *self.kinds[kind].rules)

    def listed_rules(self, kind: str) -> str:
        """Return the rules of a kind as numbered lines."""
        return "\n".join(f"{n}. {rule}" for n, rule in enumerate(self.rules_of(kind), 1))


def read_prompts(path: Path) -> PromptSet:
    """Return the prompt set of a file. Raises msgspec.ValidationError for one that is none."""
    return msgspec.toml.decode(path.read_bytes(), type=PromptSet)


def listed_options(choices: Sequence[str]) -> str:
    """Return options a line each, with their letters in parentheses."""
    return "\n".join(f"({LETTERS[i]}) {text}" for i, text in enumerate(choices))
