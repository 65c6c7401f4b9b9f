"""A build of videos: the same bytes however it was made, and a dataset that is checked and run as any."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.datasets.findings import Checks
from fathom.ground_truth.cell_files import TruthCells
from fathom.records import Manifest, Media, Question
from fathom.store.datasets import MANIFEST, MEDIA, identity, open_dataset
from fathom.store.files import read_json, read_jsonl, sha256_file, write_json, write_jsonl
from tests.builds import contents, killed
from tests.cli.conftest import Fathom
from tests.videos_built.conftest import SCENES, SEED, SMALL

SET = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
BUILD = ("build", "sti-bench", "--renderer", "none", "--quiet", "--scenes", str(SCENES), "--seed", SEED, *SET)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kills need process groups")
def test_a_build_killed_and_ended_with_two_workers_gives_the_bytes_of_one(
    videos: Path, tmp_path: Path
) -> None:
    out = tmp_path / videos.name
    assert killed(BUILD, out, "work/choice.json", 1)
    assert not read_json(out / MANIFEST, Manifest).complete
    api.build_dataset("sti-bench", out, scenes=SCENES, seed=SEED, renderer="none", settings=SMALL, workers=2)
    assert contents(out) == contents(videos)


def test_every_promise_is_kept_and_every_table_is_filled(videos: Path) -> None:
    checks = read_json(videos / "checks.json", Checks)
    # Four short videos do not give all that is wanted, and that is said.
    assert [v.name for v in checks.verdicts if not v.passed] == [
        "at least 90 % of the questions wanted are asked"
    ]
    (missing,) = (t for t in checks.tables if t.title == "Questions that are wanted and not asked")
    assert missing.rows and all(row[4] for row in missing.rows)
    titles = [t.title for t in checks.tables]
    assert any("Placement audit" in t for t in titles) and "Guessed without looking" in titles
    placement = checks.tables[0]
    videos_there = len(list(open_dataset(videos).scenes()))
    assert placement.rows[0][:2] == ("desktop", str(videos_there)) and set(placement.rows[0][5:]) == {"0"}


def test_further_worlds_are_drawn_for_what_is_missing_and_kept_where_they_are_asked_about(
    videos: Path,
) -> None:
    dataset = open_dataset(videos)
    scenes = [s.id for s in dataset.scenes()]
    assert SCENES < len(scenes) <= 2 * SCENES
    asked = {q.scene for q in dataset.questions()}
    assert asked.issuperset(scenes[SCENES:])
    assert {p.stem for p in (videos / "truth").iterdir()} == set(scenes)


def test_questions_have_five_options_and_numbers_a_twin_without(videos: Path) -> None:
    questions = {q.id: q for q in open_dataset(videos).questions()}
    optional = [q for q in questions.values() if q.choices]
    assert len(optional) >= 16 and len({q.task for q in optional}) >= 5
    for q in optional:
        assert len(q.choices) == 5 and q.answer in q.choices and q.program and q.evidence
        assert q.margin is not None and q.margin.ratio >= 1
        if q.groups.pair:
            twin = questions[q.groups.pair]
            assert twin.tags["numeric"] == "yes" and twin.program == q.program and not twin.choices


def test_the_truth_holds_the_thirty_frames_that_the_protocol_shows(videos: Path) -> None:
    dataset = open_dataset(videos)
    for scene in dataset.scenes():
        with TruthCells(dataset.truth_path(scene)) as cells:
            assert len(cells.cells) == 30 and cells.cells[-1] == (0, len(scene.times_s) - 1)
            assert cells.objects[-1] == "backdrop"
            assert {t.id for t in scene.objects if t.category != "structure"} == {*cells.objects} - {
                "backdrop"
            }


def test_both_derivations_of_every_answer_are_made_again(videos: Path, fathom: Fathom) -> None:
    checked = fathom("check", videos)
    assert checked.code == 0, checked.err
    assert "every file as it was made" in checked.out and "from the pixels" in checked.out


def test_a_wrong_answer_is_found(videos: Path, tmp_path: Path, fathom: Fathom) -> None:
    """Only the answer is changed, and the folder's hashes as somebody would who wants to get away with it."""
    out = tmp_path / "wrong"
    shutil.copytree(videos, out)
    questions = list(read_jsonl(out / "questions.jsonl", Question))
    wrong = next(q for q in questions if q.choices and q.task == "displacement_path_length")
    other = next(c for c in wrong.choices if c != wrong.answer)
    changed = [msgspec.structs.replace(q, answer=other) if q.id == wrong.id else q for q in questions]
    write_jsonl(out / "questions.jsonl", changed)
    manifest = read_json(out / MANIFEST, Manifest)
    files = {**manifest.files, "questions.jsonl": sha256_file(out / "questions.jsonl")}
    truth = {k: v for k, v in files.items() if k.startswith("truth/")}
    known_by = identity(files["scenes.jsonl"], changed, truth)
    write_json(out / MANIFEST, msgspec.structs.replace(manifest, files=files, identity=known_by))
    checked = fathom("check", out)
    assert checked.code != 0
    assert wrong.id in checked.out and other in checked.out


def test_a_player_that_reads_the_record_answers_everything(
    videos: Path, tmp_path: Path, fathom: Fathom
) -> None:
    run = tmp_path / "run"
    ran = fathom("run", videos, "--model", "oracle", "--out", run, "--quiet")
    assert ran.code == 0, ran.err
    scored = fathom("score", run)
    assert scored.code == 0, scored.err
    overall = next(line for line in scored.out.splitlines() if line.startswith("All questions"))
    assert overall.split()[2] == "100.0", scored.out


def test_a_painted_video_has_its_frames_and_a_film_where_one_was_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "painted"
    tiny = {
        **SMALL, "desktop.width": "200", "desktop.height": "150", "desktop.seconds": "1.2",
        "desktop.fps": "10", "desktop.most_moved": "1", "films": "1", "further": "0",
    }  # fmt: skip
    api.build_dataset("sti-bench", out, scenes=2, seed=SEED, quality="preview", settings=tiny, workers=1)
    dataset = open_dataset(out)
    media = list(read_jsonl(out / MEDIA, Media))
    assert [len(m.stills) for m in media] == [12, 12]
    assert [(out / m.path).is_file() for m in media] == [True, False]
    for m in media:
        for number in m.stills:
            assert dataset.still_bytes(m.id, number)[:4] == b"\x89PNG"
