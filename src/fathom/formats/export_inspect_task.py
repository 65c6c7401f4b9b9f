"""A task of questions about pictures and videos, with intervals clustered by what questions share."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import accuracy, choice, exact, stderr
from inspect_ai.solver import generate, multiple_choice


@task
def questions() -> Task:
    """Return the task: options by letter where there are any, else the answer word for word."""
    samples = json_dataset(str(Path(__file__).resolve().parent / "samples.jsonl"))
    with_options = all(sample.choices for sample in samples)
    return Task(
        dataset=samples,
        solver=multiple_choice() if with_options else generate(),
        scorer=choice() if with_options else exact(),
        metrics=[accuracy(), stderr(cluster="cluster")],
    )
