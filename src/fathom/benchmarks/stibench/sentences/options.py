"""Options and answers: what each says, that no two say the same, and that the answer is the right one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fathom.benchmarks.stibench.sentences.amounts import (
    SPOKEN,
    Amount,
    PathPiece,
    numbers,
    read_amount,
    read_box,
    read_centre,
    read_pose,
    read_way,
    rooms,
)
from fathom.benchmarks.stibench.sentences.meaning import AskedQuantity, TextMeaning
from fathom.benchmarks.stibench.sentences.naming import Names, read_name
from fathom.benchmarks.stibench.sentences.quantities import (
    FORMULAS,
    TURNING,
    direction,
    extents,
    is_exact,
    order,
)
from fathom.benchmarks.stibench.sentences.trajectories import check_way
from fathom.benchmarks.stibench.sentences.world import RecordedScene
from fathom.records import ContradictionError, Question, UnreadableError

DIRECTIONS = {
    "to the left": "left", "to the right": "right", "towards the camera": "nearer",
    "away from the camera": "farther", "upwards": "above", "downwards": "below",
}  # fmt: skip

KINDS = {
    "speed": "speed", "mean speed": "speed", "mean velocity": "speed", "change of speed": "acceleration",
    "mean change of speed": "acceleration", "pan to a side": "angle", "pan with a sign": "angle",
}  # fmt: skip
"""What is asked → what its unit measures; all others are lengths."""

SIGNED = frozenset({"change of speed", "mean change of speed", "pan to a side", "pan with a sign"})

SLACK = 1e-5
"""By such a share two ways to compute the same may differ."""


@dataclass(frozen=True)
class ReadQuestion:
    """A question that was read: its words, the scene, and who is meant."""

    said: TextMeaning
    world: RecordedScene
    names: Names
    bodies: tuple[str, ...]

    @property
    def asked(self) -> AskedQuantity:
        """What it asks."""
        return self.said.asked


SEVERAL: dict[str, Callable[[str], tuple[Amount, ...]]] = {
    "centre": read_centre,
    "box": read_box,
    "box in the first frame": read_box,
    "pose": read_pose,
}


def check_answers(question: Question, asking: ReadQuestion) -> None:
    """Raise ContradictionError where options or answer do not fit what is asked, UnreadableError where they
    cannot be read.
    """
    texts = question.choices or (question.answer,)
    if question.answer not in texts:
        raise ContradictionError(f"the answer {question.answer!r} is none of the options")
    at, what = texts.index(question.answer), asking.asked.what
    if what == "direction":
        _check_direction(texts, at, asking)
    elif what.startswith("order "):
        _check_order(texts, at, asking)
    elif what.startswith("trajectory"):
        _check_ways(texts, at, asking)
    else:
        read = SEVERAL.get(what, read_amount)
        _check_numbers([read(t) for t in texts], at, asking)
    _check_wish(question, asking.said)
    _check_nearest(question, asking)


def _check_apart(meanings: Sequence[object], texts: Sequence[str]) -> None:
    for k, meaning in enumerate(meanings):
        if meaning in meanings[:k]:
            raise ContradictionError(f"{texts[meanings.index(meaning)]!r} and {texts[k]!r} mean the same")


def _check_direction(texts: Sequence[str], at: int, asking: ReadQuestion) -> None:
    unknown = [t for t in texts if t.casefold() not in DIRECTIONS]
    if unknown:
        raise UnreadableError(f"{unknown[0]!r}: expected a direction")
    meanings = [DIRECTIONS[t.casefold()] for t in texts]
    _check_apart(meanings, texts)
    found = direction(asking.world, asking.asked, asking.bodies)
    if meanings[at] != found:
        raise ContradictionError(f"the answer says {meanings[at]}, and it lies {found}")


def _check_order(texts: Sequence[str], at: int, asking: ReadQuestion) -> None:
    ids = dict(zip(asking.asked.bodies, asking.bodies, strict=True))
    meanings = []
    for text in texts:
        named = [
            read_name(words, asking.names) for words in asking.names.plainly(text).casefold().split(", ")
        ]
        if len(named) != len(ids) or set(named) != set(ids):
            raise ContradictionError(f"{text!r} is no order of those that are asked about")
        meanings.append(tuple(ids[n] for n in named))
    _check_apart(meanings, texts)
    found = order(asking.world, asking.asked, asking.bodies)
    if meanings[at] != found:
        raise ContradictionError(f"the answer {texts[at]!r}, and they stand in the order {', '.join(found)}")


def _check_ways(texts: Sequence[str], at: int, asking: ReadQuestion) -> None:
    ways: list[tuple[PathPiece, ...]] = [read_way(t) for t in texts]
    _check_apart(ways, texts)
    if is_exact(asking.world, asking.bodies):
        check_way(ways[at], asking.world, asking.asked, asking.bodies[0])


def _check_numbers(options: Sequence[tuple[Amount, ...]], at: int, asking: ReadQuestion) -> None:
    what = asking.asked.what
    _check_written(options, asking)
    room = rooms(options)
    turning = TURNING.get(what, ())
    for k, one in enumerate(options):
        for other in options[:k]:
            if all(_off(a, b, i in turning) < 1e-9 for i, (a, b) in enumerate(_pairs(one, other))):
                raise ContradictionError(f"two options say {numbers(one)}")
    if not is_exact(asking.world, asking.bodies):
        return
    found = _found(asking)
    if not any(_says(options[at], true, room, turning) for true in found):
        values = [", ".join(f"{v:.6g}" for v in v) for v in found]
        raise ContradictionError(f"the answer says {numbers(options[at])}, and it is {' or '.join(values)}")


def _pairs(one: Sequence[Amount], other: Sequence[Amount]) -> list[tuple[float, float]]:
    return list(zip(numbers(one), numbers(other), strict=True))


def _off(a: float, b: float, turning: bool) -> float:
    return abs(math.remainder(a - b, 360.0) if turning else a - b)


def _found(asking: ReadQuestion) -> list[tuple[float, ...]]:
    """Return what is asked for, as often as the words may be taken in more than one way."""
    world, asked, bodies = asking.world, asking.asked, asking.bodies
    if asked.what.startswith("extent "):
        return [(v,) for v in extents(world, asked, bodies)]
    return [FORMULAS[asked.what](world, asked, bodies)]


def _says(
    written: Sequence[Amount], true: Sequence[float], room: Sequence[float], turning: Sequence[int]
) -> bool:
    return all(
        _off(a.value, v, i in turning) <= most + SLACK * abs(v)
        for i, (a, v, most) in enumerate(zip(written, true, room, strict=True))
    )


def _check_written(options: Sequence[tuple[Amount, ...]], asking: ReadQuestion) -> None:
    """Raise ContradictionError where options have other units, sides or signs than are asked for."""
    what, said = asking.asked.what, asking.said
    first = options[0]
    if any([a.unit for a in o] != [a.unit for a in first] for o in options):
        raise ContradictionError("not all options are in the same units")
    if what in SEVERAL:
        if first[0].unit != "m":
            raise ContradictionError(f"the question asks for metres, and options are in {first[0].unit}")
        return
    if first[0].kind != KINDS.get(what, "length"):
        raise ContradictionError(f"{what} is asked, and the options tell a {first[0].kind}")
    sides = {o[0].side for o in options}
    if what == "pan to a side" and ("" in sides or (said.side and sides != {said.side})):
        raise ContradictionError(
            f"options turn to {', '.join(sorted(sides)) or 'no side'}, the question {said.side or 'asks'}"
        )
    if what != "pan to a side" and sides != {""}:
        raise ContradictionError(f"{what}: no side is asked for")
    if what not in SIGNED and any(o[0].value < 0 for o in options):
        raise ContradictionError(f"{what}: an option is below zero")


def _check_wish(question: Question, said: TextMeaning) -> None:
    """Raise ContradictionError where the text asks for another unit than that of the answer."""
    wish = said.remarks.get("wish", "")
    if bool(wish) != (not question.choices):
        raise ContradictionError("only a question without options says in what the answer is to be given")
    if not wish:
        return
    unit, _, side = wish.partition(", and say to which ")
    (own,) = read_amount(question.answer)
    if SPOKEN.get(unit) != own.unit or own.unit != question.tags.get("unit"):
        raise ContradictionError(f"the answer is to be given in {unit}, and is in {own.unit}")
    if bool(side) != (said.asked.what == "pan to a side"):
        raise ContradictionError("a side is asked for, and there is none, or the other way round")


def _check_nearest(question: Question, asking: ReadQuestion) -> None:
    """Raise ContradictionError where no false number is as far from the answer as the question's tag says."""
    said = question.tags.get("nearest_error")
    if said is None or asking.asked.what in SEVERAL or asking.asked.what.startswith("trajectory"):
        return
    (own,) = read_amount(question.answer)
    false = (read_amount(c)[0].value for c in question.choices if c != question.answer)
    nearest = min(abs(v - own.value) for v in false)
    if not math.isclose(nearest, float(said), rel_tol=1e-4, abs_tol=1e-6):
        raise ContradictionError(f"the nearest false option is off by {nearest:.6g}, and not by {said}")
