"""What the verbs share: benchmarks by their names, and who is told how far the work has come."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import Protocol

from fathom.named import CANNOT_BE_IMPORTED, attribute_of
from fathom.records import GUESSERS, Benchmark, InputError, Manifest

BENCHMARKS: dict[str, str] = {
    "4d-bench": "fathom.benchmarks.fourdbench:BENCHMARK",
    "seed-bench": "fathom.benchmarks.seedbench:BENCHMARK",
    "pulsecheck457": "fathom.benchmarks.pulsecheck457:BENCHMARK",
    "sti-bench": "fathom.benchmarks.stibench:BENCHMARK",
    "3dsrbench": "fathom.benchmarks.threedsrbench:BENCHMARK",
}
"""Name → "module:attribute"; such a string can be given wherever a name can."""

GENERAL: dict[str, str] = dict.fromkeys(("jsonl", "table"), "fathom.benchmarks.custom:BENCHMARK")
"""What is no benchmark and takes anybody's questions, by name, in the same way: from a table of any kind."""

BASELINES = (*GUESSERS, "scripted")


class Progress(Protocol):
    """What is told how far a long piece of work has come."""

    def __call__(self, what: str, done: int, total: int, note: str = "", /) -> None:
        """Show that `done` of `total` parts of `what` are done."""


def silent(what: str, done: int, total: int, note: str = "", /) -> None:
    pass


def benchmark_named(name: str, general: bool = True) -> Benchmark:
    """Return a benchmark by its name or its "module:attribute". Raises InputError where there is none.

    `general`: also what is no benchmark and takes anybody's questions is offered then.
    """
    found = loaded(name, general)
    if not isinstance(found, Benchmark):
        raise InputError(f"{name!r}: expected a fathom.records.Benchmark, found a {type(found).__name__}")
    if found.operators or found.verification:
        from fathom.datasets.operators import enter_operators

        enter_operators(found.operators, found.verification)
    return found


def benchmark_of(manifest: Manifest) -> Benchmark:
    """Return the benchmark of a dataset; where it has no tasks of its own, with the dataset's and its title.

    Raises InputError where there is none of its name.
    """
    from fathom.store.datasets import TASKS, TITLE

    found = benchmark_named(manifest.benchmark)
    if found.tasks:
        return found
    title, tasks = manifest.settings.get(TITLE), manifest.settings.get(TASKS)
    names = [str(task) for task in tasks] if isinstance(tasks, list) else []
    return replace(found, title=str(title or found.title), tasks={name: name for name in names})


def check_baseline(model: str, benchmark: Benchmark) -> None:
    """Raise InputError where a model is a baseline of other benchmarks and none of this one."""
    name = model.partition(":")[0]
    if name in benchmark.models:
        return
    others = [n for n in BENCHMARKS if n != benchmark.name and name in benchmark_named(n).models]
    if others:
        raise InputError(
            f"--model {model}: is a baseline of {' and '.join(others)}, and answers no questions of "
            f"{benchmark.name}; choose another model"
        )


def loaded(name: str, general: bool = True) -> object:
    """Return what a benchmark's name, or a "module:attribute", stands for. Raises InputError for neither.

    `general`: also what is no benchmark and takes anybody's questions.
    """
    known = {**BENCHMARKS, **(GENERAL if general else {})}
    where = {**BENCHMARKS, **GENERAL}.get(name, name)
    if ":" not in where:
        near = get_close_matches(name, known, n=1)
        meant = f"did you mean {near[0]}? There is" if near else "there is"
        raise InputError(f"{name!r}: no such benchmark; {meant} {', '.join(known)}, or give module:attribute")
    try:
        return attribute_of(where)
    except CANNOT_BE_IMPORTED as e:
        raise InputError(f"{name!r}: cannot be imported ({e}); check the module and the attribute") from e
