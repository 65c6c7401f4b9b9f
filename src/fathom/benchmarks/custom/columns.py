"""Which column of a table holds what: guessed from well-known names, or said by whoever has the table.

Names are compared without regard to case; spaces and hyphens count as underscores. A column that stands for
nothing is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.formats.import_findings import one_line
from fathom.formats.table_cells import LETTERS
from fathom.records import InputError

KNOWN: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "query", "prompt", "question_text"),
    "answer": (
        *("answer", "gt", "gt_answer", "ground_truth", "groundtruth", "correct_answer", "correct_option"),
        *("correct_choice", "correct", "label", "target", "gold", "solution"),
        *("answer_index", "answer_idx", "correct_index", "correct_idx", "gt_index", "gt_idx"),
    ),
    "id": ("id", "index", "qid", "question_id", "sample_id", "uid", "idx"),
    "options": ("options", "choices", "candidates", "answer_choices", "answer_options"),
    "equivalents": ("equivalents", "accepted_answers", "aliases"),
    "possible": ("possible", "possible_answers"),
    "task": ("task", "category", "type", "question_type", "task_type", "subtask"),
    "image": (
        *("image", "images", "image_path", "image_paths", "image_file", "image_name", "image_filename"),
        *("img", "img_path", "picture", "pictures"),
    ),
    "video": ("video", "videos", "video_path", "video_paths", "video_file", "video_name", "clip"),
    "cluster": ("cluster", "cluster_id", "scene", "scene_id"),
    "flip": ("flip", "flip_id"),
    "pair": ("pair", "pair_id"),
    "span": ("span", "span_s", "segment", "time_span", "time_range"),
}
"""What a table can hold → the names of columns that are taken for it, the first that is there."""

NEEDED = ("question", "answer")
MEDIA = ("image", "video")
GROUPS = ("cluster", "flip", "pair")

INDEXES = re.compile(r"(?:^|_)(?:index|idx)$")
"""Names of answer columns that hold the place of an option, and not its text."""

_SPANS = (
    ("time_start", "time_end"),
    ("start_time", "end_time"),
    ("start_s", "end_s"),
    ("start", "end"),
)
_LETTERED = re.compile(r"^((?:option|choice|candidate|opt)?_?)([a-j]|10|\d)$")
_NUMBERED_IMAGE = re.compile(r"^(image|img|picture)_?(\d{1,3})$")
_FROM_ELSEWHERE = frozenset({"prediction", "response", "model_output"})


@dataclass(frozen=True)
class TableColumns:
    """The columns of one table: what they hold → their names.

    Of several each holds a part of it, but for what stands in `either`: there the first that is not empty in
    a row holds all of it.
    """

    of: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...] = ()
    either: frozenset[str] = frozenset()

    def __getitem__(self, what: str) -> tuple[str, ...]:
        """Return the columns that hold this; none where the table has none."""
        return self.of.get(what, ())

    def __str__(self) -> str:
        """Return them as `--columns` takes them, and which are not read."""
        said = ",".join(
            f"{what}={('|' if what in self.either else '+').join(names)}" for what, names in self.of.items()
        )
        return f"{said}; not read: {one_line(', '.join(self.unread))}" if self.unread else said

    def without(self, what: str) -> TableColumns:
        """Return the columns without those that hold this, which are not read."""
        others = {k: v for k, v in self.of.items() if k != what}
        return TableColumns(others, (*self.unread, *self[what]), self.either)


@dataclass(frozen=True)
class ColumnsSaid:
    """What `--columns` says: what a column holds → its names; empty ones are not to be guessed."""

    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    either: frozenset[str] = frozenset()


def said_columns(text: str) -> ColumnsSaid:
    """Return what `--columns question=NAME,options=NAME+NAME,image=NAME|NAME…` says.

    Raises InputError for what no column can hold, and for a text of another form.
    """
    found: dict[str, tuple[str, ...]] = {}
    either = set()
    for part in filter(None, text.split(",")):
        what, is_there, names = (piece.strip() for piece in part.partition("="))
        if not is_there or what not in KNOWN:
            raise InputError(
                f"--columns {text}: expected WHAT=NAME for each, found {part!r}; WHAT is one of "
                f"{', '.join(KNOWN)}, and several columns are joined by +"
            )
        if "|" in names and what in MEDIA:
            either.add(what)
        found[what] = tuple(name.strip() for name in re.split(r"[+|]", names) if name.strip())
    return ColumnsSaid(found, frozenset(either))


def has_questions(columns: frozenset[str], said: ColumnsSaid) -> bool:
    """Return whether a table with these columns can be one of questions, and not of a model's answers."""
    if "question" in said.of:
        return set(said.of["question"]) <= columns
    plain = {_plain(name) for name in columns}
    return bool(plain & set(KNOWN["question"])) and not plain & _FROM_ELSEWHERE


