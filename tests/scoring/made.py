"""Questions and sample scores made in memory: models whose skill is known."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.benchmarks.pulsecheck457.metrics import scores
from fathom.benchmarks.pulsecheck457.paper import TABLES, TASKS
from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY
from fathom.records import (
    Benchmark,
    ExtractedAnswer,
    Extractor,
    Groups,
    Margin,
    Question,
    Response,
    SampleScore,
)
from fathom.store.seeds import rng

POSSIBLE: Mapping[str, tuple[str, ...]] = {
    "shape": tuple(VOCABULARY.shapes),
    "color": ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"),
    "size": ("large", "small"),
    "pose": ("left", "right", "front", "back"),
    "exist": ("Yes", "No"),
}

BENCHMARK = Benchmark(
    name="pulsecheck457",
    title="PulseCheck457",
    version="1",
    paper="",
    tasks={task: f"Task {task}" for task in TASKS},
    protocols={},
    extractors={},
    default_extractor="exact",
    metrics=scores,
    tables=TABLES,
)


def read(question: Question, text: str) -> ExtractedAnswer:
    picked = next((p for p in question.choices or question.possible if p.casefold() == text.casefold()), None)
    return ExtractedAnswer(picked, "whole" if picked else "unreadable")


EXACT = Extractor(
    name="exact",
    version="1",
    read=read,
    value=lambda question, reading: float(reading.picked == question.answer),
)


def questions(scenes: int = 20, per_task: int = 2) -> list[Question]:
    made = []
    for s in range(scenes):
        for task in TASKS:
            for k in range(per_task):
                g = rng("made question", s, task, k)
                asks = str(g.choice(list(POSSIBLE)))
                margin = None
                if asks != "size":
                    ratio = float(g.uniform(1, 12))
                    margin = Margin(relation="left", value=0.1 * ratio, unit="m", ratio=ratio)
                made.append(
                    Question(
                        id=f"s{s:03d}-{task}-{k}",
                        task=task,
                        text="Which?",
                        answer=str(g.choice(POSSIBLE[asks])),
                        possible=POSSIBLE[asks],
                        scene=f"s{s:03d}",
                        groups=Groups(cluster=f"s{s:03d}"),
                        tags={"asks": asks},
                        margin=margin,
                    )
                )
    return made


def answer_of(question: Question, skill: float) -> str:
    """The right answer with this probability, else one of the others."""
    g = rng("made answer", question.id)
    others = [p for p in question.possible if p != question.answer]
    return question.answer if g.random() < skill else str(g.choice(others))


def sample_score(
    question: Question, picked: str | None, status: str = "ok", how: str = "whole"
) -> SampleScore:
    return SampleScore(
        question=question.id,
        task=question.task,
        extractor="exact-1",
        status=status,  # type: ignore[arg-type]
        value=float(picked == question.answer),
        picked=picked,
        how=how,
        cluster=question.scene,
    )


def sample_scores(asked: list[Question], skill: float = 0.6) -> list[SampleScore]:
    return [sample_score(q, answer_of(q, skill)) for q in asked]


def response(question: Question, text: str, **more: object) -> Response:
    fields = {"key": f"k-{question.id}", "question": question.id, "status": "ok", "text": text, **more}
    return Response(**fields)  # type: ignore[arg-type]
