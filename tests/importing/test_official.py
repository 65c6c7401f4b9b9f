"""The official files of the five benchmarks, in their documented shapes, become datasets."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from fathom import api
from fathom.api import BENCHMARKS
from fathom.records import InputError
from tests.importing import shapes
from tests.importing.reading import imported


def test_4d_bench_questions_have_all_views_and_answers_that_count_from_one(
    tmp_path: Path, video: bytes
) -> None:
    found = imported("4d-bench", shapes.fourd(tmp_path / "4d", video), tmp_path / "out")
    question = found.questions[f"{shapes.UIDS[0]}_motion"]
    assert (question.task, question.answer) == ("action", "It does not")
    assert question.choices == ("Left", "Right", "It does not", "Both ways")
    media = [found.dataset.media(m) for m in question.media]
    assert [m.view for m in media] == list(shapes.VIEWS)
    assert {(m.kind, m.frames, m.fps, m.size) for m in media} == {("video", 12, 6.0, (32, 24))}
    assert question.groups.cluster == shapes.UIDS[0]
    assert {q.task for q in found.questions.values()} == {
        "action", "object_counting", "temporal_relationship", "appearance", "spatial_relationship",
    }  # fmt: skip


def test_4d_bench_captions_have_five_references(tmp_path: Path, video: bytes) -> None:
    found = imported("4d-bench", shapes.fourd_captions(tmp_path / "4d", video), tmp_path / "out")
    question = found.questions[f"{shapes.UIDS[1]}_caption"]
    assert question.task == "caption"
    assert len(question.references) == 5
    assert question.answer == question.references[0] == "A lid, 1 times,\nthat turns."
    assert not question.choices


def test_4d_bench_with_both_files_asks_which(tmp_path: Path, video: bytes) -> None:
    folder = shapes.fourd_captions(tmp_path / "4d", video)
    shapes.fourd(folder, video)
    with pytest.raises(InputError, match=r"choose one with --layout"):
        imported("4d-bench", folder, tmp_path / "out")
    found = imported("4d-bench", folder, tmp_path / "out", layout="captions")
    assert len(found.questions) == 3


def test_4d_bench_never_takes_another_objects_video(tmp_path: Path, video: bytes) -> None:
    folder = shapes.fourd(tmp_path / "4d", video)
    for uid in shapes.UIDS[1:]:
        shutil.rmtree(folder / "4d_object_multi_view_videos" / uid)
    found = imported("4d-bench", folder, tmp_path / "out")
    assert {q.groups.cluster for q in found.questions.values()} == {shapes.UIDS[0]}
    assert found.found("left out", "missing") == 3


def test_4d_bench_notes_a_view_that_the_paper_shows_and_that_is_missing(tmp_path: Path, video: bytes) -> None:
    folder = shapes.fourd(tmp_path / "4d", video)
    (folder / "4d_object_multi_view_videos" / shapes.UIDS[0] / "view_8_rgb_white_bg.mp4").unlink()
    found = imported("4d-bench", folder, tmp_path / "out")
    assert found.found("noted", "the others are there") == 2
    assert [found.dataset.media(m).view for m in found.questions[f"{shapes.UIDS[0]}_motion"].media] == [
        0,
        1,
        16,
    ]


def test_seed_bench_has_pictures_without_extension_videos_and_segments(tmp_path: Path, video: bytes) -> None:
    found = imported("seed-bench", shapes.seed(tmp_path / "seed", video), tmp_path / "out")
    assert found.dataset.manifest.benchmark_version == "1"
    assert found.questions["7"].task == "instances_counting"
    assert found.questions["7"].media == ("images/12_34",)
    assert found.questions["7"].answer == "Two"
    assert found.questions["v10"].media == ("ssv2/77.webm",)
    assert found.questions["v11"].span_s == (1.5, 2.5)
    frames = found.questions["v12"]
    assert frames.span_s == (12 / 15, 80 / 15)
    assert (frames.tags["segment"], frames.tags["segment_unit"]) == ("12,80", "frames")
    assert found.questions["7"].groups.cluster == found.questions["8"].groups.cluster


def test_seed_bench_2_refuses_items_that_ask_for_pictures_by_name(tmp_path: Path) -> None:
    found = imported("seed-bench", shapes.seed2(tmp_path / "seed"), tmp_path / "out")
    assert found.dataset.manifest.benchmark_version == "2"
    assert sorted(found.questions) == ["17_2", "5_1"]
    assert found.questions["17_2"].media == ("task17/a.png", "task17/b.png")
    assert found.questions["17_2"].task == "difference_spotting"
    assert found.questions["5_1"].tags["level"] == "L1"
    assert found.found("left out", "asks for pictures") == 2
    assert found.settings["whole"] is True, "nothing that is scored is missing"


def test_pulsecheck457_answers_are_normalised(tmp_path: Path) -> None:
    found = imported("pulsecheck457", shapes.spatial457(tmp_path / "457"), tmp_path / "out")
    answers = {q.id: q.answer for q in found.questions.values()}
    assert answers == {
        "L1_single-100001": "suv", "L1_single-100002": "3", "L1_single-100003": "yes",
        "L4_pose-450001": "left", "L4_pose-450002": "double bus", "L4_pose-450003": "no",
    }  # fmt: skip
    for question in found.questions.values():
        assert question.answer in question.possible
    assert "double-decker bus" in found.questions["L4_pose-450002"].equivalents
    assert found.questions["L1_single-100001"].groups.cluster == "superCLEVR_new_000000.png"


def test_pulsecheck457_reads_published_questions(tmp_path: Path, samples_folder: Path) -> None:
    folder = tmp_path / "clevr"
    shutil.copytree(samples_folder / "super-clevr" / "images", folder / "images")
    (folder / "questions").mkdir()
    shutil.copy(samples_folder / "super-clevr" / "questions.json", folder / "questions" / "L2_objects.json")
    found = imported("pulsecheck457", folder, tmp_path / "out")
    assert found.report.read == 238
    assert found.report.imported + found.report.left_out == 238
    assert found.report.imported > 200
    assert found.dataset.media(next(iter(found.questions.values())).media[0]).size == (640, 480)


def test_sti_bench_has_five_options_spans_and_videos(tmp_path: Path, video: bytes) -> None:
    found = imported("sti-bench", shapes.sti(tmp_path / "sti", video), tmp_path / "out")
    first = found.questions["scene0001_00.mp4|12|2|6.5"]
    assert (first.task, first.answer, first.span_s) == ("speed_acceleration", "0.3 m/s", (2.0, 6.5))
    assert len(first.choices) == 5
    assert first.media == ("video/scene0001_00.mp4",)
    assert {q.task for q in found.questions.values()} == {
        "speed_acceleration", "3d_video_grounding", "pose_estimation",
    }  # fmt: skip


def test_3dsrbench_joins_pictures_by_name_and_mirrors_those_of_flips(tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "3d")
    found = imported("3dsrbench", folder / "3dsrbench_v1.csv", tmp_path / "out", folder / "coco")
    plain, flip = found.questions["AB12CD34"], found.questions["AB12CD34-flip"]
    assert (plain.choices, plain.answer) == (("lamp", "cup"), "cup")
    assert plain.groups.flip == flip.groups.flip == "AB12CD34"
    assert plain.groups.cluster == flip.groups.cluster == "000000000001"
    assert len(found.questions["EF56GH78"].choices) == 4
    import io

    from PIL import Image

    one = Image.open(io.BytesIO(found.dataset.media_bytes(plain.media[0]))).convert("RGB")
    other = Image.open(io.BytesIO(found.dataset.media_bytes(flip.media[0]))).convert("RGB")
    assert [one.getpixel((x, 0)) for x in range(6)] == [other.getpixel((5 - x, 0)) for x in range(6)]
    assert one.tobytes() != other.tobytes()


def test_media_stay_where_they_are_unless_copies_are_wanted(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    stay = imported("pulsecheck457", folder, tmp_path / "sets" / "stay")
    copied = imported("pulsecheck457", folder, tmp_path / "sets" / "copied", copy=True)
    assert stay.settings["media_root"] == "../../457"
    assert not (stay.dataset.path / "media").exists()
    assert "media_root" not in copied.settings
    shutil.rmtree(folder)
    copied.check_media()
    assert stay.dataset.manifest.identity == copied.dataset.manifest.identity
    assert {m.id for m in map(stay.dataset.media, ("images/superCLEVR_new_000000.png",))} == {
        copied.dataset.media("images/superCLEVR_new_000000.png").id
    }


def test_a_folder_of_media_that_is_called_media_stays_apart_from_our_own(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    (folder / "images").rename(folder / "media")
    (folder / "media").mkdir(exist_ok=True)
    found = imported("pulsecheck457", folder, tmp_path / "out")
    assert found.settings["media_root"] == ".."
    assert found.dataset.media(next(iter(found.questions.values())).media[0]).path.startswith("457/media/")


def test_a_download_cache_of_links_can_be_imported_in_place(tmp_path: Path) -> None:
    plain = shapes.spatial457(tmp_path / "plain")
    cache = tmp_path / "cache" / "datasets--somebody--something"
    for path in sorted(p for p in plain.rglob("*") if p.is_file()):
        blob = shapes.write(
            cache / "blobs" / hashlib.sha256(path.read_bytes()).hexdigest(), path.read_bytes()
        )
        link = cache / "snapshots" / "0123" / path.relative_to(plain)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(blob)
    found = imported("pulsecheck457", cache / "snapshots" / "0123", tmp_path / "out")
    assert len(found.questions) == 6


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    picture = folder / "images" / "superCLEVR_new_000000.png"
    secret = shapes.write(tmp_path / "elsewhere.png", picture.read_bytes())
    picture.unlink()
    picture.symlink_to(secret)
    found = imported("pulsecheck457", folder, tmp_path / "out")
    assert found.found("left out", "cannot be used") == 2


def test_a_limit_takes_the_first_questions_and_is_not_the_official_set(tmp_path: Path) -> None:
    found = imported("pulsecheck457", shapes.spatial457(tmp_path / "457"), tmp_path / "out", limit=2)
    assert len(found.questions) == 2
    assert found.settings["official"] is False


def test_importing_twice_gives_the_same_dataset(tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "3d")
    first, second = (imported("3dsrbench", folder, tmp_path / name) for name in ("a", "b"))
    assert first.dataset.manifest.identity == second.dataset.manifest.identity
    for name in ("questions.jsonl", "media.jsonl", "import.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_an_import_that_was_cut_off_is_begun_again(tmp_path: Path) -> None:
    folder = shapes.spatial457(tmp_path / "457")
    whole = imported("pulsecheck457", folder, tmp_path / "whole")
    out = tmp_path / "out"
    text = (tmp_path / "whole" / "manifest.json").read_text().replace('"complete": true', '"complete": false')
    shapes.write(out / "manifest.json", text)
    shapes.write(out / ".questions.jsonl.part", '{"id": "half')
    again = imported("pulsecheck457", folder, out)
    assert again.questions == whole.questions


@pytest.mark.parametrize("benchmark", list(BENCHMARKS))
def test_every_task_of_an_import_is_one_of_the_benchmarks(
    benchmark: str, tmp_path: Path, video: bytes
) -> None:
    make = {
        "4d-bench": lambda f: shapes.fourd(f, video),
        "seed-bench": lambda f: shapes.seed(f, video),
        "pulsecheck457": shapes.spatial457,
        "sti-bench": lambda f: shapes.sti(f, video),
        "3dsrbench": shapes.threed,
    }[benchmark]
    found = imported(benchmark, make(tmp_path / "in"), tmp_path / "out")
    assert {q.task for q in found.questions.values()} <= set(api.benchmark_named(benchmark).tasks)
    assert found.settings["whole"] is True
    assert found.settings["official"] is False, "so few questions are a part of the published set"
