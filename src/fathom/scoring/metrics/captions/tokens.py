"""From a caption to words: the exact Penn Treebank tokens of the COCO evaluation, a stand-in, white space.

Characters that other kits take for line ends (carriage return, U+2028 and their like) are spaces here, so
that no caption can shift another's words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.scoring.metrics.captions.java import PTB_JAR, jar_path, run_java

Tokenizer = Callable[[Sequence[str]], list[list[str]]]

STAND_IN = "ptb-like-1"
"""The version of the stand-in; whatever changes a token of it raises the number."""

_LINE_ENDS = str.maketrans(dict.fromkeys("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029\0", " "))

_DROPPED = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)
"""What the COCO evaluation leaves out; the brackets' names come in small letters, and so stay in."""


@dataclass(frozen=True)
class NamedTokenizer:
    """A tokenizer with the name that goes into a score's method."""

    name: str
    tokens: Tokenizer


def one_line(text: str) -> str:
    """Return the text with every kind of line end as a space."""
    return text.translate(_LINE_ENDS)


def white_space(texts: Sequence[str]) -> list[list[str]]:
    """Return what stands between white space, in the letters that it is written in."""
    return [text.split() for text in texts]


def single_spaces(texts: Sequence[str]) -> list[list[str]]:
    """Return what stands between single spaces: two spaces in a row have an empty word between them."""
    return [text.split(" ") for text in texts]


def ptb_java(jar: Path | None = None) -> NamedTokenizer:
    """Return the exact tokenizer of the COCO evaluation: Stanford CoreNLP 3.4.1, small letters.

    Raises InputError or MissingExtraError where the archive is not there; a missing Java is found at first
    use.
    """
    archive = jar_path(jar, PTB_JAR, "exact PTB tokenisation")
    return NamedTokenizer("PTB tokens (Stanford CoreNLP)", lambda texts: _java_tokens(archive, texts))


def _java_tokens(archive: Path, texts: Sequence[str]) -> list[list[str]]:
    """Return the tokens of each text.

    Where the program does not give as many lines as it was given, it is asked again for either half, down
    to the single text whose words it put on several lines.
    """
    if not texts:
        return []
    arguments = ["-cp", str(archive), "edu.stanford.nlp.process.PTBTokenizer"]
    options = ["-preserveLines", "-lowerCase", "-encoding", "UTF-8"]
    lines = run_java([*arguments, *options], [one_line(t) for t in texts], "exact PTB tokenisation")[:-1]
    if len(lines) != len(texts) > 1:
        half = len(texts) // 2
        return _java_tokens(archive, texts[:half]) + _java_tokens(archive, texts[half:])
    if len(texts) == 1:
        lines = [" ".join(lines)]
    return [[w for w in line.rstrip().split(" ") if w and w not in _DROPPED] for line in lines]


def ptb_stand_in() -> NamedTokenizer:
    """Return the tokenizer that does without Java; docs/captions.md says how often it agrees."""
    return NamedTokenizer(
        f"PTB-like tokens without Java ({STAND_IN})", lambda texts: [ptb_like(t) for t in texts]
    )


_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "–": "--", "—": "--"}
    | {"½": "1/2", "¼": "1/4", "¾": "3/4", "\u00a0": " ", "€": "$", "£": "#", "\u00ad": ""}
)
_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&nbsp;": " "}
_JOINED = {
    w: parts.split()
    for w, parts in {
        "cannot": "can not", "gonna": "gon na", "gotta": "got ta", "wanna": "wan na", "lemme": "lem me",
        "gimme": "gim me", "'tis": "'t is", "'twas": "'t was", "d'ye": "d' ye", "y'all": "y' all",
    }.items()
}  # fmt: skip
_ABBREVIATIONS = (
    "mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|approx|inc|ltd|co|corp|gen|col|sgt|capt|lt|rev|hon|gov|sen|rep|jan|feb|"
    "mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|fri|no|nos|fig|figs|vol|pp|ed|al|cf|est|dept|ave|blvd"
)
_WORD = r"[^\W\d_]"
_TOKEN = re.compile(
    "|".join(
        [
            r"(?:https?://|www\.)[^\s<>\"()]*[^\s<>\"().,;:!?']",
            r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
            r"</?[a-z][^<>\n]*>",
            r"[#@][^\W\d]\w*",
            r"(?:[^\W\d_]\.){2,}",  # u.s., e.g., a.m.
            rf"\b(?:{_ABBREVIATIONS})\.",
            r"'t(?=is\b|was\b)",
            r"'n'(?!\w)|'(?:em|til|cause)\b|'\d0s\b",
            r"[+-]?\d+(?:[.,:/]\d+)+|(?<![\w)])[+-]\d+(?:\.\d+)?|\.\d+",
            rf"\d*{_WORD}[\w&]*(?:[-/.&+'](?=\w)[\w]+)*(?:[+#]+(?!\w))?",
            r"\d\w*(?:-\w+)*",
            r"\.{2,}|-{1,}|[?!]{1,}|_+|\*+",
            r"[^\s\w]",
        ]
    )
)
_CLITIC = re.compile(r"(n't|'(?:s|re|ve|ll|d|m))$")
_UNSEEN = re.compile("[\U00010000-\U0010ffff\ufe0f\u200d\u20e3\u2600-\u27bf\u2b00-\u2bff]")


def ptb_like(text: str) -> list[str]:
    """Return Penn-Treebank-like tokens of a caption in small letters, punctuation left out."""
    plain = _UNSEEN.sub(" ", one_line(text)).translate(_PLAIN).lower()
    for entity, meant in _ENTITIES.items():
        plain = plain.replace(entity, meant)
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        found += _parted(token)
    return [w for w in found if w not in _DROPPED and w.strip('.-"')]


def _parted(token: str) -> list[str]:
    """Return a piece of text as its words: clitics come off, brackets get their names."""
    if token in _JOINED:
        return list(_JOINED[token])
    if len(token) == 1:
        return [_BRACKETS.get(token, token)]
    ends: list[str] = []
    while "'" in token and not token.startswith("'") and (match := _CLITIC.search(token)):
        if not match.start():
            break
        ends.insert(0, match.group())
        token = token[: match.start()]
    return [*_JOINED.get(token, [token]), *ends]
