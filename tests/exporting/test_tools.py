"""Each export is loaded by the tool that it is for; the tests of a tool that is not installed are skipped."""

from __future__ import annotations

import gc
import hashlib
import io
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fathom import api
from fathom.store.datasets import open_dataset
from tests.exporting.seen import EVERY, table

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the tools


@pytest.fixture
def datasets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Hugging Face's `datasets`, with nothing fetched, and its cache in a folder of the test."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    found: ModuleType = pytest.importorskip("datasets", reason="the package datasets is not installed")
    return found


@pytest.mark.parametrize("name", [*EVERY, "4d-bench-captions"])
def test_datasets_loads_the_folder_by_its_path(
    datasets: Any, imported: Path, tmp_path: Path, name: str
) -> None:
    api.export_dataset(imported / name, "huggingface", tmp_path / "out")
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))["test"]
    dataset = open_dataset(imported / name)
    assert loaded["index"] == [q.id for q in dataset.questions()]
    assert loaded["answer_text"] == [q.answer for q in dataset.questions()]
    for row, question in zip(loaded, dataset.questions(), strict=True):
        shown = [row["image"]] if row.get("image") else row.get("images") or []
        sizes = [m.size for m in map(dataset.media, question.media) if m.kind == "image"]
        assert [picture.size for picture in shown] == sizes


def test_datasets_gives_a_pictures_bytes_as_they_were(datasets: Any, imported: Path, tmp_path: Path) -> None:
    api.export_dataset(imported / "3dsrbench", "huggingface", tmp_path / "out")
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))["test"]
    raw = loaded.cast_column("image", datasets.Image(decode=False))
    dataset = open_dataset(imported / "3dsrbench")
    hashes = [hashlib.sha256(row["image"]["bytes"]).hexdigest() for row in raw]
    assert hashes == [dataset.media(q.media[0]).sha256 for q in dataset.questions()]


@pytest.mark.parametrize("name", EVERY)
def test_lmms_eval_finds_the_task_puts_its_questions_and_marks_them(
    datasets: ModuleType, imported: Path, tmp_path: Path, name: str
) -> None:
    tasks = pytest.importorskip("lmms_eval.tasks", reason="lmms-eval is not installed", exc_type=ImportError)
    api.export_dataset(imported / name, "lmms-eval", tmp_path / "out")
    manager = tasks.TaskManager("ERROR", include_path=str(tmp_path / "out"), include_defaults=False)
    (task,) = tasks.get_task_dict(manager.all_tasks, manager).values()
    questions = list(open_dataset(imported / name).questions())
    assert len(task.test_docs()) == len(questions)
    for doc, question in zip(task.test_docs(), questions, strict=True):
        assert task.doc_to_text(doc).startswith(question.text)
        assert all(option in task.doc_to_text(doc) for option in question.choices)
        assert len(task.doc_to_visual(doc)) == len(question.media)
        known = {"fathom_question": question.id}
        right = task.process_results(doc, [task.doc_to_target(doc)])
        assert right == {"accuracy": 1.0, "unreadable": 0.0, **known}
        assert task.process_results(doc, [""]) == {"accuracy": 0.0, "unreadable": 1.0, **known}


def test_pandas_reads_the_vlmevalkit_table_as_that_kit_does(imported: Path, tmp_path: Path) -> None:
    pandas: Any = pytest.importorskip("pandas", reason="pandas is not installed")
    image = pytest.importorskip("PIL.Image")
    api.export_dataset(imported / "pulsecheck457", "vlmevalkit", tmp_path / "tsv")
    file = tmp_path / "tsv" / "pulsecheck457.tsv"
    frame = pandas.read_csv(file, sep="\t")
    assert list(frame["index"]) == [row["index"] for row in table(file)]
    import base64

    whole = {i: cell for i, cell in zip(frame["index"], frame["image"], strict=True) if len(cell) > 64}
    for cell in frame["image"]:
        data = base64.b64decode(cell if len(cell) > 64 else whole[cell])
        assert image.open(io.BytesIO(data)).size == (6, 4)


@pytest.fixture(scope="module")
def inspect_ai() -> Iterator[Any]:
    """Inspect, which asks once which package is whose, and not for every task."""
    ai = pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    from inspect_ai._util import package

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "packages_distributions", cache(package.packages_distributions))
        yield ai
    gc.collect()  # what Inspect leaves open says so here, and not in the middle of another test


