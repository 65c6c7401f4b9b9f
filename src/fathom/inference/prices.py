"""What models cost, from small files that are easily edited: prices.toml here, and one of the user's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.records import InputError

OWN_FILE = "FATHOM_PRICES"
"""The environment variable that names the user's own file."""

_PACKAGED = Path(__file__).with_name("prices.toml")
_VERSION = re.compile(r"([-@:](\d{2,8}(-\d\d)*|latest|preview|exp))*")
"""What may follow a model's name without it being another model: dates, numbers, latest, preview."""


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """US dollars for a million tokens; input that the provider had kept costs `cached_input`, if given."""

    input: float
    output: float
    cached_input: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what is no price."""
        for price in (self.input, self.output, self.cached_input or 0.0):
            if not 0 <= price < float("inf"):
                raise ValueError(f"expected a price of at least 0, found {price}")

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """Return US dollars for so many tokens; the cached ones are part of the input."""
        cached = min(cached_tokens, input_tokens)
        kept = self.input if self.cached_input is None else self.cached_input
        return ((input_tokens - cached) * self.input + cached * kept + output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Prices:
    """Prices by model, the user's own before those that come along."""

    own: Mapping[str, Price]
    packaged: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """Return what a model costs; None where no file says."""
        return _fitting(self.own, model) or _fitting(self.packaged, model)


def read_prices(own: Path | None = None, environ: Mapping[str, str] | None = None) -> Prices:
    """Return the prices in the user's own file, else in the one that FATHOM_PRICES names, and in ours.

    Raises InputError where a file cannot be read, or holds something else.
    """
    named = (environ or {}).get(OWN_FILE, "")
    path = own or (Path(named) if named else None)
    return Prices(_read(path) if path else {}, _read(_PACKAGED))


def _read(path: Path) -> dict[str, Price]:
    import tomllib

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: msgspec.convert(value, Price) for name, value in found.items()}
    except OSError as e:
        raise InputError(
            f"{path}: the prices cannot be read ({e.strerror}); correct --prices or {OWN_FILE}"
        ) from e
    except (ValueError, UnicodeDecodeError) as e:
        raise InputError(
            f'{path}: expected lines such as "my-model" = {{ input = 2.50, output = 10.00 }}, in US dollars '
            f"for a million tokens, found something else ({e}); correct the file"
        ) from e


def _fitting(prices: Mapping[str, Price], model: str) -> Price | None:
    names = {model, model.rpartition("/")[2]}
    fitting = [key for key in prices if any(_fits(key, name) for name in names)]
    return prices[max(fitting, key=len)] if fitting else None


def _fits(key: str, name: str) -> bool:
    if key.endswith("*"):
        return name.startswith(key[:-1])
    return name.startswith(key) and _VERSION.fullmatch(name, len(key)) is not None
