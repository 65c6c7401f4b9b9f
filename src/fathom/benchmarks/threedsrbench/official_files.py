"""3DSRBench's own tables of a dataset: as its authors publish theirs, plain and circular.

    OUT/3dsrbench_v1_vlmevalkit.tsv             index, qid, question, A … D, answer, category, image_source,
                                                image_url, image
    OUT/3dsrbench_v1_vlmevalkit_circular.tsv    the same, each question once for every turn of its options

A qid: eight letters and digits, `-flip` where the picture is mirrored, and `-N` where the options are turned
by N. The authors' code groups rows by it. A question that has no such id gets one from its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from fathom.benchmarks.threedsrbench.official import parse_qid
from fathom.formats.export_media import MediaShelf
from fathom.formats.export_plan import ExportPlan, Progress, Survey
from fathom.formats.export_vlmevalkit import embedded, line_of
from fathom.formats.table_cells import LETTERS
from fathom.records import Question, UnfitError

PLAIN, CIRCULAR = "3dsrbench_v1_vlmevalkit.tsv", "3dsrbench_v1_vlmevalkit_circular.tsv"
COLUMNS = 4
BASE = 8


def export_official(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write both tables and return what is to be known about them.

    Raises UnfitError where a question has no picture, several, or more options than there are columns.
    """
    for name, turned in ((PLAIN, False), (CIRCULAR, True)):
        with (shelf.out / name).open("w", encoding="utf-8", newline="") as out:
            for number, row in enumerate(_rows(plan, shelf, turned)):
                if number == 0:
                    out.write(line_of(row))
                out.write(line_of(row.values()))
                progress("exporting", number + 1, 0, name)
    return [f"{CIRCULAR} has each question once for every turn of its options"]


def _rows(plan: ExportPlan, shelf: MediaShelf, turned: bool) -> Iterator[dict[str, object]]:
    """Yield the rows of a table; a picture that an earlier row has is that row's index."""
    met: dict[str, str] = {}
    index = 0
    taken: dict[str, str] = {}
    for question in plan.dataset.questions():
        _check(question)
        qid = _qid(question, taken)
        for turn in range(len(question.choices) if turned else 1):
            called = msgspec.structs.replace(question, id=str(index))
            image, _ = embedded(called, shelf.of(question, "image"), shelf, met)
            yield _row(question, index, f"{qid}-{turn}" if turn else qid, turn) | {"image": image}
            index += 1


def _row(question: Question, index: int, qid: str, turn: int) -> dict[str, object]:
    choices = question.choices[turn:] + question.choices[:turn]
    texts = {letter: choices[k] if k < len(choices) else "" for k, letter in enumerate(LETTERS[:COLUMNS])}
    return {
        "index": index,
        "qid": qid,
        "question": question.text,
        **texts,
        "answer": LETTERS[choices.index(question.answer)],
        "category": question.task,
        "image_source": question.tags.get("image_source") or question.tags.get("split", ""),
        "image_url": f"{question.groups.cluster or question.id}.png",
    }


def _qid(question: Question, taken: dict[str, str]) -> str:
    """Return a question's qid: its own where it is one, else one drawn from what it is called.

    A mirrored question and its original share the first eight characters.
    """
    base, flipped, turn = parse_qid(question.id)
    if turn == 0 and len(base) == BASE and base.isalnum() and base.isascii():
        return question.id
    origin = question.groups.flip or question.id
    drawn = hashlib.sha256(origin.encode()).hexdigest()[:BASE].upper()
    if taken.setdefault(drawn, origin) != origin:
        raise UnfitError(f"{question.id}: has the qid {drawn} of {taken[drawn]}; rename one of the two")
    mirrored = flipped or question.tags.get("flipped") == "yes"
    return f"{drawn}-flip" if mirrored else drawn


def _check(question: Question) -> None:
    if len(question.media) != 1 or not 2 <= len(question.choices) <= COLUMNS:
        raise UnfitError(
            f"question {question.id}: the official table holds one picture and 2 to {COLUMNS} options, and "
            f"it has {len(question.media)} and {len(question.choices)}; use --to vlmevalkit"
        )
