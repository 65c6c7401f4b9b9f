"""Inspect tasks, one a benchmark: `inspect eval fathom/3dsrbench -T dataset=FOLDER`.

A dataset is put as a protocol of Fathom's says, frames of videos and rotations of options included, and read
by one of Fathom's extractors. Passes that the protocol joins count as one, right only when all are, and the
standard error is clustered by what questions share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.util import registry_info
from numpy.typing import NDArray

from fathom.api import BENCHMARKS, benchmark_named
from fathom.api.names import GENERAL
from fathom.extraction.shown_options import as_shown, read_answer
from fathom.inference.models.inspect import data_url, messages_of
from fathom.inference.pictures import PromptImages
from fathom.records import Benchmark, InputError, Protocol, Question, Variant, pictures_of, without_answer
from fathom.store.datasets import Dataset, open_dataset

_PACKAGE = "fathom"


def task_of(benchmark: str, dataset: str, protocol: str = "default", extractor: str = "") -> Task:
    """Return the task of a dataset folder under a protocol and an extractor of its benchmark.

    Raises InputError for a folder of another benchmark, an unknown protocol or extractor, and for a dataset
    of captions.
    """
    opened, found = _opened(benchmark, dataset)
    name = extractor or found.default_extractor
    for what, wanted, known in (
        ("protocol", protocol, found.protocols),
        ("extractor", name, found.extractors),
    ):
        if wanted not in known:
            raise InputError(f"{what} {wanted}: {found.name} has {', '.join(known)}")
    chosen = found.protocols[protocol]
    parameters = chosen.parameters
    return Task(
        dataset=MemoryDataset(samples_of(opened, chosen), name=opened.manifest.name, location=dataset),
        solver=[put_question(benchmark, dataset, protocol), generate()],
        scorer=reading(benchmark, dataset, name),
        config=GenerateConfig(
            temperature=float(parameters.get("temperature", 0)),
            max_tokens=int(parameters.get("max_tokens", 1024)),
        ),
        version=int(found.version) if found.version.isdigit() else found.version,
        metadata={
            "dataset": opened.manifest.identity,
            "protocol": f"{protocol}-{chosen.version}",
            "extractor": f"{name}-{found.extractors[name].version}",
        },
    )


def samples_of(dataset: Dataset, protocol: Protocol) -> list[Sample]:
    """Return a sample for every pass of every question; what is shown is put together when it is asked.

    Raises InputError where a question is a caption.
    """
    samples: list[Sample] = []
    for question in dataset.questions():
        if question.references:
            raise InputError(
                f"question {question.id}: is a caption, which has no right answer; use fathom run"
            )
        for number, variant in enumerate(protocol.variants(without_answer(question))):
            shown = as_shown(question, variant).choices
            samples.append(
                Sample(
                    input=question.text,
                    choices=list(shown) or None,
                    target=question.answer,
                    id=len(samples) + 1,
                    metadata={
                        "question": question.id,
                        "task": question.task,
                        "pass": number,
                        "group": group_of(question, protocol, number),
                        "cluster": question.groups.cluster or question.scene or question.id,
                        "variant": msgspec.to_builtins(variant),
                    },
                )
            )
    return samples


def group_of(question: Question, protocol: Protocol, number: int) -> list[str | int]:
    """Return what a pass shares with those that count as one with it."""
    flip = question.groups.flip if "flip" in protocol.joined and question.groups.flip else question.id
    return [flip, -1 if "circular" in protocol.joined else number]


@solver
def put_question(benchmark: str, dataset: str, protocol: str) -> Solver:
    """Return the solver that shows a question as the protocol says.

    It and the scorer take names and a path, so that a log can be scored again.
    """
    opened, found = _opened(benchmark, dataset)
    chosen = found.protocols[protocol]
    pictures = PromptImages(opened)
    most = int(chosen.parameters.get("max_side_px", 0))
    detail = str(chosen.parameters.get("detail", "auto"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question, variant = _asked(opened, state.metadata)
        prompt = chosen.prompt(without_answer(question), variant, opened.media)
        if prompt.continuations:
            raise InputError(f"protocol {protocol}: asks for likelihoods, which Inspect does not tell")
        # Frames are decoded, which takes long; other questions go on meanwhile.
        shown = await to_thread.run_sync(lambda: pictures(pictures_of(prompt)))
        state.messages = messages_of(prompt, [data_url(data, most) for data in shown], detail)
        return state

    return solve


@metric
def accuracy() -> Metric:
    """Return the share of groups of passes in which all are right."""

    def compute(scores: list[SampleScore]) -> float:
        values, _ = grouped(scores)
        return float(values.mean()) if len(values) else 0.0

    return compute


@metric
def stderr() -> Metric:
    """Return the standard error of that share, clustered by scene, picture, video or object."""

    def compute(scores: list[SampleScore]) -> float:
        values, clusters = grouped(scores)
        return clustered_error(values, clusters)

    return compute


def grouped(scores: Sequence[SampleScore]) -> tuple[NDArray[np.float64], list[str]]:
    """Return the value of every group, (groups,), the least of its passes', and the cluster of each."""
    values: dict[tuple[Any, ...], float] = {}
    clusters: dict[tuple[Any, ...], str] = {}
    for score in scores:
        known = score.sample_metadata or {}
        group = tuple(known["group"])
        values[group] = min(values.get(group, 1.0), score.score.as_float())
        clusters.setdefault(group, known["cluster"])
    return np.array(list(values.values())), list(clusters.values())


def clustered_error(values: NDArray[np.float64], clusters: Sequence[str]) -> float:
    """Return the standard error of a mean whose values go together in clusters; 0 for fewer than two."""
    _, places = np.unique(np.array(clusters), return_inverse=True)
    sums = np.bincount(places, weights=values - values.mean()) if len(values) else np.zeros(0)
    if len(sums) < 2:
        return 0.0
    return float(np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(values))


@scorer(metrics=[accuracy(), stderr()])
def reading(benchmark: str, dataset: str, extractor: str) -> Scorer:
    """Return the scorer that reads answers under an extractor."""
    opened, found = _opened(benchmark, dataset)
    chosen = found.extractors[extractor]

    async def score(state: TaskState, target: Target) -> Score:
        question, variant = _asked(opened, state.metadata)
        read = read_answer(chosen, question, variant, state.output.completion)
        return Score(value=chosen.value(question, read), answer=read.picked or "", explanation=read.how)

    return score


def _opened(benchmark: str, dataset: str) -> tuple[Dataset, Benchmark]:
    """Return dataset and benchmark. Raises InputError where they do not belong together."""
    opened, found = open_dataset(Path(dataset)), benchmark_named(benchmark)
    if opened.manifest.benchmark not in (found.name, benchmark):
        raise InputError(
            f"{dataset}: expected a dataset of {found.name}, found one of {opened.manifest.benchmark}"
        )
    return opened, found


def _asked(dataset: Dataset, known: dict[str, Any]) -> tuple[Question, Variant]:
    return dataset.question(known["question"]), msgspec.convert(known["variant"], Variant)


def _register(name: str) -> Callable[..., Task]:
    def of_dataset(dataset: str, protocol: str = "default", extractor: str = "") -> Task:
        return task_of(name, dataset, protocol, extractor)

    registered: Callable[..., Task] = task(name=name)(of_dataset)
    if registry_info(registered).name == name:
        # A checkout is no package to Inspect, which leaves the package's name away.
        registered = task(name=f"{_PACKAGE}/{name}")(of_dataset)
    return registered


TASKS = {name: _register(name) for name in (*BENCHMARKS, *GENERAL)}
"""Benchmark → its task."""
