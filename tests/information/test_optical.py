"""Texts read in a picture by a real reader."""

from __future__ import annotations

from pathlib import Path

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.store.datasets import open_dataset
from tests.needed import needs

pytestmark = needs("rapidocr", "onnxruntime")


def test_a_sign_is_read_where_it_stands(tmp_path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(picture).text((30, 120), "EXIT 25", fill="black", font=ImageFont.load_default(size=48))
    (tmp_path / "pictures").mkdir()
    picture.save(tmp_path / "pictures" / "sign.png")
    api.extract_information(tmp_path / "pictures", tmp_path / "info", extractors=["ocr"])
    (text,) = information_in(open_dataset(tmp_path / "info"))["sign"].texts
    assert text.text.replace(" ", "") == "EXIT25"
    assert text.box[1] > 0.5
