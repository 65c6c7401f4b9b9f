"""How well an extractor reads answers whose meaning is known: precision, abstention, and what it invents.

A label says which option a text states, in capitals, or `none`, or `unclear` where a careful reader cannot
say. Labels are split in two halves by a hash of the text: rules are written looking at one, and judged on the
other. Labels of texts that belong to others hold the place and the hash of each text, not the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from fathom.extraction.shown_options import shown
from fathom.records import DataError, Extractor, Question

Half = Literal["written", "held out"]

NOT_STATED = frozenset({"none", "unclear"})
OPAQUE = ("qxa", "qxb", "qxc", "qxd")
"""Stand-ins for options whose texts are not known: words that no answer holds."""


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of labels: a text, or its place and hash in a file of texts, and what it states."""

    stated: str
    text: str = ""
    kind: str = ""
    choices: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    before: tuple[str, int] = ("", 0)
    after: tuple[str, int] = ("", 0)
    ordinal: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class Labelled:
    """A text read with care: the question it answers, and the answer it states, None for none."""

    question: Question
    text: str
    stated: str | None
    kind: str
    half: Half


@dataclass(frozen=True)
class Measured:
    """What an extractor made of labelled texts: counts, and the shares that are made of them.

    `right` are read as they were labelled, `wrong` as another answer, `missed` not at all; of texts that
    state nothing, `left` were left unread and `invented` were given an answer.
    """

    right: int
    wrong: int
    missed: int
    left: int
    invented: int

    @property
    def n(self) -> int:
        """Return how many texts there are."""
        return self.right + self.wrong + self.missed + self.left + self.invented

    @property
    def precision(self) -> float:
        """Return the share of the answers read that are what was stated; NaN where none was read."""
        read = self.right + self.wrong + self.invented
        return self.right / read if read else float("nan")

    @property
    def recall(self) -> float:
        """Return the share of the answers stated that were read as such; NaN where none was stated."""
        stated = self.right + self.wrong + self.missed
        return self.right / stated if stated else float("nan")

    @property
    def abstention(self) -> float:
        """Return the share of all texts that were left unread."""
        return (self.missed + self.left) / self.n if self.n else float("nan")


def read_labels(path: Path, texts: Sequence[str] = ()) -> list[Labelled]:
    """Return the labelled texts of a file; `texts` are those that labels name by their place.

    Raises DataError where a line is no label, or names a text that is not there or is another.
    """
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            label = msgspec.json.decode(line, type=Label)
        except msgspec.DecodeError as error:
            raise DataError(
                f"{path}:{number}: expected a label, found {error}; write the line again"
            ) from error
        found.append(_labelled(label, f"{path}:{number}", texts))
    return found


def measure(extractor: Extractor, labelled: Iterable[Labelled]) -> Measured:
    """Return what `extractor` makes of labelled texts."""
    counts = {"right": 0, "wrong": 0, "missed": 0, "left": 0, "invented": 0}
    for one in labelled:
        picked = extractor.read(one.question, one.text).picked
        if one.stated is None:
            counts["left" if picked is None else "invented"] += 1
        elif picked is None:
            counts["missed"] += 1
        else:
            counts["right" if picked == one.stated else "wrong"] += 1
    return Measured(**counts)


def _labelled(label: Label, where: str, texts: Sequence[str]) -> Labelled:
    text = label.before[0] * label.before[1] + label.text + label.after[0] * label.after[1]
    if label.ordinal is not None:
        if label.ordinal >= len(texts):
            raise DataError(
                f"{where}: expected text {label.ordinal}, found {len(texts)} texts; give them all"
            )
        text = texts[label.ordinal]
        if not _sha256(text).startswith(label.sha256):
            raise DataError(f"{where}: text {label.ordinal} is not the one that was labelled; label it again")
    choices = label.choices or (() if label.possible else OPAQUE)
    question = Question(
        id=where,
        task="labels",
        text="",
        answer=(choices or label.possible)[0],
        choices=choices,
        possible=label.possible,
    )
    stated = None if label.stated in NOT_STATED else label.stated
    if stated is not None and choices:
        stated = shown(question).text_of(stated)
        if stated is None:
            raise DataError(f"{where}: expected one of {len(choices)} options, found {label.stated}")
    half: Half = "held out" if int(_sha256(text)[-1], 16) % 2 else "written"
    return Labelled(question, text, stated, label.kind, half)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
