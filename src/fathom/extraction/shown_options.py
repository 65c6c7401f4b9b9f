"""What a model was shown of a question's options, and what its letters therefore mean."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from fathom.records import ExtractedAnswer, Extractor, InputError, Question, Variant

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class ShownOptions:
    """The options as a model saw them: `texts` in the order shown, and the letter before each.

    `letters` is empty where the options were not shown with letters, so that no letter means anything.
    """

    texts: tuple[str, ...]
    letters: str

    def text_of(self, letter: str) -> str | None:
        """Return the option that a letter stands for, in either case; None where it stands for none."""
        place = self.letters.find(letter.upper()) if len(letter) == 1 else -1
        return self.texts[place] if place >= 0 else None


def shown(question: Question, variant: Variant | None = None) -> ShownOptions:
    """Return the options of `question` as this variant shows them.

    Raises InputError where the variant's order is not one of the question's options, or where there are
    more options than letters.
    """
    if len(question.choices) > len(LETTERS):
        raise InputError(
            f"question {question.id}: expected at most {len(LETTERS)} options, A to {LETTERS[-1]}, found "
            f"{len(question.choices)}; ask it without options, its answers under `possible`"
        )
    texts = as_shown(question, variant or Variant()).choices
    hidden = variant is not None and not variant.options_shown
    return ShownOptions(texts, "" if hidden else LETTERS[: len(texts)])


def as_shown(question: Question, variant: Variant) -> Question:
    """Return the question with its options in the order in which this variant shows them.

    Raises InputError where the order is not one of the question's options.
    """
    if not variant.option_order:
        return question
    if sorted(variant.option_order) != list(range(len(question.choices))):
        raise InputError(
            f"question {question.id}: expected an order of its {len(question.choices)} options, found "
            f"{variant.option_order}; score the run with the dataset that it was made on"
        )
    texts = tuple(question.choices[i] for i in variant.option_order)
    return msgspec.structs.replace(question, choices=texts)


def read_answer(extractor: Extractor, question: Question, variant: Variant, text: str) -> ExtractedAnswer:
    """Return what `extractor` reads in an answer to `question`, put as `variant` puts it.

    Where the options were not shown, a letter stands for nothing: they become answers that are possible.
    """
    asked = as_shown(question, variant)
    if asked.choices and not variant.options_shown:
        asked = msgspec.structs.replace(asked, choices=(), possible=asked.choices)
    return extractor.read(asked, text)
