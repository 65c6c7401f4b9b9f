"""A model that sees the pictures as extractor: asked through requests, read from a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.records import DataError, InputError
from fathom.store.datasets import open_dataset
from tests.cli.conftest import Fathom, fathom
from tests.inference.folders import png

__all__ = ["fathom"]

WHOLE = {
    "captions": ["A  dog sleeps on a sofa."],
    "objects": [{"label": "dog", "box": [0.1, 0.2, 0.5, 0.9], "attributes": {"color": "brown"}}],
    "regions": [{"text": "a torn cushion", "box": [0.5, 0.5, 1, 1]}],
    "texts": [{"text": "EXIT", "box": [0, 0, 0.2, 0.1]}],
}
BAD_BOX = {"captions": ["A dog."], "objects": [{"label": "dog", "box": [12, 20, 300, 400]}]}
"""In pixels, as models like to say them."""

SAID = {
    "a": json.dumps(WHOLE),
    "b": f"```json\n{json.dumps({'captions': ['Two cats.']})}\n```",
    "c": "I see a dog.",
    "d": json.dumps(BAD_BOX),
    "e": json.dumps({"captions": []}),
}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for k, name in enumerate(SAID):
        (folder / f"{name}.png").write_bytes(png((k, 2, 3)))
    (folder / "broken.png").write_bytes(b"no picture")
    return folder


def answered(folder: Path, photos: Path) -> Path:
    """Ask about the pictures, answer from a file, and return the run."""
    asked, left = api.ask_of_pictures(photos, folder / "asked")
    assert asked == len(SAID)
    assert len(left) == 1
    lines = [json.dumps({"question": name, "text": text}) for name, text in SAID.items()]
    (folder / "said.jsonl").write_text("\n".join(lines))
    api.run_model(folder / "asked", f"scripted:{folder / 'said.jsonl'}", folder / "run")
    return folder / "run"


def test_replies_become_information_and_bad_ones_a_sentence(photos: Path, tmp_path: Path) -> None:
    run = answered(tmp_path, photos)
    report = api.extract_information(photos, tmp_path / "info", extractors=[f"replies={run}"])
    said = information_in(open_dataset(tmp_path / "info"))
    assert said["a"].captions[0].text == "A dog sleeps on a sofa."
    (dog,) = said["a"].instances
    assert (dog.label, dog.box, dog.attributes) == ("dog", (0.1, 0.2, 0.5, 0.9), {"color": "brown"})
    assert (said["a"].regions[0].text, said["a"].texts[0].text) == ("a torn cushion", "EXIT")
    assert said["b"].captions[0].text == "Two cats."
    for name, why in (
        ("c", "not one JSON object"),
        ("d", "a box is not left, top"),
        ("e", "nothing is said"),
    ):
        assert any(name == f.split(" ")[0] and why in f for f in report.failures)
    assert len(report.failures) == 4


def test_a_run_about_other_pictures_is_not_believed(photos: Path, tmp_path: Path) -> None:
    run = answered(tmp_path, photos)
    (photos / "a.png").write_bytes(png((99, 2, 3)))
    report = api.extract_information(photos, tmp_path / "info", extractors=[f"replies={run}"])
    assert any("a: " in f and "another picture" in f for f in report.failures)
    (tmp_path / "asked" / "requests.jsonl").unlink()
    with pytest.raises(DataError, match="missing or was changed"):
        api.extract_information(photos, tmp_path / "again", extractors=[f"replies={run}"])
    with pytest.raises(InputError, match="--ask"):
        api.extract_information(photos, tmp_path / "again", extractors=["replies="])


def test_the_command_line_asks_and_says_what_comes_next(fathom: Fathom, photos: Path, tmp_path: Path) -> None:
    ended = fathom("extract", photos, "--out", tmp_path / "asked", "--ask")
    assert ended.code == 0
    assert "5 requests" in ended.out
    assert "broken" in ended.out
    assert "next: fathom run" in ended.out
    assert fathom("extract", photos, "--out", tmp_path / "x", "--ask", "--extractors", "ocr").code == 2
    assert fathom("extract", photos, "--out", tmp_path / "x").code == 2
