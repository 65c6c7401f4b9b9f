"""As even a mix as the pool allows."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.curation.balance import STILL, CategoryMotions, balanced, evenness
from fathom.records import InputError

POOL = {
    **{f"horse{i}": CategoryMotions("animal", ("gallop",)) for i in range(40)},
    **{f"cow{i}": CategoryMotions("animal", ("eat",)) for i in range(30)},
    **{f"shark{i}": CategoryMotions("fish", ("swim",)) for i in range(6)},
    **{f"robot{i}": CategoryMotions("robot", ("dance",)) for i in range(3)},
}

singles = st.dictionaries(
    st.integers(0, 99).map(str),
    st.builds(lambda c, m: CategoryMotions(c, (m,)), st.sampled_from("abc"), st.sampled_from("xyz")),
    max_size=50,
)


def test_the_rarest_come_first() -> None:
    picked = balanced(POOL, 12, "seed")
    assert Counter(n.rstrip("0123456789") for n in picked) == {"horse": 3, "cow": 3, "shark": 3, "robot": 3}
    more = balanced(POOL, 20, "seed")
    assert Counter(n.rstrip("0123456789") for n in more)["robot"] == 3
    assert set(picked) <= set(more)


@given(singles, st.integers(0, 60))
def test_no_pair_is_taken_twice_as_often_while_another_is_left(
    pool: dict[str, CategoryMotions], most: int
) -> None:
    picked = balanced(pool, most, "seed")
    assert len(picked) == len(set(picked)) == min(most, len(pool))
    taken = Counter(pool[n].cells[0] for n in picked)
    left = Counter(k.cells[0] for n, k in pool.items() if n not in set(picked))
    assert all(max(taken.values(), default=0) - taken[cell] <= 1 for cell in left)


@given(singles, st.integers(0, 20))
def test_the_order_of_the_pool_does_not_matter(pool: dict[str, CategoryMotions], most: int) -> None:
    assert balanced(pool, most, 1) == balanced(dict(reversed(pool.items())), most, 1)


def test_another_seed_takes_others_of_the_same_kinds() -> None:
    first, second = (balanced(POOL, 12, seed) for seed in ("a", "b"))
    assert set(first) != set(second)
    assert Counter(POOL[n] for n in first) == Counter(POOL[n] for n in second)


def test_several_kinds_of_motion_count_each() -> None:
    pool = {
        "both": CategoryMotions("animal", ("eat", "walk")),
        "walk": CategoryMotions("animal", ("walk",)),
        "no": CategoryMotions("animal", ()),
    }
    assert pool["no"].cells == (("animal", STILL),)
    found = evenness(pool.values())
    assert found.motions == {"walk": 2, "eat": 1, STILL: 1}
    assert found.cells["animal · walk"] == 2


def test_evenness_counts_what_was_left_out_altogether() -> None:
    kinds = list(POOL.values())
    before = evenness(kinds)
    after = evenness([POOL[n] for n in balanced(POOL, 12, "seed")], kinds)
    assert after.cells_even == 1.0 > before.cells_even
    alone = evenness([CategoryMotions("fish", ("swim",))], kinds)
    assert alone.categories == {"fish": 1, "animal": 0, "robot": 0}
    assert alone.categories_even == 0.0
    assert evenness([]).cells_even == 1.0


def test_a_negative_number_of_objects_is_refused() -> None:
    with pytest.raises(InputError, match="found -1"):
        balanced(POOL, -1, "seed")
