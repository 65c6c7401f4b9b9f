"""Whatever is wrong with what the verbs after `build` are given: one clear sentence, exit code 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from fathom.records import Manifest
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_json, write_bytes, write_json, write_text
from tests.cli.conftest import Fathom
from tests.datasets.killing import contents


def run_words(dataset: Path, out: Path, model: str = "random") -> tuple[object, ...]:
    return ("run", dataset, "--model", model, "--out", out, "--quiet")


def edit_manifest(folder: Path, **changes: object) -> None:
    manifest = read_json(folder / MANIFEST, Manifest)
    write_json(folder / MANIFEST, msgspec.structs.replace(manifest, **changes))


def make_run(fathom: Fathom, dataset: Path, out: Path, model: str = "random") -> Path:
    assert fathom(*run_words(dataset, out, model)).code == 0
    return out


@pytest.mark.parametrize("verb", ["run", "check"])
def test_a_dataset_that_is_not_there(fathom: Fathom, tmp_path: Path, verb: str) -> None:
    gone = tmp_path / "gone"
    words = run_words(gone, tmp_path / "r") if verb == "run" else (verb, gone)
    assert (
        fathom(*words).sentence() == f"{gone}: expected a dataset folder, but there is none; check the path"
    )
    gone.mkdir()
    assert "but it has no manifest.json; give the folder that" in fathom(*words).sentence()
    assert contents(tmp_path) == []


@pytest.mark.parametrize("verb", ["run", "check"])
def test_a_dataset_that_is_unfinished(fathom: Fathom, small_copy: Path, tmp_path: Path, verb: str) -> None:
    edit_manifest(small_copy, complete=False)
    words = run_words(small_copy, tmp_path / "r") if verb == "run" else (verb, small_copy)
    assert "the dataset is unfinished; start the command that builds it again" in fathom(*words).sentence()
    assert not (tmp_path / "r").exists()


def test_a_manifest_that_is_none(fathom: Fathom, small_copy: Path) -> None:
    write_text(small_copy / MANIFEST, '{"kind": "dataset", ')
    assert f"{small_copy / MANIFEST}: not a valid Manifest" in fathom("check", small_copy).sentence()
    (small_copy / MANIFEST).unlink()
    (small_copy / MANIFEST).mkdir()
    assert "has no manifest.json" in fathom("check", small_copy).sentence()
    sentence = fathom("build", "pulsecheck457", "--renderer", "none", "--out", small_copy).sentence()
    assert sentence.startswith(f"{small_copy / MANIFEST}: cannot be read (Is a directory)")


def test_a_dataset_of_another_format(fathom: Fathom, small_copy: Path) -> None:
    edit_manifest(small_copy, schema_version=7)
    assert "is written in format 7, and this version reads format 2" in fathom("check", small_copy).sentence()


def test_a_line_of_a_dataset_that_is_no_json(fathom: Fathom, small_copy: Path, tmp_path: Path) -> None:
    questions = small_copy / "questions.jsonl"
    lines = questions.read_bytes().splitlines(keepends=True)
    write_bytes(questions, b"".join([*lines[:3], b'{"id": "scene', *lines[4:]]))
    sentence = fathom(*run_words(small_copy, tmp_path / "r")).sentence()
    assert sentence.startswith(f"{questions}:4: not a valid Question")
    assert sentence.endswith("restore or rebuild the folder")


@pytest.mark.parametrize("name", ["questions.jsonl", "media.jsonl"])
def test_a_file_of_a_dataset_that_is_gone(
    fathom: Fathom, small_copy: Path, tmp_path: Path, name: str
) -> None:
    (small_copy / name).unlink()
    sentence = fathom(*run_words(small_copy, tmp_path / "r")).sentence()
    assert sentence == f"{small_copy / name}: is missing; restore or rebuild the folder"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("gpt", "--model gpt: there is no model 'gpt'; what there is: random; prior:DATASET;"),
        (
            "scripted:clever",
            "--model scripted:clever: expected one of perfect, always-a, random, mute, broken",
        ),
        ("randm", "--model randm: there is no model 'randm'; did you mean random? What there is: random;"),
        ("depth", "--model depth: is a baseline of sti-bench, and answers no questions of pulsecheck457;"),
        ("openai:m", "--model openai: the environment variable OPENAI_API_KEY is not set"),
        ("openai:m,api_key=abc", "--model openai: a key is never given on the command line"),
        ("no.such:thing", "--model no.such:thing: no.such:thing cannot be imported"),
        ("random:seed", "--model random:seed: expected option=value after the comma, found 'seed'"),
        ("prior:gone", "gone: expected a dataset folder, but there is none"),
    ],
)
def test_a_model_that_cannot_be_asked(
    fathom: Fathom,
    small_dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    said: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert fathom(*run_words(small_dataset, tmp_path / "r", model)).sentence().startswith(said)
    assert not (tmp_path / "r").exists()


def test_a_script_with_a_line_that_is_no_answer(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    write_text(script, '{"question": "q", "text": "yes"}\n{"question": "q"}\n')
    sentence = fathom(*run_words(small_dataset, tmp_path / "r", f"scripted:{script}")).sentence()
    assert sentence.startswith(f"{script}:2: not a valid ScriptLine")


def test_a_setting_of_a_protocol_that_has_none(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    said = fathom(*run_words(small_dataset, tmp_path / "r"), "--set", "frams=8").sentence()
    assert said == (
        "--set frams: there is no such setting; the protocol default of pulsecheck457 has none: leave it out"
    )


def test_a_protocol_that_there_is_not(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    words = (*run_words(small_dataset, tmp_path / "r"), "--protocol", "loud")
    assert fathom(*words).sentence() == "--protocol loud: pulsecheck457 has default, blind"


def test_a_run_folder_that_holds_something_else(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    write_text(tmp_path / "full" / "thesis.tex", "")
    sentence = fathom(*run_words(small_dataset, tmp_path / "full")).sentence()
    assert sentence == f"{tmp_path / 'full'}: is not empty, and not a run; choose another folder"
    assert (
        fathom(*run_words(small_dataset, small_dataset))
        .sentence()
        .endswith("expected a run folder, found a dataset folder; check the path")
    )
    run = make_run(fathom, small_dataset, tmp_path / "r")
    sentence = fathom(*run_words(small_dataset, run, "scripted:mute")).sentence()
    assert "holds another run (" in sentence
    assert "give the same settings to carry on, or another folder" in sentence


def test_a_journal_whose_last_line_was_cut_off_is_mended_and_only_that_is_asked_again(
    fathom: Fathom, small_dataset: Path, tmp_path: Path
) -> None:
    run = make_run(fathom, small_dataset, tmp_path / "r")
    (shard,) = (run / "journal").glob("*.jsonl")
    whole = shard.read_bytes()
    write_bytes(shard, whole[:-40])
    before = whole.splitlines(keepends=True)
    again = fathom(*run_words(small_dataset, run))
    assert again.code == 0
    assert "the last line was only half written when the run was cut off" in again.out
    assert f"1 answered, {len(before) - 1} were there already" in again.out
    assert fathom("score", run).code == 0


def test_a_journal_that_is_broken_in_the_middle(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    run = make_run(fathom, small_dataset, tmp_path / "r")
    (shard,) = (run / "journal").glob("*.jsonl")
    lines = shard.read_bytes().splitlines(keepends=True)
    write_bytes(shard, b"".join([lines[0], lines[1][:20] + b"\n", *lines[2:]]))
    sentence = fathom("score", run).sentence()
    assert sentence.startswith(f"{shard}:2: not a valid Response")


@pytest.mark.parametrize("verb", ["score", "report"])
def test_a_run_that_is_none(fathom: Fathom, small_dataset: Path, tmp_path: Path, verb: str) -> None:
    more = ("--out", tmp_path / "page") if verb == "report" else ()
    gone = tmp_path / "gone"
    sentence = fathom(verb, gone, *more).sentence()
    assert sentence == f"{gone}: expected a run folder, which `fathom run` writes; check the path"
    sentence = fathom(verb, small_dataset, *more).sentence()
    assert sentence == f"{small_dataset}: expected a run folder, found a dataset folder; check the path"
    assert not (tmp_path / "page").exists()


@pytest.mark.parametrize("verb", ["score", "report"])
def test_a_extractor_that_there_is_not(
    fathom: Fathom, small_dataset: Path, tmp_path: Path, verb: str
) -> None:
    run = make_run(fathom, small_dataset, tmp_path / "r")
    more = ("--out", tmp_path / "page") if verb == "report" else ()
    sentence = fathom(verb, run, "--extractor", "kind", *more).sentence()
    there = "--extractor kind: there is fathom, pulsecheck457-official, vlmevalkit, lmms-eval"
    assert sentence == there + ", or give module:attribute"
    assert not (run / "scores").exists()


def test_a_run_whose_dataset_is_gone_or_another(
    fathom: Fathom, small_copy: Path, train_dataset: Path, tmp_path: Path
) -> None:
    run = make_run(fathom, small_copy, tmp_path / "r")
    shutil.rmtree(small_copy)
    assert f"{small_copy}: expected a dataset folder, but there is none" in fathom("score", run).sentence()
    shutil.copytree(train_dataset, small_copy)
    sentence = fathom("score", run).sentence()
    assert sentence.startswith(f"{run}: the run was made on the dataset ")
    assert sentence.endswith("put the right dataset there, or run the model again")


def test_a_report_of_runs_on_two_datasets(
    fathom: Fathom, small_dataset: Path, train_dataset: Path, tmp_path: Path
) -> None:
    one = make_run(fathom, small_dataset, tmp_path / "one")
    other = make_run(fathom, train_dataset, tmp_path / "other")
    sentence = fathom("report", one, other, "--out", tmp_path / "page").sentence()
    assert sentence.startswith(f"{other}: was made on another dataset than {one}; ")


def test_a_report_without_runs(fathom: Fathom, tmp_path: Path) -> None:
    assert "missing argument" in fathom("report", "--out", tmp_path / "page").usage_error()


def test_a_report_where_a_file_lies(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    run = make_run(fathom, small_dataset, tmp_path / "r")
    write_text(tmp_path / "page", "text")
    assert "is a file" in fathom("report", run, "--out", tmp_path / "page").usage_error()


def test_a_verb_that_there_is_not(fathom: Fathom) -> None:
    assert "no such command 'paint'" in fathom("paint").usage_error()


def test_published_tables_of_a_benchmark_that_there_is_not(fathom: Fathom) -> None:
    assert fathom("tables", "sti").sentence().startswith("'sti': no such benchmark")


def test_an_answer_that_does_not_come_out_the_same_ends_with_1(
    fathom: Fathom, small_dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutation planted in the second derivation shows up as one line a question, and exit code 1."""
    monkeypatch.setattr("fathom.datasets.generators.stills.derived_text", lambda *arguments: "otherwise")
    ended = fathom("check", small_dataset, "--no-blind", "--quiet")
    assert ended.code == 1
    assert "and 'otherwise' from the pixels" in ended.out


def test_an_error_of_the_system_is_one_sentence_too(
    fathom: Fathom, small_dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied", "questions.jsonl")

    monkeypatch.setattr("fathom.datasets.recheck.recheck", fails)
    sentence = fathom("check", small_dataset).sentence()
    assert sentence == "questions.jsonl: Permission denied; fix that, then start the same command again"
