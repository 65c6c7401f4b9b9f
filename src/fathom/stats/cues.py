"""What can be known of a question without looking at a picture: words, options, numbers, metadata, order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.records import UnansweredQuestion

Matrix = NDArray[np.float32]

VISUAL_TAGS = frozenset({"n_objects", "views", "time", "counterfactual", "prior_answer"})
"""Tags that say what is in the picture; a guesser who has not seen it does not know them."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)?|[^\w\s]")
_NUMBER = re.compile(r"[-+−]?\d+(?:\.\d+)?")
_PERIODS = (2, 3, 4, 5)

MOST_NUMBERS = 7
"""So many numbers of an option are looked at one by one."""


def candidates(asked: UnansweredQuestion) -> tuple[str, ...]:
    """Return the answers that a blind guesser chooses from: the options shown, else those of the form."""
    return asked.choices or asked.possible


def tokens(asked: UnansweredQuestion) -> set[str]:
    """Return the words and word pairs of the text, of each option, of the names and of the tags."""
    found = set(_phrases(asked.text, ""))
    for place, choice in enumerate(asked.choices):
        found.update(_phrases(choice, f"option {place}: "))
        found.add(f"option {place} = {choice.casefold()}")
    found.update(f"tag {k} = {v}" for k, v in asked.tags.items() if k not in VISUAL_TAGS)
    found.add(f"task = {asked.task}")
    for kind, name in [("id", asked.id), *(("media", m) for m in asked.media)]:
        found.update(f"{kind} has {word}" for word in re.findall(r"[^\W\d_]+", name.casefold()))
    return found


def _phrases(text: str, prefix: str) -> Iterator[str]:
    words = ["^", *(_shape(w) for w in _WORD.findall(text.casefold())), "$"]
    yield from (prefix + w for w in words[1:-1])
    yield from (f"{prefix}{a} {b}" for a, b in pairwise(words))


def _shape(word: str) -> str:
    """Return the word, or for a decimal number its format alone: the value is a column of its own."""
    return f"<{len(re.split('[.,]', word)[1])} decimals>" if re.fullmatch(r"\d+[.,]\d+", word) else word


def choose_vocabulary(bags: Sequence[set[str]], limit: int = 320) -> tuple[str, ...]:
    """Return the tokens that tell questions apart best: neither rare nor everywhere, no two alike."""
    seen = Counter(t for bag in bags for t in bag)
    least = max(4, len(bags) // 1000)
    split = [t for t, k in seen.items() if least <= k <= len(bags) - least]
    split.sort(key=lambda t: (-seen[t] * (len(bags) - seen[t]), len(t), t))
    split = split[: 4 * limit]
    matrix = token_matrix(bags, split)
    kept: dict[bytes, str] = {}
    for column, token in enumerate(split):
        kept.setdefault(np.packbits(matrix[:, column] > 0).tobytes(), token)
    return tuple(kept.values())[:limit]


def token_matrix(bags: Sequence[set[str]], words: Sequence[str]) -> Matrix:
    """Return which question (row) holds which token (column), as 0 and 1."""
    place = {t: i for i, t in enumerate(words)}
    matrix = np.zeros((len(bags), len(words)), dtype=np.float32)
    for row, bag in enumerate(bags):
        matrix[row, [place[t] for t in bag if t in place]] = 1
    return matrix


def features(
    asked: Sequence[UnansweredQuestion], vocabulary: Sequence[str] | None = None, options: int = 0
) -> tuple[tuple[str, ...], Matrix]:
    """Return names and values (n, columns) of what each question gives away by itself.

    `vocabulary` fixes the tokens (default: those that tell these questions apart best); `options` is how many
    options each of the questions shows, 0 where they show none or differ.
    """
    bags = [tokens(a) for a in asked]
    words = choose_vocabulary(bags) if vocabulary is None else tuple(vocabulary)
    names, numbers = text_numbers(asked)
    parts = [token_matrix(bags, words), numbers]
    if options:
        more, columns = option_numbers(asked, options)
        names, parts = names + more, [*parts, columns]
    return words + names, np.hstack(parts)


def text_numbers(asked: Sequence[UnansweredQuestion]) -> tuple[tuple[str, ...], Matrix]:
    """Return names and values (n, columns): how long each text is, its punctuation and its numbers."""
    names = ("characters", "words", "commas", "capitals", "numbers", "first number", "last number",
             "decimals", "candidates", "pictures")  # fmt: skip
    rows = np.zeros((len(asked), len(names)), dtype=np.float32)
    for row, a in zip(rows, asked, strict=True):
        numbers = _NUMBER.findall(a.text)
        row[:] = (
            len(a.text),
            len(a.text.split()),
            a.text.count(","),
            sum(c.isupper() for c in a.text),
            len(numbers),
            _value(numbers[0]) if numbers else -1,
            _value(numbers[-1]) if numbers else -1,
            max((_decimals(x) for x in numbers), default=-1),
            len(candidates(a)),
            len(a.media),
        )
    return names, rows


def option_numbers(asked: Sequence[UnansweredQuestion], places: int) -> tuple[tuple[str, ...], Matrix]:
    """Return names and values (n, columns) of how each of `places` options is written, ranks included."""
    kinds = ("characters", "words", "length rank", "longest", "shortest", "number rank", "decimals",
             "digits", "words shared with the question", "words shared with the other options",
             "written like the others")  # fmt: skip
    names = tuple(f"option {p}: {kind}" for p in range(places) for kind in kinds)
    rows = np.zeros((len(asked), len(names)), dtype=np.float32)
    for row, a in zip(rows, asked, strict=True):
        row[:] = _option_columns(a).T.ravel()
    return names, rows


def several_numbers(asked: Sequence[UnansweredQuestion], places: int) -> tuple[tuple[str, ...], Matrix]:
    """Return names and values (n, columns) of the numbers in options that have several, such as places: each
    number, its rank among those of the other options, and its share of the question's last number, which is
    often a time. No columns where no option has several.
    """
    numbers = [[[_value(x) for x in _NUMBER.findall(o)] for o in a.choices[:places]] for a in asked]
    most = min(max((len(o) for row in numbers for o in row), default=0), MOST_NUMBERS)
    if most < 2 or not places:
        return (), np.zeros((len(asked), 0), dtype=np.float32)
    kinds = ("number", "rank of number", "share of number")
    names = tuple(f"option {p}: {kind} {k + 1}" for p in range(places) for k in range(most) for kind in kinds)
    rows = np.zeros((len(asked), places, most, len(kinds)), dtype=np.float32)
    for row, own, a in zip(rows, numbers, asked, strict=True):
        told = _NUMBER.findall(a.text)
        whole = _value(told[-1]) if told else 0.0
        for k in range(most):
            values = [o[k] if k < len(o) else 0.0 for o in own]
            row[:, k, 0], row[:, k, 1] = values, _ranks(values)
            row[:, k, 2] = [v / whole if whole else 0.0 for v in values]
    return names, rows.reshape(len(asked), -1)


def _option_columns(asked: UnansweredQuestion) -> Matrix:
    options = asked.choices
    words = [set(_WORD.findall(o.casefold())) for o in options]
    question = set(_WORD.findall(asked.text.casefold()))
    lengths = [len(o) for o in options]
    numbers = [_NUMBER.findall(o) for o in options]
    values = [_value(x[0]) if x else 0.0 for x in numbers]
    forms = [re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "0", o)) for o in options]
    others = [set().union(*words[:i], *words[i + 1 :]) for i in range(len(options))]
    return np.array(
        [
            lengths,
            [len(o.split()) for o in options],
            _ranks(lengths),
            _alone(lengths, max(lengths)),
            _alone(lengths, min(lengths)),
            _ranks(values),
            [max((_decimals(x) for x in found), default=-1) for found in numbers],
            [sum(c.isdigit() for c in o) for o in options],
            [len(w & question) for w in words],
            [len(w & o) for w, o in zip(words, others, strict=True)],
            [forms.count(f) for f in forms],
        ],
        dtype=np.float32,
    )


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(x < v for x in values) + 0.5 * sum(x == v for x in values) for v in values]


