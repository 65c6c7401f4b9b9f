"""Synonyms from the files of WordNet 3.0, as nltk's METEOR asks for them.

A word's synonyms are the single words of all synsets of all its base forms, which are the word itself, what
the lists of exceptions say, and what is left when an ending is taken off.

Ref: Miller 1995; the file format is described in wndb(5WN).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fathom.records import InputError

_ENDINGS: Mapping[str, Sequence[tuple[str, str]]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


@dataclass(frozen=True)
class Lemma:
    """One word of a synset."""

    word: str

    def name(self) -> str:
        """Return the word; those of a phrase are joined by underscores."""
        return self.word


@dataclass(frozen=True)
class Synset:
    """Words of one meaning."""

    words: tuple[Lemma, ...]

    def lemmas(self) -> tuple[Lemma, ...]:
        """Return the words."""
        return self.words


@dataclass(frozen=True)
class _Part:
    """One part of speech: the index line of each lemma, the bytes of its synsets, irregular forms."""

    index: Mapping[str, bytes]
    data: bytes
    exceptions: Mapping[str, Sequence[str]]
    endings: Sequence[tuple[str, str]]

    def base_forms(self, word: str) -> Iterator[str]:
        regular = [word[: -len(old)] + new for old, new in self.endings if word.endswith(old)]
        for form in dict.fromkeys([word, *self.exceptions.get(word, regular)]):
            if form in self.index:
                yield form

    def synsets(self, form: str) -> Iterator[Synset]:
        fields = self.index[form].split()
        for offset in fields[-int(fields[2]) :]:
            line = self.data[int(offset) : self.data.index(b"\n", int(offset))].split()
            words = line[4 : 4 + 2 * int(line[3], 16) : 2]
            yield Synset(tuple(Lemma(w.decode().partition("(")[0]) for w in words))


@dataclass(frozen=True)
class WordNet:
    """WordNet in memory; `synsets` is all that nltk's METEOR wants of it."""

    parts: tuple[_Part, ...]

    def synsets(self, word: str) -> list[Synset]:
        """Return the synsets of every base form of a word, as every part of speech."""
        lower = word.lower()
        return [s for part in self.parts for form in part.base_forms(lower) for s in part.synsets(form)]


@lru_cache(maxsize=1)
def open_wordnet(folder: Path) -> WordNet:
    """Return the WordNet of a folder. Raises InputError where a file of it is missing."""
    return WordNet(tuple(_part(folder, name, endings) for name, endings in _ENDINGS.items()))


def _part(folder: Path, name: str, endings: Sequence[tuple[str, str]]) -> _Part:
    try:
        index, data, exceptions = (
            (folder / file).read_bytes() for file in (f"index.{name}", f"data.{name}", f"{name}.exc")
        )
    except OSError as e:
        raise InputError(
            f"{e.filename}: expected a file of WordNet 3.0, but it cannot be read ({e.strerror}); give the "
            "folder that holds index.noun and data.noun"
        ) from e
    return _Part(
        index={
            line[: line.index(b" ")].decode(): line
            for line in index.splitlines()
            if line[:1] not in (b" ", b"")
        },
        data=data,
        exceptions={
            first: rest
            for first, *rest in (line.split() for line in exceptions.decode().splitlines() if line)
        },
        endings=endings,
    )
