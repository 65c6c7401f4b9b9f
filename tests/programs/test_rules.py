"""A dataset is checked by the rules that it was built by."""

from __future__ import annotations

from fathom.programs.rules import FATHOM, PAPER, VERSION, rules_as_built


def test_datasets_of_the_first_version_keep_their_rules() -> None:
    first = rules_as_built("fathom", 1)
    assert (first.facing_along_axis, first.heading_long_px) == (False, 0.0)
    assert rules_as_built("fathom", VERSION) is FATHOM
    assert rules_as_built("paper", 1) is PAPER


def test_the_second_derivation_knows_every_version_of_the_rules() -> None:
    from fathom.verify.rule_sets import JUDGES

    built_by = [
        rules_as_built(name, version).name for name in ("fathom", "paper") for version in (1, VERSION)
    ]
    assert set(built_by) == set(JUDGES)
