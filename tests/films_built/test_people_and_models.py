"""Questions that models write, captions that people write, a taste that is learnt: by the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom.authoring.captions.grammar import captions_of
from fathom.authoring.captions.questions import caption_question
from fathom.authoring.review import FILE
from fathom.benchmarks.fourdbench.authoring.prompts import PROMPTS
from fathom.benchmarks.fourdbench.authoring.review import QuestionLine
from fathom.records import Media, Request, Verdict, pictures_of
from fathom.store.datasets import MEDIA, QUESTIONS, hash_of_stills, open_dataset
from fathom.store.files import read_jsonl, sha256_file, write_jsonl
from fathom.store.requests import open_requests
from tests.authoring.captions import LEXICON
from tests.authoring.objects import good_writer, make_objects
from tests.cli.conftest import Fathom
from tests.films_built.conftest import SEED
from tests.films_built.made import SET

RIGHT = {"a long tail", "3"}


def partly_painted(dataset: Path) -> Path:
    """Take away all pictures of two of the four views, as in a build that shows the others."""
    changed = []
    for m in read_jsonl(dataset / MEDIA, Media):
        if m.view in (1, 3):
            m = msgspec.structs.replace(m, stills={}, sha256=hash_of_stills({}))
        changed.append(m)
    write_jsonl(dataset / MEDIA, changed)
    return dataset


@pytest.fixture
def objects(tmp_path: Path) -> Path:
    return partly_painted(make_objects(tmp_path / "objects"))


def answered(fathom: Fathom, folder: Path, name: str, speak: Callable[[Request], str]) -> Path:
    """Have a scripted model answer a folder of requests through `fathom run`; return the run."""
    script = folder.parents[2] / f"{name}.jsonl"
    lines = [{"question": r.asked.id, "text": speak(r)} for r in open_requests(folder).requests()]
    script.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    run = folder.parents[2] / f"run-{name}"
    ended = fathom("run", folder, "--model", f"scripted:{script}", "--out", run, "--quiet")
    assert ended.code == 0, ended.err
    return run


def wrong(request: Request) -> str:
    return f"({'ABCD'[next(i for i, c in enumerate(request.asked.choices) if c not in RIGHT)]})"


def test_questions_are_written_by_models_and_kept_by_people(
    fathom: Fathom, objects: Path, tmp_path: Path
) -> None:
    work, out = tmp_path / "work", tmp_path / "with-written"
    first = fathom("write-questions", objects, work, "--set", "each=1", "--set", "views=3")
    assert (first.code, first.err) == (0, "")
    assert f"fathom run {work / 'write' / '01'} --model MODEL" in first.out
    shown = {p.media for r in open_requests(work / "write" / "01").requests() for p in pictures_of(r.prompt)}
    assert {name.rpartition("_")[2] for name in shown} == {"0", "2"}
    assert "no question was kept yet" in fathom("write-questions", objects, work, "--out", out).sentence()

    write = answered(fathom, work / "write" / "01", "writer", good_writer)
    assert (
        "check the questions against the rules"
        in fathom("write-questions", objects, work, "--responses", write).out
    )
    check = answered(fathom, work / "check" / "01", "checker", lambda r: '{"broken": [], "reason": ""}')
    assert "text-only" in fathom("write-questions", objects, work, "--responses", check).out
    blind = [answered(fathom, work / "blind" / "01", name, wrong) for name in ("one", "two")]
    waiting = fathom("write-questions", objects, work, "--responses", blind[0], "--responses", blind[1]).out
    assert f"{2 * len(PROMPTS.kinds)} lines wait for people" in waiting

    lines = list(read_jsonl(work / FILE, QuestionLine))
    assert all((work / picture).is_file() for line in lines for picture in line.pictures)
    for line in lines:
        line.decision, line.reviewer = "reject" if line.task == "action" else "keep", "ana"
    (work / FILE).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    done = fathom("write-questions", objects, work, "--out", out)
    assert f"{out}: 8 questions that models wrote are among its questions" in done.out
    assert fathom("write-questions", objects, work, "--out", out).out == done.out

    dataset = open_dataset(out)
    dataset.verify()
    assert {q.source for q in dataset.questions()} == {"written:scripted-writer"}
    assert {q.tags["form"] for q in dataset.questions()} == {"written"}
    assert dataset.manifest.identity != open_dataset(objects).manifest.identity
    assert "8 questions were written by models (scripted-writer) and kept by people" in dataset.manifest.notes
    assert fathom("run", out, "--model", "random", "--out", tmp_path / "r", "--quiet").code == 0
    assert "8 questions" in fathom("score", tmp_path / "r").out


def test_a_folder_of_other_work_and_settings_that_there_are_not_are_refused(
    fathom: Fathom, objects: Path, tmp_path: Path
) -> None:
    assert (
        "there is no setting" in fathom("write-questions", objects, tmp_path / "w", "--set", "x=1").sentence()
    )
    assert (
        "each=x: expected a whole number"
        in fathom("write-questions", objects, tmp_path / "w", "--set", "each=x").sentence()
    )
    fathom("write-questions", objects, tmp_path / "w")
    said = fathom("write-questions", objects, tmp_path / "w", "--set", "each=2").sentence()
    assert "was begun with other settings (each is 1 there, and 2 now)" in said


def test_without_pictures_there_is_nothing_for_a_model_to_see(
    fathom: Fathom, films: Path, tmp_path: Path
) -> None:
    said = fathom("write-questions", films, tmp_path / "w").sentence()
    assert "there are no pictures of it for a model to see; build the dataset with a renderer" in said


@pytest.fixture
def captioned(objects: Path) -> Path:
    scenes = list(open_dataset(objects).scenes())
    questions = [caption_question(s, captions_of(s, LEXICON, "0"), ()) for s in scenes]
    write_jsonl(objects / QUESTIONS, questions)
    return objects


def test_captions_that_people_wrote_become_references_with_who_wrote_them(
    fathom: Fathom, captioned: Path, tmp_path: Path
) -> None:
    one, two = (q.scene for q in open_dataset(captioned).questions())
    file = tmp_path / "captions.csv"
    file.write_text(
        f"folder_name,caption_1,caption_2,writer\n{one},A fox.,A fox sits.,bo\n{two},An ox.,,\n"
        f"{'0' * 32},x,y,\n"
    )
    before = sha256_file(captioned / QUESTIONS)
    out = tmp_path / "out"
    said = fathom("captions", captioned, file, "--out", out, "--writer", "ana")
    assert said.code == 0, said.err
    assert "3 rows read from captions.csv (captions)" in said.out
    assert "1 left out" in said.out
    first, second = open_dataset(out).questions()
    assert (first.references, first.answer) == (("A fox.", "A fox sits."), "A fox.")
    assert (first.tags["captions"], first.tags["captions_by"]) == ("people", "bo")
    assert (second.references, second.tags["captions_by"]) == (("An ox.",), "ana")
    assert sha256_file(captioned / QUESTIONS) == before

    revised = tmp_path / "revised.jsonl"
    decided = [
        {"object": one, "caption": 2, "decision": "revise", "text": "A red fox sits.", "reviewer": "cy"},
        {"object": two, "caption": 1, "decision": "keep", "reviewer": "cy"},
    ]
    revised.write_text("".join(json.dumps(line) + "\n" for line in decided))
    again = tmp_path / "again"
    assert fathom("captions", out, revised, "--out", again).code == 0
    first, second = open_dataset(again).questions()
    assert first.references == ("A fox.", "A red fox sits.")
    assert (first.tags["captions"], first.tags["captions_by"]) == ("people, revised by people", "bo, cy")
    assert second.tags["captions_by"] == "ana"
    verdicts = list(read_jsonl(again / "verdicts.jsonl", Verdict))
    assert [(v.reviewer, v.decision) for v in verdicts] == [("cy", "reject"), ("cy", "keep")]
    assert len(open_dataset(again).manifest.notes) == 2
    assert (
        "is not empty, and holds something else" in fathom("captions", out, file, "--out", again).sentence()
    )


def test_a_file_that_changes_no_caption_makes_no_dataset(
    fathom: Fathom, captioned: Path, tmp_path: Path
) -> None:
    file = tmp_path / "captions.csv"
    file.write_text(f"folder_name,caption_1\n{'0' * 32},x\n")
    assert "changes no caption" in fathom("captions", captioned, file, "--out", tmp_path / "out").sentence()
    assert not (tmp_path / "out").exists()


def verdicts_on(dataset: Path, path: Path, names: list[str]) -> Path:
    decisions = [
        Verdict(question=n, reviewer="ana", decision=("keep", "reject")[k % 2]) for k, n in enumerate(names)
    ]
    write_jsonl(path, decisions)
    return path


def test_a_taste_is_learnt_from_verdicts_and_grades_a_build(
    fathom: Fathom, films: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="the package torch is not installed")
    pytest.importorskip("transformers", reason="the package transformers is not installed")
    from tests.curation.learning import make_clip

    clip = make_clip(tmp_path / "clip")
    drawn = sorted(p.stem for p in (films / "previews").glob("*.png"))
    words = ("curate", "train", films, "--clip-model", clip, "--out", tmp_path / "taste", "--quiet")
    few = verdicts_on(films, tmp_path / "few.jsonl", drawn)
    assert (
        "expected at least 2 objects that people kept and 2" in fathom(*words, "--verdicts", few).sentence()
    )
    strange = verdicts_on(films, tmp_path / "strange.jsonl", ["f" * 32])
    assert "has no pictures of 1 objects" in fathom(*words, "--verdicts", strange).sentence()

    objects = make_objects(tmp_path / "o", 6)
    names = [s.id for s in open_dataset(objects).scenes()]
    said = fathom(
        "curate", "train", objects, "--clip-model", clip, "--out", tmp_path / "taste", "--verdicts",
        verdicts_on(objects, tmp_path / "v.jsonl", names), "--set", "epochs=2", "--set", "folds=0", "--quiet",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "learnt from 6 objects: 3 kept, 3 rejected" in said.out

    out = tmp_path / "graded"
    build = ("build", "4d-bench", "--renderer", "none", "--quiet", "--scenes", "3", "--seed", SEED, *SET)
    graded = fathom(
        *build, "--workers", "1", "--out", out, "--set", f"quality_filter={tmp_path / 'taste'}",
        "--set", f"clip_model={clip}",
        "--set", "curate.least_grade=1.01",
    )  # fmt: skip
    assert "not one of 3 objects stays" in graded.sentence()
    assert "by the classifier, at least 1.01 asked for" in graded.err