def _alone(values: Sequence[float], extreme: float) -> list[float]:
    return [float(v == extreme) / values.count(extreme) for v in values]


def _value(number: str) -> float:
    return float(np.clip(float(number.replace("−", "-")), -1e9, 1e9))


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def places(asked: Sequence[UnansweredQuestion]) -> tuple[tuple[str, ...], Matrix]:
    """Return names and values (n, columns) of where a question stands in file, scene and task."""
    names = ("place in the file", "place in the scene", "questions of the scene", "place in the task",
             *(f"place in the file modulo {k}" for k in _PERIODS),
             *(f"place in the scene modulo {k}" for k in _PERIODS), "last number of the id")  # fmt: skip
    per_scene = Counter(a.scene for a in asked)
    scenes: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    rows = np.zeros((len(asked), len(names)), dtype=np.float32)
    for i, (row, a) in enumerate(zip(rows, asked, strict=True)):
        at = scenes[a.scene]
        numbers = re.findall(r"\d+", a.id)
        row[:4] = i, at, per_scene[a.scene], tasks[a.task]
        row[4:-1] = [i % k for k in _PERIODS] + [at % k for k in _PERIODS]
        row[-1] = int(numbers[-1][-6:]) if numbers else -1
        scenes[a.scene] += 1
        tasks[a.task] += 1
    return names, rows


def names_the_picture(cue: str) -> bool:
    """Return whether a column tells which picture a question belongs to."""
    return cue in _NAME_THE_PICTURE or cue.startswith(("id has ", "media has "))


_NAME_THE_PICTURE = frozenset(
    ("place in the file", "questions of the scene", "place in the task", "last number of the id")
)


def earlier_answers(
    forms: Sequence[str], scenes: Sequence[str], labels: NDArray[np.intp], allowed: NDArray[np.bool_]
) -> Matrix:
    """Return for each question what earlier answers of its form on other scenes give away, (n, 2 k + 2).

    `labels` (n,) number the answers and `allowed` (n, k) says which of the k each question can have. For each
    answer: by how many it has been rarer so far than the mean, and whether it has been the rarest (shared
    among equals); then the last two answers (−1: none). A generator that fills quotas shows here.
    """
    count = allowed.shape[1]
    rows = np.zeros((len(labels), 2 * count + 2), dtype=np.float32)
    past: dict[str, list[tuple[str, int]]] = {}
    seen: dict[str, NDArray[np.float64]] = {}
    own: dict[tuple[str, str], NDArray[np.float64]] = {}
    for row, form, scene, label, open_ in zip(rows, forms, scenes, labels.tolist(), allowed, strict=True):
        all_counts = seen.setdefault(form, np.zeros(count))
        own_counts = own.setdefault((form, scene), np.zeros(count))
        counts = all_counts - own_counts
        rarest = open_ & (counts == counts[open_].min())
        row[:count] = np.where(open_, counts[open_].mean() - counts, 0)
        row[count:-2] = rarest / rarest.sum()
        history = past.setdefault(form, [])
        last = [*islice((a for s, a in reversed(history) if s != scene), 2), -1, -1]
        row[-2:] = last[:2]
        history.append((scene, label))
        all_counts[label] += 1
        own_counts[label] += 1
    return rows
