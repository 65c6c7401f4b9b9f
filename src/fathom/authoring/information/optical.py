"""Texts in pictures by RapidOCR, whose models lie in its package (Apache 2.0)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import SeenText, VisualInformation, clipped
from fathom.media.images import inspect_image
from fathom.records import InputError, missing_extra

NAME, VERSION = "ocr", "1"

LEAST_SCORE = 0.8
"""What is read with less is mostly misread."""


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of texts; behind its name may stand the least score that counts.

    Raises InputError for what is no number, MissingExtraError.
    """
    try:
        floor = float(rest) if rest else LEAST_SCORE
    except ValueError:
        raise InputError(f"--extractors ocr={rest}: expected the least score, found {rest!r}") from None
    engine = _engine()

    def look(picture: GivenPicture) -> VisualInformation:
        data = picture.data()
        size = inspect_image(data, picture.id)
        try:
            found: Any = engine(data)
        except Exception as e:  # the package raises its own for what it cannot decode
            raise InputError(f"{picture.id}: its texts cannot be read ({e})") from e
        texts = []
        for text, score, corners in zip(found.txts or (), found.scores or (), _corners(found), strict=True):
            if score >= floor:
                xs, ys = [float(p[0]) for p in corners], [float(p[1]) for p in corners]
                box = (
                    min(xs) / size.width,
                    min(ys) / size.height,
                    max(xs) / size.width,
                    max(ys) / size.height,
                )
                texts.append(SeenText(text=text, box=clipped(box), source=NAME, score=round(float(score), 4)))
        return VisualInformation(id=picture.id, texts=tuple(texts))

    return one_by_one(NAME, f"{VERSION} {floor}", look)


def words_in(pixels: NDArray[np.uint8]) -> list[str]:
    """Return the texts that are read in a picture (height, width, 3), sRGB.

    Raises MissingExtraError where the reader is not installed.
    """
    found: Any = _engine()(np.ascontiguousarray(pixels[..., ::-1]))
    scored = zip(found.txts or (), found.scores or (), strict=True)
    return [str(text).strip() for text, score in scored if score >= LEAST_SCORE]


@lru_cache(maxsize=1)
def _engine() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as e:
        raise missing_extra("rapidocr", "ocr", "reads texts in pictures") from e
    return RapidOCR(params={"Global.log_level": "critical"})


def _corners(found: object) -> Sequence[Sequence[Sequence[float]]]:
    boxes = getattr(found, "boxes", None)
    return () if boxes is None else boxes
