"""From a program: a function as a model, paths as texts, and a run inside of a running loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fathom import api
from fathom.api.paths import takes_paths
from fathom.records import EndpointError, InputError, Response
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.folders import make_dataset
from tests.said import scored


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d", questions=4)


def answers(out: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(out).responses()}


def looks(text: str, pictures: Sequence[bytes]) -> str:
    assert "<picture 1>" in text
    assert pictures[0].startswith(b"\x89PNG")
    if "(2)" in text:
        raise OverflowError("too\nlarge")
    return "" if "(3)" in text else f"<think>hm</think>{len(pictures)}"


async def looks_slowly(text: str, pictures: Sequence[bytes]) -> str:
    await asyncio.sleep(0.05)
    return "1"


def test_a_function_is_a_model_and_its_failures_have_reasons(dataset: Dataset, tmp_path: Path) -> None:
    ran = api.run_model(dataset.path, looks, tmp_path / "r")
    assert (ran.requests, ran.failed) == (4, 2)
    found = answers(tmp_path / "r")
    assert (found["q0"].text, found["q0"].reasoning, found["q0"].model) == ("1", "hm", f"{__name__}:looks")
    assert found["q2"].error == "OverflowError: too large"
    assert "the text is empty" in found["q3"].error


def test_a_function_of_a_module_is_a_model_on_the_command_line_too(dataset: Dataset, tmp_path: Path) -> None:
    api.run_model(dataset.path, "tests.inference.test_functions:looks", tmp_path / "r")
    assert answers(tmp_path / "r")["q0"].text == "1"


def test_a_changed_function_is_another_model(dataset: Dataset, tmp_path: Path) -> None:
    api.run_model(dataset.path, lambda text, pictures: "1", tmp_path / "r")
    with pytest.raises(InputError, match=r"holds another run \(revision is"):
        api.run_model(dataset.path, lambda text, pictures: "2", tmp_path / "r")


def test_what_is_no_text_is_a_failure(dataset: Dataset, tmp_path: Path) -> None:
    def counts(text: str, pictures: Sequence[bytes]) -> Any:
        return len(pictures)

    with pytest.raises(EndpointError, match="expected a text from the function, found int"):
        api.run_model(dataset.path, counts, tmp_path / "r")
    assert {r.status for r in answers(tmp_path / "r").values()} == {"failed"}


def test_a_run_goes_on_inside_of_a_running_loop(dataset: Dataset, tmp_path: Path) -> None:
    async def cell() -> api.Ran:
        return api.run_model(str(dataset.path), looks_slowly, str(tmp_path / "r"))

    ran = asyncio.run(cell())
    assert (ran.requests, ran.failed) == (4, 0)
    assert {r.text for r in answers(tmp_path / "r").values()} == {"1"}


def test_an_error_inside_of_a_running_loop_is_the_same_error(dataset: Dataset, tmp_path: Path) -> None:
    async def cell() -> None:
        api.run_model(dataset.path, "scripted:perfect", tmp_path / "r", concurrency=0)

    with pytest.raises(InputError, match="--concurrency: expected 1 or more"):
        asyncio.run(cell())


def test_every_verb_takes_paths_as_texts(dataset: Dataset, tmp_path: Path) -> None:
    runs: list[Any] = [str(tmp_path / name) for name in ("a", "b")]
    page: Any = str(tmp_path / "page")
    for run, model in zip(runs, ("scripted:perfect", "scripted:always-a"), strict=True):
        api.run_model(str(dataset.path), model, run)
        scored(run)
    assert api.compare_runs(runs).text
    assert str(api.write_report(runs, page)).startswith(page)
    for name in api.__all__:
        verb = getattr(api, name)
        if getattr(verb, "__module__", "").startswith("fathom.api") and "Path" in str(
            getattr(verb, "__annotations__", "")
        ):
            assert hasattr(verb, "__wrapped__") or isinstance(verb, type), name


def test_texts_become_paths_alone_and_in_sequences() -> None:
    @takes_paths
    def verb(one: Path, name: str, *, several: Sequence[Path] = (), none: Path | None = None) -> object:
        return one, name, list(several), none

    assert verb("a", "b", several=["c", Path("d")], none="e") == (  # type: ignore[arg-type, list-item]
        Path("a"), "b", [Path("c"), Path("d")], Path("e"),
    )  # fmt: skip
    assert verb(Path("a"), "b", several="cd") == (Path("a"), "b", [Path("cd")], None)  # type: ignore[arg-type]
