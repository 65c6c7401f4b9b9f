"""Questions of a build of videos, for which further worlds are drawn where those drawn first lack some.

Where a task, or a level, finds fewer questions in a setting than are wanted, more worlds of that setting are
drawn, within a bound, and all is chosen anew. Worlds that give no question are no part of the set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fathom.build.parts import Progress, make_missing
from fathom.build.questions.tracks import Draft, Selection, chosen, wanted_of, written
from fathom.build.questions.tracks.lacking import lacking_in, lacking_levels
from fathom.build.videos.plan import VIDEOS_FOLDER, VideoPlan
from fathom.build.videos.stages import Asked, draft, make_video, read_video
from fathom.build.workers import spread
from fathom.records import Question, Scene

ROUNDS = 3
"""So often further worlds are drawn."""

GIVES = 3.0
"""How many of the missing questions a further world is taken to give."""


@dataclass(frozen=True)
class _Chosen:
    """What is asked of some videos."""

    videos: tuple[int, ...]
    selection: Selection
    questions: tuple[Question, ...]

    @property
    def lacking(self) -> tuple[int, int]:
        """How many questions of tasks are missing, and then of levels."""
        return self.selection.short.total(), sum(self.selection.levels.values())


def asked_of(plan: VideoPlan, scenes: Sequence[Scene], workers: int, progress: Progress) -> Asked:
    """Return the questions of the plan's videos, of further ones, and what could not be had all the same.

    Of several rounds the one counts that lacks least.
    """
    recipe = plan.recipe().questions
    drafts: dict[int, list[Draft]] = {}
    videos = [*range(plan.scenes)]
    wanted = wanted_of(recipe.mix, scenes)
    best: _Chosen | None = None
    for _ in range(ROUNDS + 1):
        _draft(plan, videos, drafts, workers, progress)
        progress("choosing questions", 0, 1, "")
        selection = chosen([d for k in sorted(videos) for d in drafts[k]], wanted, recipe)
        questions = tuple(written(selection.picked, recipe))
        if plan.graded:
            selection.levels = lacking_levels(questions, recipe.mix)
        progress("choosing questions", 1, 1, f"{len(questions)} questions")
        found = _Chosen(tuple(videos), selection, questions)
        if best is None or found.lacking < best.lacking:
            best = found
        more = further(plan, lacking_in(selection), videos)
        if not more:
            break
        missing = [k for k in more if not plan.video_part(k).exists()]
        make_missing("further worlds", len(more), missing, partial(make_video, plan), workers, progress)
        videos += more
    assert best is not None  # the first round is one
    asked = {q.scene for q in best.questions}
    besides = [k for k in best.videos[plan.scenes :] if read_video(plan, k).scene.id in asked]
    return Asked(
        questions=best.questions,
        short=tuple((k, n) for k, n in best.selection.short.items() if n),
        missing=tuple(best.selection.missing.items()),
        wanted=tuple(best.selection.wanted.items()),
        reasons=tuple(best.selection.reasons.items()),
        levels=tuple(best.selection.levels.items()),
        further=tuple(sorted(besides)),
    )


def further(plan: VideoPlan, lacking: Mapping[str, int], videos: Sequence[int]) -> list[int]:
    """Return which worlds are drawn next: of each setting as many as may give what it lacks, those that lack
    most first, within the bound of the plan.
    """
    left = math.floor(plan.further * plan.scenes) - (len(videos) - plan.scenes)
    need = {s: math.ceil(n / GIVES) for s, n in lacking.items() if s in plan.scales and n}
    last = max(videos)
    found: list[int] = []
    while need and len(found) < left:
        scale = max(sorted(need), key=lambda s: need[s])
        own = [k for k in (*videos, *found) if k >= plan.scenes and plan.place(k)[0] == scale]
        start = max(own, default=plan.scenes - 1) + 1
        end = max(last, start) + len(plan.scales)
        found.append(next(k for k in range(start, end + 1) if plan.place(k)[0] == scale))
        need = {s: n - (s == scale) for s, n in need.items() if n > (s == scale)}
    return sorted(found)


def leave_unasked(plan: VideoPlan, kept: Sequence[int]) -> None:
    """Remove the truth of further worlds that are no part of the set."""
    for path in sorted((plan.work / VIDEOS_FOLDER).glob("*.json")):
        if int(path.stem) not in kept:
            (plan.out / read_video(plan, int(path.stem)).scene.truth).unlink(missing_ok=True)


def _draft(
    plan: VideoPlan, videos: Sequence[int], drafts: dict[int, list[Draft]], workers: int, progress: Progress
) -> None:
    """Fill in the drafts of the videos that have none yet."""
    left = [k for k in videos if k not in drafts]
    progress("drafting questions", len(videos) - len(left), len(videos), "")
    for index, found in spread(partial(draft, plan), left, workers):
        drafts[index] = found
        progress("drafting questions", len(drafts), len(videos), "")