def columns_of(names: Sequence[str], said: ColumnsSaid, file: str) -> TableColumns:
    """Return the columns of a table that has these names, in its order.

    Raises InputError where one that was said is not there, or one that is needed was neither said nor found.
    """
    by_plain: dict[str, str] = {}
    for name in names:
        by_plain.setdefault(_plain(name), name)
    there = ", ".join(names) or "none"
    found: dict[str, tuple[str, ...]] = {}
    taken = {name for some in said.of.values() for name in some}
    for what in KNOWN:
        if what in said.of:
            if missing := [name for name in said.of[what] if name not in names]:
                raise InputError(
                    f"{file}: has no column {missing[0]!r} for {what}; there are {one_line(there)}; correct "
                    "--columns"
                )
            found[what] = said.of[what]
        else:
            found[what] = tuple(name for name in _guessed(what, by_plain) if name not in taken)
            taken.update(found[what])
    for what in NEEDED:
        if not found[what]:
            raise InputError(
                f"{file}: expected a column for the {what} ({', '.join(KNOWN[what][:6])} …), found "
                f"{one_line(there)}; say with --columns {what}=NAME which one it is"
            )
    unread = tuple(name for name in names if name not in taken)
    either = {
        what for what in MEDIA if what not in said.of and len(found[what]) > 1 and _is_known(what, found)
    }
    return TableColumns({what: some for what, some in found.items() if some}, unread, said.either | either)


def _is_known(what: str, found: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether these columns have well-known names, and no numbers of their own."""
    return _plain(found[what][0]) in KNOWN[what]


def _guessed(what: str, by_plain: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns that are taken for this, by the plain forms of their names."""
    if what == "options" and (some := _by_letter(by_plain)):
        return some
    if some := tuple(by_plain[known] for known in KNOWN[what] if known in by_plain):
        return some if what in MEDIA else some[:1]
    if what == "image":
        numbered = [
            (int(m[2]), name) for plain, name in by_plain.items() if (m := _NUMBERED_IMAGE.match(plain))
        ]
        return tuple(name for _, name in sorted(numbered))
    if what == "span":
        pair = next((pair for pair in _SPANS if set(pair) <= by_plain.keys()), ())
        return tuple(by_plain[plain] for plain in pair)
    return ()


def _by_letter(by_plain: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns of options that are named by letter or number (A, B …; option_1, option_2 …).

    They begin with the first letter, or with 0 or 1, and have no gap; there are at least two.
    """
    groups: dict[str, dict[str, str]] = {}
    for plain, name in by_plain.items():
        if match := _LETTERED.match(plain):
            groups.setdefault(match[1], {})[match[2]] = name
    for prefix, of_one in groups.items():
        places: Iterable[str] = LETTERS.lower()
        if prefix and "1" in of_one:
            places = [str(n) for n in range(0 if "0" in of_one else 1, 11)]
        some = []
        for place in places:
            if place not in of_one:
                break
            some.append(of_one[place])
        if len(some) > 1:
            return tuple(some)
    return ()


def _plain(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip().casefold())
