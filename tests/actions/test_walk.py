"""From annotations to scored questions about actions in videos, by the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import fathom as package
from fathom import api
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.benchmarks.seedbench.videos.balancing import GIVEN_AWAY
from fathom.media.video import probe, read_frames
from fathom.records import InputError, Question, without_answer
from fathom.store.datasets import Dataset, open_dataset
from tests.actions import made
from tests.cli.conftest import Ended
from tests.exporting.official_loader import loaded

TASKS = ("action_recognition", "action_prediction", "procedure_understanding")
ASSETS = Path(os.environ.get("FATHOM_ASSETS", "../shared/assets"))
REAL = Path(os.environ.get("FATHOM_ANNOTATIONS", ASSETS.parent / "annotations")) / "epic-kitchens-100"

Run = Callable[..., Ended]

DRAWN = {"predictions": "drawn"}
"""A few made videos are too few for options of which each is right of one of them."""


def written(fathom: Run, raw: Path, out: Path, *more: str) -> Ended:
    annotations = str(raw / "annotations")
    media = str(raw / "videos")
    return fathom(
        *("import", "seed-bench", annotations, "--layout", "annotations"),
        *("--media", media, "--out", str(out), "--quiet", "--set", "predictions=drawn", *more),
    )


@pytest.fixture(scope="module")
def made_set(raw: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Path(tmp_path_factory.mktemp("made")) / "set"
    api.import_dataset(
        "seed-bench", raw / "annotations", out, media=raw / "videos", layout="annotations", settings=DRAWN
    )
    return out


def questions(dataset: Dataset, task: str) -> list[Question]:
    return [q for q in dataset.questions() if q.task == task]


def numbers(dataset: Dataset, question: Question) -> list[int]:
    path = dataset.media_path(dataset.media(question.media[0]))
    return [made.number_in(p) for p in read_frames(path, range(probe(path).frames))]


def test_all_three_dimensions_are_written(made_set: Path) -> None:
    dataset = open_dataset(made_set)
    for task in TASKS:
        some = questions(dataset, task)
        assert len(some) >= 6, task
        for q in some:
            assert len(set(q.choices)) == 4
            assert q.answer in q.choices
            assert q.annotations
            assert q.tags["distractors"]


def test_the_authors_loader_reads_the_official_json_of_a_written_set(made_set: Path, tmp_path: Path) -> None:
    """Its dimensions have the numbers of the first version, 10 to 12."""
    api.export_dataset(made_set, "official", tmp_path / "out")
    found = {item.id: item for item in loaded(tmp_path / "out")}
    dataset = open_dataset(made_set)
    for question in dataset.questions():
        item = found.pop(question.id)
        assert (item.kind, item.question) == (FIRST[question.task], question.text)
        assert (item.choices, item.right) == (question.choices, question.answer)
        assert item.frames == probe(dataset.media_path(dataset.media(question.media[0]))).frames
    assert not found
    api.import_dataset("seed-bench", tmp_path / "out", tmp_path / "back")
    assert {q.task for q in open_dataset(tmp_path / "back").questions()} == set(TASKS)


def test_a_clip_ends_a_margin_before_the_action_that_is_asked_for(made_set: Path) -> None:
    dataset = open_dataset(made_set)
    for q in questions(dataset, "action_prediction"):
        wanted = q.annotations[0].start_s
        stop = wanted - 1.0
        start = max(0.0, stop - 10.0)
        assert numbers(dataset, q) == list(range(round(start * made.SLOW), round(stop * made.SLOW))), q.id
        assert q.annotations[0].words == q.answer


def test_a_procedure_is_shown_from_its_first_action_to_its_last(made_set: Path) -> None:
    dataset = open_dataset(made_set)
    for q in questions(dataset, "procedure_understanding"):
        first, last = (round(t * made.SLOW) for t in (q.annotations[0].start_s, q.annotations[-1].stop_s))
        assert numbers(dataset, q) == list(range(first, last)), q.id
        assert q.answer == ", ".join(a.words.replace("_", " ") for a in q.annotations)


def test_a_video_of_one_action_is_shown_as_it_is(made_set: Path, raw: Path) -> None:
    dataset = open_dataset(made_set)
    for q in questions(dataset, "action_recognition"):
        path = dataset.media_path(dataset.media(q.media[0]))
        source = raw / "videos" / "ssv2" / f"{q.annotations[0].id}.mp4"
        assert path.read_bytes() == source.read_bytes()
        assert q.answer == q.annotations[0].words
        assert all(("a cup" in choice) for choice in q.choices)


def test_no_model_is_told_what_the_annotation_says(made_set: Path) -> None:
    for q in open_dataset(made_set).questions():
        assert not hasattr(without_answer(q), "annotations")
        assert "distractors" not in without_answer(q).tags


def test_the_dataset_loads_is_checked_run_and_scored(fathom: Run, made_set: Path, tmp_path: Path) -> None:
    assert len(package.load_dataset(made_set)) == sum(1 for _ in open_dataset(made_set).questions())
    checked = fathom("check", str(made_set), "--quiet")
    assert checked.code == 0, checked.out + checked.err
    assert "every file as it was made" in checked.out
    run = tmp_path / "random"
    ended = fathom("run", str(made_set), "--model", "random", "--out", str(run), "--quiet")
    assert ended.code == 0, ended.err
    scored = fathom("score", str(run))
    assert scored.code == 0, scored.err
    for title in ("Action Recognition", "Action Prediction", "Procedure Understanding"):
        assert title.replace(" ", "_").lower() in scored.out.lower().replace(" ", "_"), scored.out


def test_the_table_of_shortcuts_is_printed(fathom: Run, raw: Path, tmp_path: Path) -> None:
    ended = written(fathom, raw, tmp_path / "set", "--set", "margin_s=0.5")
    assert ended.code == 0, ended.err
    assert "| action prediction | the longest option |" in ended.out
    assert "| procedure understanding | the order commonest in other videos |" in ended.out
    assert "wrong options: " in ended.out


def test_the_same_work_comes_to_the_same_questions(made_set: Path, raw: Path, tmp_path: Path) -> None:
    again = tmp_path / "set"
    api.import_dataset(
        "seed-bench", raw / "annotations", again, media=raw / "videos", layout="annotations", settings=DRAWN
    )
    assert (again / "questions.jsonl").read_bytes() == (made_set / "questions.jsonl").read_bytes()


def test_what_is_missing_or_too_short_costs_a_sentence(fathom: Run, raw: Path, tmp_path: Path) -> None:
    mine = tmp_path / "raw"
    shutil.copytree(raw, mine)
    (mine / "videos" / "P01" / "P01_10.MP4").unlink()
    made.film(mine / "videos" / "P01" / "P01_11.MP4", 15, fps=made.SLOW)
    (mine / "videos" / "ssv2" / "3.mp4").write_bytes(b"no video")
    ended = written(fathom, mine, tmp_path / "set")
    assert ended.code == 0, ended.err
    assert "left out: a picture or video is missing: 1" in ended.out
    assert "left out: a video that is shorter than its annotation" in ended.out
    assert "left out: a picture or video cannot be used: 1" in ended.out
    asked = questions(open_dataset(tmp_path / "set"), "action_prediction")
    assert {q.groups.cluster for q in asked} == {"P01_11", "P01_12"}
    assert all(a.stop_s <= 15.5 for q in asked if q.groups.cluster == "P01_11" for a in q.annotations)


def test_clips_are_not_cut_again_after_a_kill(raw: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    verb = [sys.executable, "-m", "fathom", "import", "seed-bench", str(raw / "annotations"), "--quiet"]
    verb += ["--layout", "annotations", "--media", str(raw / "videos"), "--out", str(out)]
    process = subprocess.Popen(verb, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(out.glob("media/*.mp4"))) < 14:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {p.name: p.stat().st_mtime_ns for p in out.glob("media/*.mp4")}
    assert before
    assert not json.loads((out / "manifest.json").read_text()).get("complete", False)
    subprocess.run(verb, check=True, capture_output=True)
    after = {p.name: p.stat().st_mtime_ns for p in (out / "media").iterdir()}
    assert {name: after[name] for name in before} == before
    assert not [name for name in after if name.endswith(".part")]
    assert len(after) > len(before)


def test_other_settings_do_not_go_on_with_what_is_there(made_set: Path, raw: Path, fathom: Run) -> None:
    assert "choose another folder" in written(fathom, raw, made_set, "--set", "margin_s=2").sentence()


@pytest.mark.parametrize(
    "more",
    [
        ("--set", "margin_s=-1"),
        ("--set", "margin_s=nan"),
        ("--set", "least_s=20"),
        ("--set", "fewest_steps=2"),
        ("--set", "fps=0"),
        ("--set", "nothing=1"),
        ("--columns", "question=a"),
        ("--leave-out",),
    ],
)
def test_bad_settings_get_one_sentence(fathom: Run, raw: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    assert written(fathom, raw, tmp_path / "set", *more).sentence()
    assert not (tmp_path / "set").exists()


def test_settings_and_benchmarks_without_annotations_are_refused(fathom: Run, raw: Path) -> None:
    path = str(raw / "annotations")
    assert "--layout" in fathom("import", "seed-bench", path, "--set", "seed=1", "--dry-run").sentence()
    other = fathom("import", "sti-bench", path, "--layout", "annotations", "--dry-run")
    assert "sti-bench" in other.sentence()


def test_a_dry_run_needs_no_videos(fathom: Run, raw: Path) -> None:
    ended = fathom("import", "seed-bench", str(raw / "annotations"), "--layout", "annotations", "--dry-run")
    assert ended.code == 0, ended.err
    assert "this was a dry run" in ended.out


def test_the_help_of_a_benchmark_lists_the_settings(fathom: Run) -> None:
    assert "margin_s=1" in fathom("import", "seed-bench", "--help").out
    assert "margin_s" not in fathom("import", "sti-bench", "--help").out


def test_no_videos_at_all_is_an_error(raw: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="no question can be written"):
        api.import_dataset(
            "seed-bench", raw / "annotations", tmp_path / "set", media=tmp_path / "none", layout="annotations"
        )
    assert not (tmp_path / "set").exists()


@pytest.mark.skipif(not REAL.is_dir(), reason=f"{REAL} is not there: real annotations are not tried")
def test_clips_of_real_annotations_are_cut_at_their_times(tmp_path: Path) -> None:
    lines = (REAL / "EPIC_100_validation.csv").read_text().splitlines()
    some = [line for line in lines if line.split(",")[2] in ("P01_11", "P01_12")][:60]
    (tmp_path / "EPIC_100_validation.csv").write_text("\n".join([lines[0], *some]) + "\n")
    for name in ("EPIC_100_verb_classes.csv", "EPIC_100_noun_classes.csv"):
        shutil.copy(REAL / name, tmp_path)
    made.film(tmp_path / "P01" / "P01_11.MP4", 80)
    out = tmp_path.parent / f"{tmp_path.name}-set"
    report = api.import_dataset(
        "seed-bench", tmp_path, out, layout="annotations", settings={"most": 6, **DRAWN}
    )
    dataset = open_dataset(out)
    some_asked = questions(dataset, "action_prediction")
    assert len(some_asked) == report.imported >= 4
    for q in some_asked:
        stop = q.annotations[0].start_s - 1.0
        found = numbers(dataset, q)
        assert found == list(range(found[0], found[-1] + 1))
        assert found[-1] / 10 < stop
        assert found[-1] / 10 >= stop - 0.2
        assert abs(found[0] / 10 - max(0.0, stop - 10)) < 0.11
    assert not any(f.reason == GIVEN_AWAY and f.count > len(some_asked) for f in report.findings)
