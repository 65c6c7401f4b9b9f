"""Files of a recording broken at random: cut off, spoiled, doubled, exchanged, gone, or replaced by links."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

SPOILED: tuple[Any, ...] = (
    None, "", "nan", "../../etc/passwd", 0, -1, 10**30, 2.5, True, [], {}, [None], ["a"], "x" * 5000, 1e308,
    [[[[]]]], "\0", "é\ufffd", [1.0, 2.0],
)  # fmt: skip

NUMBERS = (b"-inf", b"nan", b"1e400", b"", b"x", b"0", b"-1", b"99999999999999999999", b"0x10", b"1,2")


def damage(folder: Path, outside: Path, rng: np.random.Generator) -> list[str]:
    """Break one to three of the files under a folder, and return what was done to which."""
    done = []
    for _ in range(int(rng.integers(1, 4))):
        files = sorted(p for p in folder.rglob("*") if p.is_file() or p.is_symlink())
        if not files:
            break
        path = files[int(rng.integers(len(files)))]
        if rng.random() < 0.4:  # files that say something of the whole recording are fewer, and matter more
            few = [p for p in files if sum(o.parent == p.parent and o.suffix == p.suffix for o in files) < 9]
            path = few[int(rng.integers(len(few)))] if few else path
        done.append(f"{path.relative_to(folder)}: {_damage(path, files, outside, rng)}")
    return done


def _damage(path: Path, files: list[Path], outside: Path, rng: np.random.Generator) -> str:
    kind = int(rng.integers(7))
    data = path.read_bytes() if path.is_file() else b""
    if kind == 0:
        path.unlink()
        return "gone"
    if kind == 1:
        path.unlink()
        path.symlink_to(outside)
        return "a link that leads out"
    if kind == 2:
        other = files[int(rng.integers(len(files)))]
        path.write_bytes(other.read_bytes() if other.is_file() else b"")
        return f"a copy of {other.name}"
    if kind == 3 and path.suffix == ".json":
        path.write_bytes(spoiled_json(data, rng))
        return "a value spoiled"
    if kind <= 4 and path.suffix in (".txt", ".json", ".ply"):
        numbers = list(re.finditer(rb"-?\d+(\.\d+)?", data))
        if numbers:
            at = numbers[int(rng.integers(len(numbers)))]
            new = NUMBERS[int(rng.integers(len(NUMBERS)))]
            path.write_bytes(data[: at.start()] + new + data[at.end() :])
            return f"{at.group()!r} → {new!r}"
    path.write_bytes(spoiled_bytes(data, rng))
    return "bytes spoiled"


def spoiled_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    at, to = sorted(int(i) for i in rng.integers(0, len(data) + 1, size=2))
    head = min(len(data), 400)
    place = int(rng.integers(0, head + 1)) if rng.random() < 0.6 else at
    noise = rng.bytes(int(rng.integers(1, 9)))
    ways = (
        data[:at], data[at:], data[:at] + data[to:], data[:at] + data[at:to] * 2 + data[to:], b"",
        data[:place] + noise + data[place + len(noise) :], data[:place] + noise + data[place:],
        data[:place] + b"\xff" * 8 + data[place + 8 :], b"[" * 5000 + data, b"\xef\xbb\xbf" + data,
        data[:-8] + noise + data[-4:],
    )  # fmt: skip
    return ways[int(rng.integers(len(ways)))]


def spoiled_json(data: bytes, rng: np.random.Generator) -> bytes:
    """Return JSON with one value, anywhere in it, replaced or taken away."""
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return data
    holder: Any = None
    key: Any = None
    here = value
    for _ in range(int(rng.integers(1, 7))):
        if not isinstance(here, dict | list) or not here:
            break
        holder = here
        key = (
            list(here)[int(rng.integers(len(here)))]
            if isinstance(here, dict)
            else int(rng.integers(len(here)))
        )
        here = here[key]
    if holder is None:
        return b"null"
    if isinstance(holder, dict) and rng.random() < 0.3:
        del holder[key]
    else:
        holder[key] = SPOILED[int(rng.integers(len(SPOILED)))]
    return json.dumps(value).encode()


def spoil_cells(tables: dict[str, dict[str, list[Any]]], rng: np.random.Generator) -> str:
    """Spoil a column of one table: cells, the whole column, its order, or its rows."""
    name = sorted(tables)[int(rng.integers(len(tables)))]
    columns = tables[name]
    column = sorted(columns)[int(rng.integers(len(columns)))]
    cells = columns[column]
    kind = int(rng.integers(7))
    if kind == 0:
        del columns[column]
    elif kind == 1:
        columns[column] = [None] * len(cells)
    elif kind == 2:
        cells[int(rng.integers(len(cells)))] = None
    elif kind == 3:
        cells[:] = [cells[0]] * len(cells)
    elif kind == 4:
        cells[:] = [cells[int(i)] for i in rng.permutation(len(cells))]
    elif kind == 5:
        for one in columns.values():
            one[:] = one * 2 if rng.random() < 0.5 or len(one) < 2 else one[: len(one) // 2]
        longest = min(len(one) for one in columns.values())
        for one in columns.values():
            del one[longest:]
    else:
        factor = float(rng.choice([0.0, -1.0, 1e3, 1e-3, 1e300, np.nan]))
        columns[column] = [_scaled(c, factor) for c in cells]
    return f"{name}: {column}: way {kind}"


def _scaled(cell: Any, factor: float) -> Any:
    if isinstance(cell, float):
        return cell * factor
    if isinstance(cell, list):
        return [c * factor for c in cell]
    if isinstance(cell, int):
        return int(max(-(2**62), min(2**62, cell * factor))) if np.isfinite(cell * factor) else 0
    return "" if isinstance(cell, str) else cell
