"""The extractor `vlmevalkit`: as VLMEvalKit's rules read, faults included, without its judge.

Of options:
1. a text with one of four set phrases of refusal, or with its own report of a failed call, is no answer;
2. `. ( ) [ ] , : ; ! * # { }` become blanks, and of the words that remain exactly one is an option's
   letter: it is taken where it stands among the last four;
3. else a letter A to D behind "answer is", in either case and whatever follows it: "answer is clearly D" is
   C, "answer is definitely A" is D;
4. else the one option whose words the text holds, case aside, in a text no longer than twice the options.

Where these find nothing the kit asks a model, and where that fails it draws an option at random. Neither is
done here: such answers cannot be read, and their number is part of the result. Versions of the kit differ:
some take the letter of rule 2 anywhere, and some have no rule 3.

Questions without options are read by rules of their own: vlmevalkit_open.py.
"""

from __future__ import annotations

import re

from fathom.extraction import published, vlmevalkit_open
from fathom.extraction.published import NOTHING, picked
from fathom.extraction.shown_options import ShownOptions, shown
from fathom.records import ExtractedAnswer, Extractor, Question

_FAILED = "Failed to obtain answer via API"
_REFUSED = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)
_BLANKS = str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))
_ANSWER_IS = re.compile(r"(?:correct\s+)?answer\s+is\s+\**([ABCD])", re.IGNORECASE)
_LAST = 4


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return what the kit takes for the answer, without its judge and its random option."""
    return read_choice(question, text) if question.choices else vlmevalkit_open.read(question, text)


def read_choice(question: Question, text: str) -> ExtractedAnswer:
    """Return the option that the kit's rules find."""
    if _FAILED in text or any(phrase in text for phrase in _REFUSED):
        return ExtractedAnswer(None, "refused")
    options = shown(question)
    words = text.translate(_BLANKS).split()
    found = [letter for letter in options.letters if letter in words]
    if len(found) == 1 and words.index(found[0]) >= len(words) - _LAST:
        return picked(options, found[0], "sole letter")
    if not found and "Z" in words:
        return ExtractedAnswer(None, "refused")
    said = _ANSWER_IS.search(text)
    if said and options.text_of(said.group(1)) is not None:
        return picked(options, said.group(1), "answer is", said.group())
    return _by_words(options, text)


def _by_words(options: ShownOptions, text: str) -> ExtractedAnswer:
    if len(text) > 2 * sum(map(len, options.texts)):
        return NOTHING
    held = [place for place, option in enumerate(options.texts) if option.lower() in text.lower()]
    return picked(options, options.letters[held[0]], "option's words") if len(held) == 1 else NOTHING


def value(question: Question, reading: ExtractedAnswer) -> float:
    """Return 1 where the kit counts the answer as correct, else 0."""
    if question.choices:
        return published.value(question, reading)
    return vlmevalkit_open.value(question, reading)


EXTRACTOR = Extractor(name="vlmevalkit", version="2", read=read, value=value)
