"""What an actor is seen to do for less than any action lasts is told as nothing that it does."""

from __future__ import annotations

from fathom.verify.observed.events import acts_of, lasting


def test_two_looks_between_two_actions_are_no_action() -> None:
    seen = ["hop"] * 4 + ["flinch"] * 2 + ["fall"] * 5
    assert lasting(seen) == ["hop"] * 4 + [None] * 2 + ["fall"] * 5
    frames = list(range(0, 22, 2))
    found = acts_of(lasting(seen), [(3, 4), (5, 6)], frames, 22)
    assert [e.detail for e in found] == ["hop", None, "fall"]


def test_what_lasts_and_what_is_cut_off_by_the_film_stays() -> None:
    seen = ["hop"] * 2 + ["flinch"] * 3 + [""] * 2 + ["fall"] * 2
    assert lasting(seen) == seen
    assert lasting([]) == [] and lasting(["hop"]) == ["hop"]
