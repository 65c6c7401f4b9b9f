"""Whether two runs were asked alike: the same options in the same orders, with images or without."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from fathom.records import InputError, SampleScore
from fathom.scoring.groups import ROTATED, Grouping

_Way = tuple[tuple[int, ...], bool]
"""The order of the options, and whether they were shown."""


def check_rotated(grouping: Grouping, first: Sequence[SampleScore], second: Sequence[SampleScore]) -> None:
    """Raise InputError where passes of a run cannot be grouped so, or not as those of the other run."""
    rotated = [any(m.variant.option_order for m in run) for run in (first, second)]
    # Of a run without any answer it is not known how it was put; all of it counts as wrong.
    told = [any(m.how != "missing" for m in run) for run in (first, second)]
    if grouping in ROTATED and not any(rotated):
        raise InputError(
            f"--grouping {grouping}: the options were not rotated in these runs; run the model with "
            "--protocol circular, or compare with --grouping plain"
        )
    if rotated[0] != rotated[1] and told[rotated.index(False)]:
        plain = ("first", "second")[rotated.index(False)]
        raise InputError(
            f"--grouping {grouping}: the options were not rotated in the {plain} run, and were in the other; "
            "compare two runs with --protocol circular, or two without"
        )


def put_alike(first: Sequence[SampleScore], second: Sequence[SampleScore]) -> list[str]:
    """Return the questions that were put in the same ways in both runs.

    One without any answer counts as wrong, however it was put in the other run.
    Raises InputError where all were put in other ways.
    """
    ways = [_ways(sample_scores) for sample_scores in (first, second)]
    both = {m.question for m in first} & {m.question for m in second}
    alike = sorted(q for q in both if q not in ways[0] or q not in ways[1] or ways[0][q] == ways[1][q])
    if both and not alike:
        raise InputError(
            f"question {min(both)}: was put {_other(ways, both)}, and so were all; "
            "compare runs of one protocol"
        )
    return alike


def _other(ways: Sequence[Mapping[str, set[_Way]]], asked: Collection[str]) -> str:
    """Return in words how questions were put in other ways in one run than in the other."""
    orders = [{q: {order for order, _ in found[q]} for q in asked} for found in ways]
    if orders[0] != orders[1]:
        return "with other orders of options in one run than in the other"
    return "with its options in one run and without them in the other"


def withheld_sentence(
    names: tuple[str, str], first: Sequence[SampleScore], second: Sequence[SampleScore]
) -> tuple[str, ...]:
    """Return in a sentence which of two runs alone was asked without images and videos, if one was."""
    blind = [_all_withheld(run) for run in (first, second)]
    if blind[0] == blind[1]:
        return ()
    without, other = names if blind[0] else names[::-1]
    return (f"{without} was asked without images and videos, {other} with them.",)


def _all_withheld(sample_scores: Sequence[SampleScore]) -> bool:
    answered = [m for m in sample_scores if m.how != "missing"]
    return bool(answered) and all(m.variant.media_withheld for m in answered)


def _ways(sample_scores: Sequence[SampleScore]) -> dict[str, set[_Way]]:
    """Return in which ways each question was put: which options were shown in which order.

    Repeats are chance alone. Whether images were shown is what a run without them is compared for.
    """
    ways: defaultdict[str, set[_Way]] = defaultdict(set)
    for sample_score in sample_scores:
        if sample_score.how != "missing" or sample_score.variant.option_order:
            variant = sample_score.variant
            ways[sample_score.question].add((variant.option_order, variant.options_shown))
    return ways
