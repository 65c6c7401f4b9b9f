"""Values are made once while they are asked for, and the one that was not asked for the longest goes."""

from functools import partial

from fathom.recent import Recent


def test_what_is_asked_for_again_is_not_made_again_and_the_oldest_goes() -> None:
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    few: Recent[str, str] = Recent(2)
    for name in "abacab":
        assert few.get(name, partial(make, name)) == name.upper()
    # "b" was asked for before "a" was again, so it made room for "c".
    assert made == ["a", "b", "c", "b"]
