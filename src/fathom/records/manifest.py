"""What made a folder."""

from __future__ import annotations

from typing import Literal

from fathom.records.scene import Record

FolderKind = Literal["dataset", "run", "requests", "scores", "report"]
GUESSERS = ("random", "prior", "oracle", "depth")
"""Players of ours: where they have nothing to say, as to a number that is wanted, an empty text is meant."""

Setting = str | int | float | bool | None | list[str | float] | dict[str, float]


class Manifest(Record, frozen=True, kw_only=True):
    """What made a folder: tool, command, settings, seed, the hashes of what went in, and counts.

    `checks` says of each promise of a built dataset whether it is kept: yes, NO, or too few to tell.
    `complete` is false from the moment the folder is begun until its last file is in place. `identity` is
    the hash of scenes, truth and questions (for a dataset), which pictures do not enter.
    """

    kind: FolderKind
    tool: str
    tool_version: str
    schema_version: int
    command: str
    settings: dict[str, Setting]
    name: str = ""
    benchmark: str = ""
    benchmark_version: str = ""
    seed: str = ""
    split: str = ""
    inputs: dict[str, str] = {}
    files: dict[str, str] = {}
    counts: dict[str, int] = {}
    checks: dict[str, str] = {}
    rounds: tuple[str, ...] = ()
    identity: str = ""
    complete: bool = False
    notes: tuple[str, ...] = ()
