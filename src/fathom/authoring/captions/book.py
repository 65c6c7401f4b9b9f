"""The captions of a dataset with what each claims, so that whoever has the dataset can check them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import CaptionLexicon, VerbForms
from fathom.authoring.captions.questions import GRAMMAR, TASK
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Question, Record, Scene
from fathom.store.files import read_json

FILE = "captions.json"


class CaptionBook(Record, frozen=True, kw_only=True):
    """All captions of a dataset; `verbs` (key → third, ing) and `plurals` are the words they are told in."""

    captions: tuple[Caption, ...]
    verbs: dict[str, tuple[str, str]]
    plurals: dict[str, str] = {}

    @property
    def lexicon(self) -> CaptionLexicon:
        """The words as checks take them."""
        return CaptionLexicon({k: VerbForms(*forms) for k, forms in self.verbs.items()}, self.plurals)


def book_of(captions: Sequence[Caption], lexicon: CaptionLexicon) -> CaptionBook:
    """Return captions with those words of a lexicon that are about verbs, and all plurals."""
    verbs = {k: (v.third, v.ing) for k, v in sorted(lexicon.verbs.items())}
    return CaptionBook(captions=tuple(captions), verbs=verbs, plurals=dict(sorted(lexicon.plurals.items())))


def read_book(folder: Path) -> CaptionBook | None:
    """Return the captions of a dataset with their claims; None where it was made before they were kept."""
    path = folder / FILE
    return read_json(path, CaptionBook) if path.is_file() else None


def asks_for_captions(question: Question) -> bool:
    """Return whether a question's references are captions that were written from the record."""
    return question.task == TASK and GRAMMAR in question.tags.get("captions", "")


def wrong_captions(
    question: Question,
    known: Mapping[str, Caption],
    scene: Scene,
    lexicon: CaptionLexicon,
    visibility: VisibilityGrid | None = None,
) -> Iterator[tuple[str, list[str]]]:
    """Yield each reference of a question, and what is wrong with it.

    `known` are the captions of its object by their texts. What people wrote or revised claims nothing and is
    left out where the question says that they did.
    """
    people = question.tags.get("captions") != GRAMMAR
    for text in question.references:
        if text in known:
            yield text, faults(known[text], scene, lexicon, visibility)
        elif not people:
            yield text, ["nothing says what it claims"]