@pytest.fixture
def inspect(inspect_ai: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Evaluate with Inspect and a model that always says the same, and return the log."""
    monkeypatch.setenv("INSPECT_DISPLAY", "none")

    def run(task: Any, text: str, **arguments: object) -> Any:
        (log,) = inspect_ai.eval(
            task,
            model=mock(lambda *_: text),
            task_args=arguments,
            log_dir=str(tmp_path / "log"),
            display="none",
        )
        assert log.status == "success", log.error
        return log

    return run


def mock(say: Callable[..., str]) -> Any:
    """Return Inspect's mock model; its usage is given, since to count tokens it would fetch a tokenizer."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def output(*asked: Any) -> Any:
        made = ModelOutput.from_content("mockllm", say(*asked))
        made.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
        return made

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def metrics(log: Any) -> dict[str, float]:
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [("3dsrbench", "ANSWER: B", 2 / 3), ("sti-bench", "ANSWER: A", 1 / 3), ("pulsecheck457", "Yes", 1 / 6)],
)
def test_inspect_runs_the_exported_task_by_itself(
    imported: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    inspect: Callable[..., Any],
    name: str,
    text: str,
    right: float,
) -> None:
    api.export_dataset(imported / name, "inspect", tmp_path / "out")
    monkeypatch.chdir(tmp_path)  # Inspect takes paths of tasks from here only
    log = inspect("out/task.py", text)
    assert metrics(log)["accuracy"] == pytest.approx(right)
    assert metrics(log)["stderr"] > 0


@pytest.mark.parametrize(
    ("name", "protocol", "text", "passes", "right"),
    [
        ("3dsrbench", "default", "B", 8, 0.0),  # circular: never right in every rotation
        ("3dsrbench", "generation", "B", 3, 2 / 3),
        ("3dsrbench", "flip", "B", 3, 1 / 2),
        ("pulsecheck457", "default", '{"Answer": "Yes"}', 6, 1 / 6),
        ("pulsecheck457", "blind", '{"Answer": "Yes"}', 6, 1 / 6),
        ("sti-bench", "default", "(A)", 3, 1 / 3),
        ("4d-bench", "default", "(B)", 5, 2 / 5),
        ("seed-bench", "generation", "C", 5, 2 / 5),
    ],
)
def test_inspect_runs_a_dataset_under_our_protocols_and_extractors(
    imported: Path,
    inspect: Callable[..., Any],
    name: str,
    protocol: str,
    text: str,
    passes: int,
    right: float,
) -> None:
    from fathom.cli.inspect_tasks import TASKS

    log = inspect(TASKS[name](str(imported / name), protocol), text)
    assert len(log.samples) == passes
    assert metrics(log)["accuracy"] == pytest.approx(right)
    shown = [c.type for c in log.samples[0].messages[0].content]
    assert ("image" in shown) == (protocol != "blind")


def test_inspect_finds_the_tasks_by_name(imported: Path, inspect: Callable[..., Any]) -> None:
    from importlib.metadata import entry_points

    if not entry_points(group="inspect_ai", name="fathom"):
        pytest.skip("the installed package is older than its tasks for Inspect; install it again")
    log = inspect("fathom/sti-bench", "(A)", dataset=str(imported / "sti-bench"))
    assert metrics(log)["accuracy"] == pytest.approx(1 / 3)


def test_an_inspect_log_can_be_scored_again(imported: Path, inspect: Callable[..., Any]) -> None:
    from inspect_ai import score

    from fathom.cli.inspect_tasks import TASKS, reading

    folder = str(imported / "sti-bench")
    log = inspect(TASKS["sti-bench"](folder, "default"), "A man can be observed")
    assert metrics(log)["accuracy"] == 0.0
    again = score(log, reading("sti-bench", folder, "lmms-eval"), action="overwrite", display="none")
    assert metrics(again)["accuracy"] == pytest.approx(1 / 3)


def test_a_sample_says_what_was_picked_by_which_rule_and_what_it_shares(
    imported: Path, inspect: Callable[..., Any]
) -> None:
    from fathom.cli.inspect_tasks import TASKS

    log = inspect(TASKS["3dsrbench"](str(imported / "3dsrbench"), "default"), "(A)")
    for sample in log.samples:
        read = sample.scores["reading"]
        assert read.answer == sample.choices[0]  # the letter means what was shown in this rotation
        assert read.value == float(sample.target == sample.choices[0])
        assert read.explanation
        assert sample.metadata["cluster"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("sti-bench",), "expected a dataset of 3dsrbench, found one of sti-bench"),
        (("3dsrbench", "fast"), "protocol fast: 3dsrbench has default"),
        (("3dsrbench", "default", "guess"), "extractor guess: 3dsrbench has fathom"),
    ],
)
def test_a_task_says_what_does_not_fit(imported: Path, arguments: tuple[str, ...], words: str) -> None:
    pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    from fathom.cli.inspect_tasks import TASKS
    from fathom.records import InputError

    with pytest.raises(InputError, match=words):
        TASKS["3dsrbench"](str(imported / arguments[0]), *arguments[1:])


def test_the_clustered_error_is_the_plain_one_where_nothing_is_shared() -> None:
    pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    import numpy as np

    from fathom.cli.inspect_tasks import clustered_error

    values = np.array([1.0, 0.0, 1.0, 1.0])
    assert clustered_error(values, list("abcd")) == pytest.approx(values.std(ddof=1) / 2)
    twice = np.repeat(values, 2)
    assert clustered_error(twice, list("aabbccdd")) == pytest.approx(values.std(ddof=1) / 2)
    assert clustered_error(values, list("aaaa")) == 0.0
