"""Whether the words of a caption are those of its claims, and in order as English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from fathom.authoring.captions.claims import IN_REVERSE, Caption, Claim
from fathom.authoring.captions.english import CaptionLexicon
from fathom.english import NUMBERS, article, number
from fathom.pronouns import pronoun_of

_FUNCTION_WORDS = frozenset(
    (
        "a", "an", "the", "this", "that", "here", "and", "then", "is", "are", "as", "it", "its",
        "s", "object", "video", "shows", "with", "near", "nearby",
        "first", "in", "end", "finally", "keeps", "before", "after", "which", "while", "again", "another",
        "other", "on", "in", "under", "to", "of", "pair", "what", "moves",
    )
)  # fmt: skip
_PRONOUNS: Mapping[str, tuple[str, ...]] = {
    "he": ("he", "him", "his", "himself"),
    "she": ("she", "her", "herself"),
    "they": ("them", "their", "themselves"),
    "it": (),
}
"""What is said of whom, beside "it" and "its"."""

_REVERSED = ("in", "reverse", "backward")
_WORDS_OF: Mapping[str, tuple[str, ...]] = {
    "appears": ("appear", "appears", "grow", "grows"),
    "vanishes": ("disappear", "disappears"),
    "recolours": ("turn", "turns"),
    "swaps": ("turn", "turns", "into"),
    "front": ("front",),
    "behind": ("behind",),
    "worn": ("wearing",),
    "held": ("holding",),
    "travel": ("moving",),
    "turn": ("turning",),
    "lengthwise": ("forward", "back"),
    "sideways": ("from", "side"),
    "vertical": ("up", "down"),
    "moves": ("moves", "move"),
    "grows": ("growing", "body", "one"),
    "comes": ("over", "time", "meanwhile", "from", "new", "one", "more", "all", "that", "were", "at"),
    "order": ("one", "by"),
}
_VERBS_OF: Mapping[str, int] = {"moves": 2, "turn": 1, "goes": 0}
"""Kind of claim → the place of its word that is a verb."""


def words_without_claims(caption: Caption, lexicon: CaptionLexicon) -> Iterator[str]:
    """Yield words for which there is no claim, and claims for which there is no word."""
    written = set(_words(caption.text))
    known: set[str] = set()
    for claim in caption.claims:
        said = _said(claim, lexicon)
        if claim.kind == "noun":
            known |= {*_PRONOUNS[pronoun_of(claim.words[0])]}
        known |= said
        if claim.kind != "during" and not said & written:
            yield f"{claim.kind} {' / '.join(claim.words)!r} is claimed and not said"
    for word in sorted(written - known - _FUNCTION_WORDS):
        yield f"{word!r} is said and not claimed"
    counts = {number(len(c.objects)) for c in caption.claims if c.kind in ("group", "grown")}
    counted = ("limbs", "paint", "comes", "grows", "times")
    counts |= {number(int(c.words[-1])) for c in caption.claims if c.kind in counted}
    for word in sorted((written & set(NUMBERS)) - counts - {"one"}):
        yield f"{word!r} is said, and nothing is so many"


def said_badly(text: str) -> Iterator[str]:
    """Yield words that stand twice in a row, and articles that do not fit what follows."""
    words = _words(text)
    yield from (f"{w!r} is said twice in a row" for w in re.findall(r"\b(\w+) \1\b", text.casefold()))
    for word, after in pairwise(words):
        if word in ("a", "an") and word != article(after):
            yield f"{word + ' ' + after!r} has the wrong article"


def _said(claim: Claim, lexicon: CaptionLexicon) -> set[str]:
    """Return the words with which a claim may be said."""
    if claim.kind == "times":
        return {"twice"} if claim.words[1] == "2" else {number(int(claim.words[1])), "times"}
    found: set[str] = set(_WORDS_OF.get(claim.kind, ()))
    for place, text in enumerate(claim.words):
        if not text:
            continue
        if claim.kind in ("does", "during") or _VERBS_OF.get(claim.kind) == place:
            forms = lexicon.forms(text.removesuffix(IN_REVERSE))
            found |= {
                *_words(forms.third),
                *_words(forms.ing),
                *(_REVERSED if text.endswith(IN_REVERSE) else ()),
            }
            continue
        what, _, detail = text.partition(":")
        found |= {*_words(what if _spoken(what) else detail), *_words(detail), *_WORDS_OF.get(what, ())}
        for noun in (what, detail, what.removesuffix("s")):
            found |= set(_words(lexicon.many(noun))) if noun else set()
    if claim.kind in ("paint", "comes", "grows"):
        found.add(number(int(claim.words[-1])))
    if claim.kind in ("group", "grown"):
        found.add(number(len(claim.objects)))
    if claim.kind == "limbs":
        found |= {number(int(claim.words[1])), claim.words[0].removesuffix("s")}
    return found


def _spoken(what: str) -> bool:
    return what not in ("appears", "vanishes", "recolours", "swaps")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:-[^\W_]+)*", text.casefold())
