"""Numbers with their units, exact: "0.44m/s", "44 cm/s" and "0,440 meters per second" are one quantity."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

_LENGTHS: Mapping[str, Fraction] = {
    **dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), Fraction(1, 1000)),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), Fraction(1, 100)),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), Fraction(1)),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), Fraction(1000)),
}
_TIMES: Mapping[str, Fraction] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), Fraction(1, 1000)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hr", "hour", "hours"), Fraction(3600)),
}
_ANGLES = frozenset({"°", "deg", "degs", "degree", "degrees"})

_NUMBER = r"[-+]?(?:[1-9]\d{0,2}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
_QUANTITY = re.compile(
    rf"(?<![\w.,])({_NUMBER})\s*(°|[a-z]+(?:\s*(?:/|\bper\b|·)\s*[a-z]+(?:\^?[-2²]+)?(?:-1|⁻¹)?)?)?(?![\w]|[.,]\d)"
)
_THOUSANDS = re.compile(r"(?<=\d)[,  ](?=\d{3}(?!\d))")
_LATEX = re.compile(r"\\(?:text|mathrm|,|;|!|\s)|[${}]")


@dataclass(frozen=True)
class Quantity:
    """A number in base units (metres, seconds, degrees), with the dimension it is of; "" is a bare number."""

    value: Fraction
    dimension: str


def quantities(text: str) -> list[Quantity]:
    """Return the numbers in `text` with the units behind them, in order; a word that is no unit is none."""
    plain = unicodedata.normalize("NFKC", _LATEX.sub(" ", text)).casefold().replace("−", "-")
    return [_quantity(number, unit or "") for number, unit in _QUANTITY.findall(plain)]


@lru_cache(maxsize=4096)  # the options of a question are read again for every answer to it
def sole_quantity(text: str) -> Quantity | None:
    """Return the quantity that the whole of `text` is, or None."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("−", "-").strip().rstrip(".")
    match = _QUANTITY.fullmatch(plain)
    if match is None:
        return None
    found = _quantity(match.group(1), match.group(2) or "")
    return found if found.dimension or not match.group(2) else None


def _quantity(number: str, unit: str) -> Quantity:
    grouped = number if number.lstrip("+-").startswith("0") else _THOUSANDS.sub("", number)
    value = Fraction(grouped.replace(",", ".")) if grouped.strip("+-") else Fraction(0)
    factor, dimension = _unit(unit)
    return Quantity(value * factor, dimension)


def _unit(unit: str) -> tuple[Fraction, str]:
    """Return what one of this unit is in base units, and its dimension."""
    if unit in _ANGLES:
        return Fraction(1), "angle"
    if unit in _LENGTHS:
        return _LENGTHS[unit], "length"
    if unit in _TIMES:
        return _TIMES[unit], "time"
    parts = re.split(r"\s*(?:/|\bper\b|·)\s*", unit)
    if len(parts) == 2 and parts[0] in _LENGTHS:
        below = parts[1].removesuffix("-1").removesuffix("⁻¹")
        root = below.rstrip("^2²")
        if root in _TIMES:
            power = 2 if root != below else 1
            return _LENGTHS[parts[0]] / _TIMES[root] ** power, "speed" if power == 1 else "acceleration"
    return Fraction(1), ""
