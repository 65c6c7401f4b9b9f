"""The extractor `seed-bench-official`: the letter that a model was made to answer with, and nothing else.

SEED-Bench ranks its options by likelihood, so that there is no text to read; that is scored from
`Response.option_logprobs`. Its one hosted model, GPT-4V, is on record with a letter for each question, some
with blanks around it. This extractor reads such records: one letter, blanks and case forgiven. Anything
longer cannot be read.

Ref: SEED-Bench §4.1; the predictions that its leaderboard publishes.
"""

from __future__ import annotations

from fathom.extraction.published import NOTHING, picked, value
from fathom.extraction.shown_options import shown
from fathom.records import ExtractedAnswer, Extractor, Question


def read(question: Question, text: str) -> ExtractedAnswer:
    """Return the option whose letter is all of the text."""
    letter = text.strip()
    return picked(shown(question), letter, "letter", letter) if len(letter) == 1 else NOTHING


EXTRACTOR = Extractor(name="seed-bench-official", version="1", read=read, value=value)
