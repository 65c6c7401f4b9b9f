"""The options that a text names by their letters, and which of them it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from fathom.extraction.cues import (
    AGAIN,
    CLOSE,
    DENIED_AFTER,
    DENIED_BEFORE,
    FILLER,
    MEANT_AFTER,
    MEANT_BEFORE,
    NOUNS,
    OPEN,
    REASON,
    SUPPOSED,
    WORD,
)
from fathom.extraction.shown_options import LETTERS, ShownOptions

MOST = 400
"""Mentions that are looked at, from the end."""

_NEAR = 160
_LETTER = re.compile(
    rf"(?P<noun>(?<![{WORD}])(?:{NOUNS})\s*[:#]?\s*)?(?P<open>[{OPEN}]{{0,6}})\s?"
    rf"(?<![{WORD}.\-])(?P<letter>[A-Ja-j])(?P<close>\s?[{CLOSE}]{{1,6}}|)(?![{WORD}]|[-'’](?=[{WORD}])|\.(?=[{WORD}]))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:[,/&+、]|[,;]?\s*\b(?:and|or|und|oder|et|ou|y|o|e|through|to)\b|[–—~-]|和|或|と)?\s*"
    rf"(?:(?:{NOUNS})\s*)?",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[\s,]*")
_END = re.compile(r"[;!?。！？\n]|\.(?=[\s\"'”’)*]|$)|…")
_QUOTED = re.compile(r"[\"“][^\"”\n]{0,300}[\"”]|(?<!\w)['‘][^\n]{0,300}?['’](?!\w)")
_ARTICLE = re.compile(r"\s+[a-zà-öø-ÿ]")
_NO_ARTICLE = re.compile(
    r"\s+(?:is|was|are|were|would|seems?|fits?|match(?:es)?|describes?|because|since|as|and|or|but|not|"
    r"remains?|ist|es|est|looks?|appears?)\b"
)
_VERB = re.compile(
    r"[\s,]*(?:it\s+is|is|was|would|should|must|seems?|fits?|match(?:es)?|describes?|because|since|as|though|"
    r"stands|remains|looks|appears|ist|es|est)\b|[\s,]*(?:が|です|を|項|项|입니다|。)"
)
_LABEL = re.compile(r"\s*[.):,、;!?—–-]|\s*$|\s{1,3}(?=[\d.(])")
_MARKS = re.compile(r"[^\w]*")
_BLANK = re.compile(rf"{FILLER}\Z", re.IGNORECASE)
_TICKED = re.compile(r"[^\n]{0,300}?([✗✘❌✓✔✅])[\s*_]*$", re.MULTILINE)
_TAIL_COMMA = re.compile(r"[,:、—–-]\s*$")


class Stance(Enum):
    """How a text stands to the options that it mentions."""

    MEANT = "meant"
    FIRST = "first"
    NEUTRAL = "neutral"
    SUPPOSED = "supposed"
    DENIED = "denied"


@dataclass(frozen=True)
class Mention:
    """One letter, or several in a row ("A or B"), the words they stand in, and how these take them."""

    letters: frozenset[str]
    stance: Stance
    clause: str
    start: int
    end: int


@dataclass(frozen=True)
class _Spot:
    letters: frozenset[str]
    start: int
    end: int
    sure: bool


def mentions(text: str, shown: ShownOptions) -> list[Mention]:
    """Return the last `MOST` mentions of options by letter in a text in form NFKC, in order.

    There are none where the options were shown without letters.
    """
    if not shown.letters:
        return []
    spots = _grouped(text, _spots(text))
    listed = _listed(text, spots)
    found = []
    for i, spot in enumerate(spots):
        before = spots[i - 1].end if i else 0
        behind = spots[i + 1].start if i + 1 < len(spots) else len(text)
        mention = _mention(text, spot, before, behind, spot.start in listed)
        if mention is not None:
            found.append(mention)
    return [m for m in found if m.letters & set(shown.letters) or m.stance is Stance.MEANT]


def _spots(text: str) -> list[_Spot]:
    found = []
    for match in _LETTER.finditer(text):
        letter = match.group("letter")
        bracketed = bool(match.group("open") and match.group("close").strip())
        noun = match.group("noun") is not None
        if not bracketed and _is_article(letter, text, match.end("letter")):
            continue
        if letter in "abcdefghijI" and not (noun or bracketed):
            continue
        found.append(_Spot(frozenset(letter.upper()), match.start(), match.end(), bracketed or noun))
    return found[-MOST:]


def _is_article(letter: str, text: str, end: int) -> bool:
    if letter not in "Aa":
        return False
    return bool(_ARTICLE.match(text, end)) and not (letter == "A" and _NO_ARTICLE.match(text, end))


def _grouped(text: str, spots: Sequence[_Spot]) -> list[_Spot]:
    """Return the spots with those that stand in a row ("A, B and D") made one."""
    out: list[_Spot] = []
    for spot in spots:
        if out and len(gap := text[out[-1].end : spot.start]) <= 24 and _BETWEEN.fullmatch(gap):
            last = out[-1]
            again = spot.letters <= last.letters and _COMMA.fullmatch(gap)
            if not (again and len(last.letters) > 1) and not ("\n" in gap and not spot.sure):
                sure = last.sure or spot.sure or not gap.isspace()
                out[-1] = _Spot(last.letters | spot.letters, last.start, spot.end, sure)
                continue
        out.append(spot)
    return out


def _listed(text: str, spots: Sequence[_Spot]) -> frozenset[int]:
    """Return where the lines of a list of options begin: two or more with a letter before text."""
    starts: dict[int, frozenset[str]] = {}
    for spot in spots:
        line = text.rfind("\n", 0, spot.start) + 1
        end = text.find("\n", spot.end)
        rest = text[spot.end : end if end >= 0 else len(text)]
        head = re.sub(r"^\s*\d+[.)]", "", text[line : spot.start])
        if _MARKS.fullmatch(head) and _LABEL.match(rest) and len(rest.strip(" .):,-*_")) > 1:
            starts[spot.start] = spot.letters
    return frozenset(starts) if len(set(starts.values())) > 1 else frozenset()


def _mention(text: str, spot: _Spot, before: int, behind: int, listed: bool) -> Mention | None:
    left = _left(text, spot.start, before)
    right = text[spot.end : min(behind, spot.end + _NEAR)]
    first = not _MARKS.sub("", text[: spot.start][-80:]) and spot.start < 80
    labelled = (first or _starts_line(text, spot.start)) and _LABEL.match(right) is not None
    if labelled and right[:1] == ".":
        right = right[1:]
    ended = _END.search(right)
    asked = ended is not None and ended.group() == "?"
    right = right[: ended.start()] if ended else right
    full, right = right, _QUOTED.sub(" ", REASON.split(_QUOTED.sub(" ", right), maxsplit=1)[0])
    if not (spot.sure or _is_meant_as_letter(spot, left, full, first, labelled)):
        return None
    ticked = _TICKED.match(text, spot.end) if listed else None
    stance = _stance(left, ticked.group(1) if ticked else right, asked)
    if stance is Stance.NEUTRAL:
        alone = not full.strip(" .*_`'\")") and _BLANK.match(left)
        last = not text[spot.end :].strip(" .*_`'\")!\n") and _TAIL_COMMA.search(left)
        if listed:
            stance = Stance.NEUTRAL
        elif first:
            stance = Stance.FIRST
        elif alone or last:
            stance = Stance.MEANT
    elif stance is Stance.MEANT and listed and not (ticked or MEANT_AFTER.search(right)):
        stance = Stance.NEUTRAL
    letters = spot.letters
    if AGAIN.match(full):
        letters = letters | {"?"}
    clause = " ".join(text[max(0, spot.start - len(left)) : spot.end + len(full)].split())
    return Mention(letters, stance, clause[:_NEAR], spot.start, spot.end)


def _left(text: str, start: int, before: int) -> str:
    left = text[max(before, start - _NEAR) : start]
    ends = [m.end() for m in _END.finditer(left)]
    return left[ends[-1] :] if ends else left


def _starts_line(text: str, start: int) -> bool:
    return not _MARKS.sub("", text[text.rfind("\n", 0, start) + 1 : start])


def _is_meant_as_letter(spot: _Spot, left: str, right: str, first: bool, labelled: bool) -> bool:
    """Return whether a bare capital is an option's letter, and no word or initial."""
    if len(spot.letters) > 1 or labelled:
        return True
    if MEANT_BEFORE.search(left) or DENIED_BEFORE.search(left):
        return True
    blank = _BLANK.match(left) is not None
    if blank and (_VERB.match(right) or not right.strip() or (first and _LABEL.match(right))):
        return True
    return bool(_TAIL_COMMA.search(left)) and (not right.strip() or _VERB.match(right) is not None)


def _stance(left: str, right: str, asked: bool) -> Stance:
    if DENIED_AFTER.search(right[:120]) or DENIED_BEFORE.search(left):
        return Stance.DENIED
    if asked or (SUPPOSED.search(left) and not MEANT_BEFORE.search(left)):
        return Stance.SUPPOSED
    if MEANT_BEFORE.search(left) or MEANT_AFTER.search(right[:_NEAR]):
        return Stance.MEANT
    return Stance.NEUTRAL


def alone(text: str) -> str | None:
    """Return the letter that is all of a text but for marks, in capitals, or None: "**(b)**" is B."""
    bare = re.sub(r"[\W_]+", "", text)
    return bare.upper() if len(bare) == 1 and bare.upper() in LETTERS else None
