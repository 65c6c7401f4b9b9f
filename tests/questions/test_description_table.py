"""What a table says of many descriptions at once is what looking at each of them finds."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.programs import FATHOM, still_view
from fathom.programs.values import Pair
from fathom.questions.asking import Chances
from fathom.questions.described import Counted, Described, bits, needed
from fathom.questions.description_table import DescriptionTable
from fathom.questions.scene_words import SceneWords, shorter
from fathom.questions.templates import Words
from tests.questions.synthetic import random_scene

SCENES = 6


@cache
def words_of(index: int, enforce: bool) -> SceneWords:
    facts = still_view(random_scene("tables", index), FATHOM)
    return SceneWords(facts, Chances("tables", index), enforce)


@cache
def rows_of(index: int, enforce: bool) -> list[Described]:
    """Return descriptions of all words that any object has, not always the same object, some of none."""
    words, values = words_of(index, enforce), words_of(index, enforce).facts.values
    sizes, colors, shapes = (("", *dict.fromkeys(values[a])) for a in ("size", "color", "shape"))
    every: list[Words] = [*product(sizes, colors, shapes), ("", "no such color", "")]
    return [Described(w, *words.pair(w), tuple(words.pair(rest)[0] for rest in shorter(w))) for w in every]


def is_decided(one: Described, within: Pair, outers: tuple[Pair, ...], enforce: bool) -> bool:
    """Return whether a description is decided in a set, and each of its words, and each relation, may be
    needed.
    """
    fits = one.yes & within[0]
    if fits != one.maybe & within[1]:
        return False
    dropped = [rest & within[0] for rest in one.shorter] + [one.yes & outer[0] for outer in outers]
    return not enforce or all(left.bit_count() != fits.bit_count() for left in dropped)


@st.composite
def places(draw: st.DrawFn) -> tuple[int, Pair, tuple[Pair, ...]]:
    """Draw a scene, a set in it, and up to two larger sets that are left when a relation is dropped."""
    index = draw(st.integers(0, SCENES - 1))
    seen, every = words_of(index, True).facts.scene_masks
    mask = st.integers(0, every)
    inside = draw(mask) & seen
    outers = tuple((inside | draw(mask) & seen, every) for _ in range(draw(st.integers(0, 2))))
    return index, (inside, inside | draw(mask)), outers


@given(places(), st.booleans())
def test_a_table_finds_of_all_descriptions_what_looking_at_each_finds(
    place: tuple[int, Pair, tuple[Pair, ...]], enforce: bool
) -> None:
    index, within, outers = place
    rows, inside = rows_of(index, enforce), within[0]
    table = DescriptionTable([one.words for one in rows], words_of(index, enforce).facts, enforce)
    good = [r for r, one in enumerate(rows) if is_decided(one, within, outers, enforce)]
    decided = table.decided(within, outers)
    assert list(bits(decided)) == good
    numbers = [(rows[r].yes & inside).bit_count() for r in good]
    by_number = table.by_number(decided, inside)
    assert {n: list(bits(those)) for n, those in by_number.items()} == {
        n: [r for r, m in zip(good, numbers, strict=True) if m == n] for n in set(numbers)
    }
    assert table.alone(decided, inside) == by_number.get(1, 0)
    assert list(bits(table.fit_any(inside))) == [r for r, one in enumerate(rows) if one.yes & inside]


@given(places())
def test_words_that_single_out_an_object_fit_it_and_nothing_else(
    place: tuple[int, Pair, tuple[Pair, ...]],
) -> None:
    index, within, outers = place
    words = words_of(index, True)
    found = {k: words.said(those) for k, those in words.alone(within, outers)}
    tried: dict[int, list[Words]] = {}
    for k in bits(within[0]):
        for said in product(*words.names[k]):
            one = Described(said, *words.pair(said), tuple(words.pair(rest)[0] for rest in shorter(said)))
            if one.yes & within[0] == 1 << k and is_decided(one, within, outers, True):
                tried.setdefault(k, []).append(said)
    assert found == tried


def hangs(op: str, answer: str, a: Counted, b: Counted) -> bool:
    """Return whether a comparison has this answer, and no longer has it when a word is left out or, on the
    side that would only grow where it may, is replaced by another.
    """
    x, y = a.count, b.count
    if op == "equal_integer" and answer == "yes":
        return x == y and a.fewest > x and b.fewest > y
    if op == "equal_integer":
        small, large = (a, b) if x < y else (b, a)
        grows = small.fewest == small.most == large.count
        return x != y and grows and bool(large.reached >> small.count & 1)
    more, less = (a, b) if op == "greater_than" else (b, a)
    if answer == "yes":
        return less.count < more.count <= less.fewest and more.least <= less.count
    return more.count <= less.count < more.fewest and less.least < more.count


NUMBERS = st.integers(0, 4)
COUNTED = st.builds(
    Counted,
    words=st.just(("", "", "")),
    count=NUMBERS,
    fewest=NUMBERS,
    most=NUMBERS,
    reached=st.integers(0, 31),
    least=NUMBERS,
)


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("op", ["greater_than", "less_than", "equal_integer"])
@given(a=COUNTED, b=COUNTED)
def test_what_a_second_set_needs_is_what_makes_a_comparison_hang_on_each_word(
    op: str, answer: str, a: Counted, b: Counted
) -> None:
    need = needed(op, answer, a, b.count)
    assert (need is not None and b.meets(need)) is hangs(op, answer, a, b)
