"""Every draft of some worlds as a question: all forms and wordings, not only what a build would choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.numeric.vector_answers import Vector, box, centre, pose, trajectory
from fathom.questions.sampling.video import drafted
from fathom.questions.video_candidate import OptionPlan, VideoCandidate
from fathom.questions.writing.video import drawn_of, written
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


def vector_of(candidate: VideoCandidate) -> Vector | None:
    if candidate.template.asks == "trajectory":
        return trajectory(candidate.setting, candidate.answered.form)
    return VECTORS[candidate.template.asks](candidate.setting) if candidate.template.asks in VECTORS else None


def plan_of(candidate: VideoCandidate) -> OptionPlan:
    value = str(candidate.answered.value)
    false: tuple[str, ...] = ()
    if candidate.template.asks == "words":
        false = tuple(w for w in RELATION_TEXTS if w != value)[:4]
    if candidate.template.asks == "order":
        orders = [" ".join(p) for p in permutations("123")]
        false = tuple(o for o in orders if o != value)[:4]
    return OptionPlan(candidate, vector=vector_of(candidate), false=false)


def everything(
    scenes: Iterable[Scene], seeds: tuple[str, ...] = ("a", "b", "c")
) -> Iterator[tuple[Scene, Question]]:
    """Yield every question that these worlds offer, in most of its wordings, with its scene."""
    recipe = recipe_for("sentences")
    for scene in scenes:
        candidates = drafted(scene, projected(scene), recipe)
        said = set()
        for seed in seeds:
            seeded = replace(recipe, seed=seed)
            drawn = [drawn_of(plan_of(d), seeded) for d in candidates]
            for q in written([s for s in drawn if s is not None], seeded):
                if (q.text, q.program) not in said:
                    said.add((q.text, q.program))
                    yield scene, q
