"""Programs in a normal form, in which two ways to write down one meaning are equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fathom.records import Step

SYMMETRIC = ("union", "intersect")
"""Operators, beside all that compare by `equal_`, that do not care which input comes first."""


@dataclass(frozen=True)
class Meaning:
    """One step of a program with all that it reads: its operator, its words in order, and its inputs."""

    op: str
    words: tuple[str, ...] = ()
    reads: tuple[Meaning, ...] = ()

    def __str__(self) -> str:
        """Return the program as it is read, from the answer back to the scene."""
        named = f"{self.op}({', '.join(self.words)})" if self.words else self.op
        if len(self.reads) < 2:
            return " ".join([named, *(str(m) for m in self.reads)])
        return f"{named} [{'; '.join(str(m) for m in self.reads)}]"


SCENE = Meaning("scene")


def described(words: Iterable[str], source: Meaning = SCENE) -> Meaning:
    """Return what is left of a set when all the words of a description are wanted ("color red")."""
    if source.op == "filter":
        words, source = (*words, *source.words), source.reads[0]
    kept = tuple(sorted(set(words)))
    return Meaning("filter", kept, (source,)) if kept else source


def said(op: str, *reads: Meaning, word: str = "") -> Meaning:
    """Return a step in normal form: symmetric inputs in one order, and "less than" turned round."""
    if op == "less_than":
        op, reads = "greater_than", reads[::-1]
    if op in SYMMETRIC or op.startswith("equal_"):
        reads = tuple(sorted(reads, key=str))
    return Meaning(op, (word,) if word else (), reads)


def meaning_of(program: Sequence[Step]) -> Meaning:
    """Return what a program means. Raises IndexError where a step reads one that is not before it."""
    found: list[Meaning] = []
    for step in program:
        reads = tuple(found[i] for i in step.inputs)
        kind, _, name = step.op.partition("_")
        if kind == "filter":
            found.append(described((" ".join([name, *step.args]),), reads[0]))
        else:
            found.append(said(step.op, *reads, word=" ".join(step.args)))
    return found[-1]
