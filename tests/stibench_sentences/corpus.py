"""Every draft of some worlds as a question: all forms and wordings, not only what a build would choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.questions.balancing.video_words import RELATION_TEXTS
from fathom.questions.distractors.numeric.vector_answers import Vector, box, centre, pose, trajectory
from fathom.questions.sampling.video import drafted
from fathom.questions.sampling.video_candidates import OptionPlan, VideoCandidate
from fathom.questions.writing.video import written
from fathom.records import Question, Scene
from fathom.scenes.videos.scales import SCALES
from tests.tracks_questions.worlds import projected

VECTORS = {"centre": centre, "box": box, "pose": pose}


def worlds(numbers: Mapping[str, Iterable[int]], seed: str = "sentences") -> Iterator[Scene]:
    """Yield worlds of each scale, by their numbers."""
    for name, some in numbers.items():
        scale = SCALES[name]
        for k in some:
            yield scale.draw(k, seed, scale.settings, None)


def vector_of(draft: VideoCandidate) -> Vector | None:
    if draft.form.asks == "trajectory":
        return trajectory(draft.setting, draft.answered.form)
    return VECTORS[draft.form.asks](draft.setting) if draft.form.asks in VECTORS else None


def picked(draft: VideoCandidate) -> OptionPlan:
    value = str(draft.answered.value)
    false: tuple[str, ...] = ()
    if draft.form.asks == "words":
        false = tuple(w for w in RELATION_TEXTS if w != value)[:4]
    if draft.form.asks == "order":
        orders = [" ".join(p) for p in permutations("123")]
        false = tuple(o for o in orders if o != value)[:4]
    return OptionPlan(draft, vector=vector_of(draft), false=false)


def everything(
    scenes: Iterable[Scene], seeds: tuple[str, ...] = ("a", "b", "c")
) -> Iterator[tuple[Scene, Question]]:
    """Yield every question that these worlds offer, in most of its wordings, with its scene."""
    recipe = recipe_for("sentences")
    for scene in scenes:
        drafts = drafted(scene, projected(scene), recipe)
        said = set()
        for seed in seeds:
            for q in written([picked(d) for d in drafts], replace(recipe, seed=seed)):
                if (q.text, q.program) not in said:
                    said.add((q.text, q.program))
                    yield scene, q
