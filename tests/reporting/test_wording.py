"""Things are called in the report what questions call them."""

from __future__ import annotations

import pytest

from fathom.records import AssetRef, Thing
from fathom.reporting.wording import thing_words


def thing(subtype: str, **attributes: str) -> Thing:
    return Thing(
        id="t", category="c", subtype=subtype, size_m=(1, 1, 1), poses=(), attributes=attributes,
        asset=AssetRef(name="a", sha256=""),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (thing("mountain", size="small", color="brown"), "small brown mountain bike"),
        (thing("suv", size="large", color="red"), "large red suv"),
        (thing("fox_v2", name="fox", color=""), "fox"),
        (thing(""), "c"),
    ],
)
def test_things_are_called_what_questions_call_them(named: Thing, words: str) -> None:
    assert thing_words(named) == words
