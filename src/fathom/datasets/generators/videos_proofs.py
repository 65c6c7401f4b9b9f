"""The answers to a video's questions, derived again from its record and from what its frames show."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from fathom.datasets.proofs import AGREE, DISAGREE, UNDECIDED
from fathom.ground_truth.cell_files import TruthCells
from fathom.programs.engine import Trace, run
from fathom.programs.views.video import video_view
from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.contexts.video_visibility import Seeing, Sights, seen_by, sights_in
from fathom.records import Question, Scene
from fathom.scenes.videos.scales import SCALES
from fathom.verify.engine import derive
from fathom.verify.observed.video import observed_video
from fathom.verify.values import DerivedAnswer, agrees

MAKES = frozenset(SCALES)
"""The generators of scenes that are videos with exact tracks."""

_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.(\d+))?")
_CENTI = "cm"


def proofs(
    scene: Scene, cells: TruthCells, visibility: Sights, seeing: Seeing, questions: Sequence[Question]
) -> Mapping[str, tuple[str, str]]:
    """Return for each question whether both derivations agree, and what they come to, in words.

    The first runs the program on the exact tracks, the second on the cells. Raises DataError for a program
    that cannot be run.
    """
    if not questions:
        return {}
    tracks = seen_by(video_view(scene), visibility, seeing)
    made_out = (seeing.made_out_px, seeing.made_out_share)
    video = observed_video(scene, (cells.read(*at) for at in cells.cells), made_out)
    found = {}
    for q in questions:
        first, second = run(q.program, tracks), derive(q.program, video)
        found[q.id] = (_verdict(first, second), _words(first, second))
    return found


def _verdict(first: Trace, second: DerivedAnswer | None) -> str:
    if second is None:
        return UNDECIDED
    said = first.value if isinstance(first.value, str) else ""
    return AGREE if agrees(second, first.numbers, said, first.form) else DISAGREE


def _words(first: Trace, second: DerivedAnswer | None) -> str:
    """Return what the second derivation comes to, and what it is compared with."""
    if second is None:
        return ""
    if second.kind != "number":
        return f"{second.word or second.kind} against {first.value}"
    own, theirs = (", ".join(f"{v:.6g}" for v in n) for n in (second.numbers, first.numbers))
    return f"{own} {' '.join(second.units)} against {theirs}"


def video_answers(
    scene: Scene, cells: TruthCells, questions: Sequence[Question], seeing: Seeing
) -> Iterator[tuple[str, str | None]]:
    """Yield of each question the answer that the exact tracks give, and the one that the frames give.

    It is the written answer where that says what was derived, to within its last decimal, and else what was
    derived; of the frames None where they cannot decide.
    """
    tracks = seen_by(video_view(scene), sights_in(scene, cells), seeing)
    made_out = (seeing.made_out_px, seeing.made_out_share)
    video = observed_video(scene, (cells.read(*at) for at in cells.cells), made_out)
    for q in questions:
        first = run(q.program, tracks)
        second = derive(q.program, video)
        said = q.answer if says(q, first) else f"{first.value} {first.unit}".strip()
        if second is None:
            yield said, None
            continue
        word = first.value if isinstance(first.value, str) else ""
        same = agrees(second, first.numbers, word, first.form)
        yield said, said if same else f"{second.word or second.numbers}"


def says(question: Question, found: Trace) -> bool:
    """Return whether the written answer is what a program comes to, to within half of its last decimal."""
    if isinstance(found.value, str):
        return _says_word(question, found.value)
    written = list(_NUMBER.finditer(question.answer))
    if not written or len(written) != len(found.numbers):
        return False
    shown = question.tags.get("unit", "")
    for number, own, unit in zip(written, found.numbers, found.unit.split() or [""], strict=True):
        scale = 0.01 if shown.startswith(_CENTI) and len(written) == 1 else 1.0
        value = float(number[0].replace("−", "-")) * scale
        if "to the right" in question.answer and len(written) == 1:
            value = -value
        off = value - own
        if unit == "deg" and not found.form:
            off = math.remainder(off, 360.0)
        # Steps are 1 or 5 of the last decimal.
        if abs(off) > 2.51 * scale * 10.0 ** -len(number[1] or ""):
            return False
    return True


def _says_word(question: Question, word: str) -> bool:
    if word in RELATION_TEXTS:
        return RELATION_TEXTS[word] == question.answer
    named = [part.strip().casefold() for part in question.answer.split(", ")]
    places = sorted(range(len(named)), key=lambda k: _place(question.text.casefold(), named[k], named))
    order = [str(places.index(k) + 1) for k in range(len(named))]
    return word.split() == order


def _place(text: str, name: str, others: Sequence[str]) -> int:
    """Return where a name stands in a text, and not within a longer one of the others."""
    for longer in others:
        if name != longer and name in longer:
            text = text.replace(longer, "·" * len(longer))
    return text.find(name)
