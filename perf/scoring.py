"""CPU seconds of scoring 100,000 sample scores with 2,000 bootstrap draws: python perf/scoring.py [sample
scores].

Marks are made in memory: once ten on a scene, as on built scenes, and once one on a scene, as on a benchmark
of photographs, where a bootstrap has ten times as many clusters to draw. The limit that the project sets
itself is 10 CPU seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from fathom.benchmarks.pulsecheck457 import BENCHMARK
from fathom.benchmarks.pulsecheck457.paper import TASKS
from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY
from fathom.records import Groups, Question, SampleScore
from fathom.scoring.compare import compare_samples
from fathom.scoring.scores import aggregate_scores
from fathom.stats.bootstrap import bootstrap, sums_by_scene
from fathom.store.seeds import rng

SAMPLE_SCORES = 100_000
LIMIT = 10.0
POSSIBLE = {
    "shape": tuple(VOCABULARY.shapes),
    "color": ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"),
    "pose": ("left", "right", "front", "back"),
    "exist": ("Yes", "No"),
}


def made(n: int, per_scene: int, model: str) -> tuple[list[Question], list[SampleScore]]:
    """Return n questions and the sample scores of a model that is right on two of three."""
    g = rng("perf scoring", n, per_scene)
    of_model = rng("perf scoring", n, per_scene, model)
    asks = [list(POSSIBLE)[i] for i in g.integers(len(POSSIBLE), size=n).tolist()]
    answers = g.random(n)
    right = of_model.random(n) < 2 / 3
    questions, sample_scores = [], []
    for i in range(n):
        possible = POSSIBLE[asks[i]]
        answer = possible[int(answers[i] * len(possible))]
        scene = f"scene-{i // per_scene:06d}"
        question = Question(
            id=f"{scene}-{i % per_scene:03d}",
            task=TASKS[i % len(TASKS)],
            text="Which?",
            answer=answer,
            possible=possible,
            scene=scene,
            groups=Groups(cluster=scene),
            tags={"asks": asks[i]},
        )
        picked = answer if right[i] else possible[(possible.index(answer) + 1) % len(possible)]
        sample_score = SampleScore(
            question=question.id,
            task=question.task,
            extractor="exact-1",
            status="ok",
            value=float(right[i]),
            picked=picked,
            how="whole",
            cluster=scene,
        )
        questions.append(question)
        sample_scores.append(sample_score)
    return questions, sample_scores


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def one_bootstrap(sample_scores: Sequence[SampleScore]) -> object:
    """Return 2,000 draws of the accuracy on each task."""
    values = np.array([m.value for m in sample_scores])
    sums = sums_by_scene(values, [m.cluster for m in sample_scores], [m.task for m in sample_scores], TASKS)
    return bootstrap(sums, lambda means: means, seed=0, draws=2_000)


def main() -> None:
    """Print a line for each piece of work."""
    if "--help" in sys.argv:
        print(__doc__)
        return
    n = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE_SCORES
    print(f"{'work':<44}{'CPU s':>8}   of {LIMIT:g}")
    for per_scene in (10, 1):
        questions, sample_scores = made(n, per_scene, "first")
        _, others = made(n, per_scene, "second")
        works: dict[str, Callable[[], object]] = {
            "one bootstrap of the accuracies by task": partial(one_bootstrap, sample_scores),
            "all scores of PulseCheck457": partial(aggregate_scores, BENCHMARK, questions, sample_scores, 0),
            "two runs compared": partial(compare_samples, questions, sample_scores, others),
        }
        print(f"{n:,} marks, {per_scene} on a scene")
        for name, work in works.items():
            seconds = cpu_seconds(work)
            print(f"  {name:<42}{seconds:>8.2f}   {seconds / LIMIT:.2f}")


if __name__ == "__main__":
    main()
