"""The Python interface: its page runs, its objects say what the verbs print, importing it is light."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fathom
from fathom import api
from fathom.records import DataError, InputError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_every_block_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="the package pandas is not installed")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert len(blocks()) > 8
    for block in blocks():
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "report" / "report.html").is_file()


def test_the_page_names_every_public_function() -> None:
    text = PAGE.read_text(encoding="utf-8")
    public = [n for n in fathom.__all__ if inspect.isfunction(getattr(fathom, n))]
    assert len(public) == 9
    assert not [n for n in public if f"`{n}(" not in text]


@pytest.mark.parametrize("name", fathom.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    found = getattr(fathom, name)
    told = inspect.getdoc(found) or ""
    assert told
    if inspect.isfunction(found):
        assert "Example:" in told and "Args" in told
        for parameter in inspect.signature(found).parameters.values():
            assert parameter.annotation is not parameter.empty, parameter


def test_importing_loads_nothing_large() -> None:
    code = (
        "import sys, fathom; dir(fathom); "
        "large = {'numpy', 'torch', 'PIL', 'pandas', 'scipy', 'mitsuba', 'httpx', 'typer'}; "
        "print(sorted(large & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_the_verbs_stay_verbs_when_all_is_imported(small_dataset: Path) -> None:
    import fathom.cli

    assert fathom.cli.app
    fathom.load_dataset(small_dataset)
    for name in fathom.__all__:
        assert callable(getattr(fathom, name)), name


@pytest.fixture
def dataset(small_dataset: Path) -> fathom.BenchmarkDataset:
    return fathom.load_dataset(small_dataset)


def test_a_dataset_is_a_sequence_of_samples(dataset: fathom.BenchmarkDataset) -> None:
    every = list(dataset)
    assert len(dataset) == len(every) == sum(dataset.tasks.values()) > 50
    assert dataset[0].id == every[0].id and dataset[-1].id == every[-1].id
    assert [s.id for s in dataset[3:6]] == [s.id for s in every[3:6]]
    assert dataset[every[5].id].text == every[5].text
    with pytest.raises(IndexError):
        dataset[len(every)]
    with pytest.raises(DataError, match="no question called"):
        dataset["nothing"]


def test_filters_hold_what_they_say(dataset: fathom.BenchmarkDataset) -> None:
    poses = dataset.filter(task="L4_pose")
    assert {s.task for s in poses} == {"L4_pose"} and len(poses) == dataset.tasks["L4_pose"]
    both = dataset.filter(task=["L4_pose", "L1_single"])
    assert len(both) == dataset.tasks["L4_pose"] + dataset.tasks["L1_single"]
    assert len(poses.filter(lambda s: False)) == 0
    with pytest.raises(InputError, match="'L9'"):
        dataset.filter(task="L9")
    with pytest.raises(InputError, match="is not among these"):
        poses[both.filter(task="L1_single")[0].id]


def test_a_picture_opens_as_it_was_made(painted_dataset: Path) -> None:
    sample = fathom.load_dataset(painted_dataset)[0]
    (media,) = sample.media
    image = media.open()
    assert (image.size, image.mode) == (media.record.size, "RGB")
    assert media.path.is_file()
    with pytest.raises(InputError, match="is a picture"):
        media.frames()
    assert sample.scene is not None and sample.scene.id == sample.question.scene


def test_a_function_is_shown_a_question_without_its_answer(painted_dataset: Path, tmp_path: Path) -> None:
    seen: list[fathom.QuestionView] = []

    def answer(question: fathom.QuestionView) -> str:
        seen.append(question)
        assert question.images[0].size == (640, 480)
        return "yes"

    found = fathom.run(painted_dataset, answer, tmp_path / "run", limit=3)
    assert [r.status for r in found] == ["ok"] * 3 and len(seen) == 3
    dataset = found.dataset
    for view in seen:
        assert view.text == dataset[view.id].text and view.text in view.prompt
        assert not {"answer", "margin", "evidence"} & set(dir(view))


def test_functions_may_be_async_and_notebooks_may_run_them(small_dataset: Path, tmp_path: Path) -> None:
    async def answer(question: fathom.QuestionView) -> str:
        await asyncio.sleep(0)
        return "1"

    found = asyncio.run(fathom.run_async(small_dataset, answer, tmp_path / "run", limit=5))
    assert [r.text for r in found] == ["1"] * 5
    assert "5 answered" in str(found)


@pytest.fixture
def random_run(small_dataset: Path, tmp_path: Path) -> fathom.ModelRun:
    return fathom.run(small_dataset, "random", tmp_path / "random")


def test_scores_are_those_of_the_file_and_print_as_the_verb(random_run: fathom.ModelRun) -> None:
    scores = fathom.score(random_run)
    assert str(scores) == str(api.score_run(random_run.path))
    by_task = scores.by("task")
    right = sum(round(v.value * v.n) for v in by_task.values() if v.value is not None)
    assert round(float(scores["accuracy"]) * scores["accuracy"].n) == right
    assert scores.complete and set(by_task) == set(random_run.dataset.tasks)
    with pytest.raises(KeyError, match="there is accuracy"):
        scores["nothing"]
    with pytest.raises(InputError, match="divided by task"):
        scores.by("nothing")


def test_an_incomplete_run_says_so_in_every_number(small_dataset: Path, tmp_path: Path) -> None:
    def broken(question: fathom.QuestionView) -> str:
        if question.task == "L1_single":
            raise RuntimeError("no")
        return "yes"

    scores = fathom.score(fathom.run(small_dataset, broken, tmp_path / "run"))
    assert not scores.complete
    assert "incomplete" in str(scores["accuracy"])


def test_a_comparison_with_an_oracle_is_sure_and_with_itself_finds_nothing(
    random_run: fathom.ModelRun, tmp_path: Path
) -> None:
    found = fathom.compare(random_run, fathom.run(random_run.dataset, "oracle", tmp_path / "oracle"))
    assert found.difference.value < 0
    assert found.first_is_worse == found.found.first_is_worse
    assert fathom.compare(random_run, random_run).difference.value == 0


def test_tables_for_pandas_and_for_notebooks(random_run: fathom.ModelRun) -> None:
    pandas = pytest.importorskip("pandas", reason="the package pandas is not installed")
    dataset, scores = random_run.dataset, fathom.score(random_run)
    for found, rows in ((dataset, len(dataset)), (random_run, len(dataset)), (scores, len(scores.records))):
        table = found.to_pandas()
        assert isinstance(table, pandas.DataFrame) and len(table) == rows
        assert found._repr_html_().startswith("<table>")
    compared = fathom.compare(random_run, random_run)
    assert len(compared.to_pandas()) == 1 + len(compared.found.tasks)
    assert "<table>" in compared._repr_html_()


def test_names_from_outside_are_escaped_in_notebooks() -> None:
    from fathom.api.datasets import html_table

    assert "<script>" not in html_table("<script>", ("<script>",), [("<script>",)])


def test_a_function_sees_the_options_as_its_pass_shows_them() -> None:
    from fathom.inference.models.function import view_of
    from fathom.records import Prompt, Request, TextPart, UnansweredQuestion, Variant

    def shown(variant: Variant) -> tuple[str, ...]:
        asked = UnansweredQuestion(id="q", task="t", text="which?", choices=("red", "green", "blue"))
        prompt = Prompt(parts=(TextPart(text="which?"),))
        return view_of(Request(key="k", asked=asked, prompt=prompt, variant=variant)).options

    assert shown(Variant()) == ("red", "green", "blue")
    assert shown(Variant(option_order=(2, 0, 1))) == ("blue", "red", "green")
    assert shown(Variant(options_shown=False)) == ()
