"""Build, run, score and report benchmarks of what multimodal models understand of space and time.

    import fathom

    dataset = fathom.build("pulsecheck457", "my-set", scenes=20, renderer="none")
    run = fathom.run(dataset, lambda question: "yes", "my-run")
    print(fathom.score(run)["accuracy"])

Importing this module loads nothing large; each name is looked up when it is first used. See docs/python.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fathom.version import __version__ as __version__

if TYPE_CHECKING:
    from fathom.api.datasets import BenchmarkDataset, Sample, SampleMedia, load_dataset
    from fathom.api.runs import ModelRun, load_run
    from fathom.api.scores import Scores, ScoreValue
    from fathom.api.scoring import RunComparison
    from fathom.api.verbs import build, compare, import_dataset, report, run, run_async, score
    from fathom.inference.models.function import QuestionView

__all__ = [
    "BenchmarkDataset",
    "ModelRun",
    "QuestionView",
    "RunComparison",
    "Sample",
    "SampleMedia",
    "ScoreValue",
    "Scores",
    "build",
    "compare",
    "import_dataset",
    "load_dataset",
    "load_run",
    "report",
    "run",
    "run_async",
    "score",
]

_WHERE = {
    "BenchmarkDataset": "fathom.api.datasets",
    "Sample": "fathom.api.datasets",
    "SampleMedia": "fathom.api.datasets",
    "load_dataset": "fathom.api.datasets",
    "ModelRun": "fathom.api.runs",
    "load_run": "fathom.api.runs",
    "ScoreValue": "fathom.api.scores",
    "Scores": "fathom.api.scores",
    "RunComparison": "fathom.api.scoring",
    "QuestionView": "fathom.inference.models.function",
    **dict.fromkeys(
        ("build", "compare", "import_dataset", "report", "run", "run_async", "score"), "fathom.api.verbs"
    ),
}
"""Public name → the module that has it."""


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'fathom' has no attribute {name!r}; there is {', '.join(__all__)}")
    found = getattr(import_module(_WHERE[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
