"""The answers to a video's questions, derived a second time from what its frames show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.build.questions.tracks.sights import Seeing, Sights, seen_by
from fathom.build.truth.cell_files import Cells
from fathom.build.truth.tracks import Derived, agrees, derive_track, watched_video
from fathom.programs.engine import Trace, run
from fathom.programs.tracks.facts import tracks_of
from fathom.records import Question, Scene

AGREE, DISAGREE, UNDECIDED = "agree", "disagree", "cannot decide"


def proofs(
    scene: Scene, cells: Cells, sights: Sights, seeing: Seeing, questions: Sequence[Question]
) -> Mapping[str, tuple[str, str]]:
    """Return for each question whether both derivations agree, and what they come to, in words.

    The first runs the program on the exact tracks, the second on the cells. Raises DataError for a program
    that cannot be run.
    """
    if not questions:
        return {}
    tracks = seen_by(tracks_of(scene), sights, seeing)
    made_out = (seeing.made_out_px, seeing.made_out_share)
    video = watched_video(scene, (cells.read(*at) for at in cells.cells), made_out)
    found = {}
    for q in questions:
        first, second = run(q.program, tracks), derive_track(q.program, video)
        found[q.id] = (_verdict(first, second), _words(first, second))
    return found


def _verdict(first: Trace, second: Derived | None) -> str:
    if second is None:
        return UNDECIDED
    said = first.value if isinstance(first.value, str) else ""
    return AGREE if agrees(second, first.numbers, said, first.form) else DISAGREE


def _words(first: Trace, second: Derived | None) -> str:
    """Return what the second derivation comes to, and what it is compared with."""
    if second is None:
        return ""
    if second.kind != "number":
        return f"{second.word or second.kind} against {first.value}"
    own, theirs = (", ".join(f"{v:.6g}" for v in n) for n in (second.numbers, first.numbers))
    return f"{own} {' '.join(second.units)} against {theirs}"
