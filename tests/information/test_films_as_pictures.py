"""A video counts as one picture that can be shown; nobody writes about what cannot be shown."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.record import VisualInformation
from fathom.authoring.review import FILE
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.formats.exporting import KITS
from fathom.media.film import FilmWriter
from fathom.records import Media, Question
from fathom.store.datasets import MEDIA, SCENES, hash_of_stills, open_dataset
from fathom.store.files import read_jsonl, write_jsonl
from tests.inference.folders import png
from tests.information.scripted import filled, reader, writer
from tests.information.worlds import make_worlds
from tests.needed import needs

pytestmark = needs("av")

SETTINGS = PictureWriting(
    dimensions=("instance_identity", "instances_counting"), nouns=3, readers=1, apart=()
)


def film(path: Path, frames: int) -> str:
    """Write a film that grows brighter, 10 levels a frame, and return its hash."""
    with FilmWriter(path, fps=4, size=(64, 48)) as out:
        for number in range(frames):
            out.add(np.full((48, 64, 3), 20 + 10 * number, np.uint8))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def filmed_worlds(path: Path) -> Path:
    """Write four worlds: a picture, a film, a picture, and one that was not painted."""
    make_worlds(path, 4)
    media = list(read_jsonl(path / MEDIA, Media))
    name = media[1].scene
    digest = film(path / "media" / f"{name}.mp4", 9)
    media[1] = Media(
        id=name, path=f"media/{name}.mp4", kind="video", size=(64, 48), sha256=digest, scene=name,
        frames=9, fps=4.0,
    )  # fmt: skip
    write_jsonl(path / MEDIA, media[:3])
    return path


def written(worlds: Path, folder: Path) -> list[Question]:
    """Take every step from worlds to a dataset in folder/set, and return its questions."""
    info, work = folder / "info", folder / "work"
    api.extract_information(worlds, info, extractors=["perfect"])
    api.write_questions(info, work, settings=SETTINGS)
    api.run_model(work / "write" / "01", writer, folder / "written")
    api.write_questions(info, work, responses=[folder / "written"])
    api.run_model(work / "blind" / "01", reader("A"), folder / "reader")
    api.write_questions(info, work, responses=[folder / "reader"])
    truths = information_in(open_dataset(info))
    named = {name.replace("/", "-"): truth for name, truth in truths.items()} | truths
    (work / FILE).write_bytes(_filled((work / FILE).read_bytes(), named))
    api.write_questions(info, work, out=folder / "set")
    return list(open_dataset(folder / "set").questions())


def _filled(data: bytes, truths: dict[str, VisualInformation]) -> bytes:
    """Fill a review in, whose lines name the pictures by their files."""
    known = dict(truths)
    for raw in data.splitlines():
        line = msgspec.json.decode(raw)
        known[line["picture"].rpartition("/")[2].removesuffix(".png")] = truths[line["media"][0]]
    return filled(data, known)


def test_every_question_has_a_picture_and_every_kit_takes_the_set(tmp_path: Path) -> None:
    questions = written(filmed_worlds(tmp_path / "worlds"), tmp_path)
    shown = {media for q in questions for media in q.media}
    assert all(q.media for q in questions)
    assert "scene-001/frame_0000" in shown and len(shown) == 3
    made = open_dataset(tmp_path / "set")
    with Image.open(io.BytesIO(made.media_bytes("scene-001/frame_0000"))) as still:
        assert still.size == (64, 48)
    for kit in KITS:
        api.export_dataset(tmp_path / "set", kit, tmp_path / kit)
        assert any((tmp_path / kit).iterdir())


def test_a_world_without_a_picture_among_others_with_one_costs_a_sentence(tmp_path: Path) -> None:
    worlds = filmed_worlds(tmp_path / "worlds")
    report = api.extract_information(worlds, tmp_path / "info", extractors=["perfect"])
    assert [f for f in report.failures if "scene-003" in f] == list(report.failures)
    assert "has no picture or video" in report.failures[0]


def test_of_films_that_are_listed_and_were_not_painted_the_truth_is_said(tmp_path: Path) -> None:
    worlds = filmed_worlds(tmp_path / "worlds")
    media = [
        msgspec.structs.replace(m, kind="video", path=f"media/{m.id}.mp4", sha256=hash_of_stills({}))
        for m in read_jsonl(worlds / MEDIA, Media)
    ]
    write_jsonl(worlds / MEDIA, media)
    (worlds / "media" / "scene-001.mp4").unlink()
    report = api.extract_information(worlds, tmp_path / "info", extractors=["perfect"])
    assert not report.failures
    found = information_in(open_dataset(tmp_path / "info"))
    assert len(found) == 4 and all(r.instances for r in found.values())


def test_of_a_film_without_scenes_the_frame_in_its_middle_is_kept(tmp_path: Path) -> None:
    worlds = filmed_worlds(tmp_path / "worlds")
    write_jsonl(worlds / SCENES, [])
    films = [msgspec.structs.replace(m, scene="") for m in read_jsonl(worlds / MEDIA, Media)][1:2]
    damaged = worlds / "media" / "damaged.mp4"
    damaged.write_bytes(b"no film")
    wrong = msgspec.structs.replace(films[0], id="damaged", path="media/damaged.mp4")
    write_jsonl(worlds / MEDIA, [*films, wrong])
    questions = [
        Question(
            id=f"q{k}", task="instance_identity", text="?", choices=("a", "b"), answer="a", media=(m.id,)
        )
        for k, m in enumerate((*films, wrong))
    ]
    write_jsonl(worlds / "questions.jsonl", questions)
    name = "scene-001/frame_0004"
    (tmp_path / "said.jsonl").write_text(f'{{"id": "{name}", "captions": [{{"text": "a dog"}}]}}\n', "utf-8")
    report = api.extract_information(worlds, tmp_path / "info", extractors=[f"jsonl={tmp_path}/said.jsonl"])
    assert len(report.failures) == 1 and "damaged" in report.failures[0]
    with Image.open(io.BytesIO(open_dataset(tmp_path / "info").media_bytes(name))) as still:
        assert abs(np.asarray(still).mean() - 60) < 4
    count, left = api.ask_of_pictures(worlds, tmp_path / "asked")
    assert (count, len(left)) == (1, 1)


@pytest.mark.parametrize("said", ["jsonl", "perfect"])
def test_a_picture_that_is_cut_off_costs_one_sentence_and_nothing_is_asked_of_it(
    tmp_path: Path, said: str
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    noise = np.random.default_rng(0).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    coded = io.BytesIO()
    Image.fromarray(noise).save(coded, "PNG")
    (pictures / "cut.png").write_bytes(coded.getvalue()[: len(coded.getvalue()) // 2])
    (pictures / "whole.png").write_bytes(png((1, 2, 3)))
    lines = [f'{{"id": "{name}", "captions": [{{"text": "a dog"}}]}}\n' for name in ("cut", "whole")]
    (tmp_path / "said.jsonl").write_text("".join(lines), "utf-8")
    extractors = [f"jsonl={tmp_path}/said.jsonl", *(["perfect"] if said == "perfect" else [])]
    report = api.extract_information(pictures, tmp_path / "info", extractors=extractors)
    assert len([f for f in report.failures if f.startswith("cut ")]) == 1
    assert not information_in(open_dataset(tmp_path / "info"))["cut"].captions
