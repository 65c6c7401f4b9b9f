"""How `fathom run` ends, and the options that it hands to a model."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.records import Question
from fathom.store.datasets import QUESTIONS
from fathom.store.files import read_jsonl, write_text
from fathom.store.runs import open_run
from tests.cli.conftest import Fathom


def script(path: Path, questions: list[Question]) -> Path:
    lines = [msgspec.json.encode({"question": q.id, "text": q.answer}).decode() for q in questions]
    write_text(path, "\n".join(lines) + "\n")
    return path


def test_a_run_in_which_requests_failed_ends_with_1_and_keeps_the_others(
    fathom: Fathom, small_dataset: Path, tmp_path: Path
) -> None:
    questions = list(read_jsonl(small_dataset / QUESTIONS, Question))
    file = script(tmp_path / "answers.jsonl", questions[3:])
    words = ("run", small_dataset, "--model", f"scripted:{file}", "--out", tmp_path / "r", "--quiet")
    ended = fathom(*words)
    assert ended.code == 1
    assert ended.err == (
        f"fathom: 3 of {len(questions)} requests failed; run the same command again to ask them once more\n"
    )
    assert f"{len(questions) - 3} answered, 3 failed" in ended.out
    again = fathom(*words)
    assert again.code == 1
    assert f"{len(questions) - 3} were there already" in again.out
    scored = fathom("score", tmp_path / "r")
    assert scored.code == 1
    assert f"of {len(questions)} answers due, 3 failed" in scored.err


def test_a_run_without_failures_ends_with_0_and_says_nothing_more(
    fathom: Fathom, small_dataset: Path, tmp_path: Path
) -> None:
    ended = fathom("run", small_dataset, "--model", "random", "--out", tmp_path / "r", "--quiet")
    assert (ended.code, ended.err) == (0, "")


def test_a_model_that_is_shown_no_pictures_is_said_beforehand(
    fathom: Fathom, small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    words = ("run", small_dataset, "--out", tmp_path / "r", "--dry-run", "--model")
    said = f"{small_dataset}: was built without pictures, and the model is shown none\n"
    assert fathom(*words, "openai:m").out.startswith(said)
    assert said not in fathom(*words, "random").out


def test_options_reach_the_model_and_the_manifest(
    fathom: Fathom, small_dataset: Path, tmp_path: Path
) -> None:
    words = ("run", small_dataset, "--model", "oracle:position_sigma_m=0.1", "--out", tmp_path / "r")
    more = ("--option", "heading_sigma_deg=5", "--option", " position_sigma_m = 0.2 ", "--quiet")
    assert fathom(*words, *more).code == 0
    settings = open_run(tmp_path / "r").manifest.settings
    assert settings["parameter.heading_sigma_deg"] == 5
    assert settings["parameter.position_sigma_m"] == 0.2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("seed",), "--option seed: expected NAME=VALUE, found no ="),
        (("=4",), "--option =4: expected NAME=VALUE, found no name"),
        (("seed=1", "seed=2"), "--option seed=2: seed was set to '1' already; give it once"),
        (("warmth=1",), "--model random: there is no option 'warmth'; the options are: seed"),
    ],
)
def test_an_option_that_is_none(
    fathom: Fathom, small_dataset: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    words = [w for option in options for w in ("--option", option)]
    ended = fathom("run", small_dataset, "--model", "random", "--out", tmp_path / "r", "--quiet", *words)
    assert ended.sentence() == said
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "d", "--bad"), "no such option: --bad; `fathom run --help` says what there is"),
        (("--bad",), "no such option: --bad; `fathom --help` says what there is"),
        (("run", "d", "--model"), "option '--model' requires an argument; `fathom run --help` says"),
        (("assets", "index"), "missing argument 'folder'; `fathom assets index --help` says what there is"),
        (("score", "d", "more"), "got unexpected extra argument(s) (more); `fathom score --help` says"),
    ],
)
def test_an_error_of_usage_is_one_sentence_that_names_the_help(
    fathom: Fathom, words: tuple[str, ...], said: str
) -> None:
    assert fathom(*words).usage_error().startswith(said)


def test_a_number_that_is_none_is_said_with_what_was_found(fathom: Fathom) -> None:
    for words in (("--concurrency", "many"), ("--concurrency=many",)):
        said = fathom("run", "d", "--model", "random", "--out", "r", *words).usage_error()
        assert "--concurrency" in said and "'many'" in said
