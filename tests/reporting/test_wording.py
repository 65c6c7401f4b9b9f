"""Objects are called in the report what questions call them."""

from __future__ import annotations

import pytest

from fathom.records import AssetRef, SceneObject
from fathom.reporting.wording import object_words


def obj(subtype: str, **attributes: str) -> SceneObject:
    return SceneObject(
        id="t", category="c", subtype=subtype, size_m=(1, 1, 1), poses=(), attributes=attributes,
        asset=AssetRef(name="a", sha256=""),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (obj("mountain", size="small", color="brown"), "small brown mountain bike"),
        (obj("suv", size="large", color="red"), "large red suv"),
        (obj("fox_v2", name="fox", color=""), "fox"),
        (obj(""), "c"),
    ],
)
def test_objects_are_called_what_questions_call_them(named: SceneObject, words: str) -> None:
    assert object_words(named) == words
