"""Requests submitted to models: what was not asked yet is written down, and who is waited for is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fathom.authoring.requests import ModelStep, RequestContext, asked_in, rounds, write_round
from fathom.authoring.runs import Replies
from fathom.records import Request


def submit(work: Path, step: ModelStep, requests: Sequence[Request], about: RequestContext) -> list[Path]:
    """Write what was not asked yet into a folder of its own, and return the folders that matter."""
    before = {name for folder in rounds(work, step.name) for name in asked_in(folder)}
    if new := [r for r in requests if r.asked.id not in before]:
        write_round(work, step, new, about)
    wanted = {r.asked.id for r in requests}
    return [f for f in rounds(work, step.name) if not wanted.isdisjoint(asked_in(f))]


def unanswered(
    asked: Sequence[Path], replies: Sequence[Replies], models: int, wanted: str
) -> tuple[list[str], list[Path]]:
    """Return in words what is waited for, and the folders of requests that no, or too few, models answered.

    `wanted` says what a model is to do.
    """
    words, folders = [], []
    for folder in asked:
        heard = [r for r in replies if r.round == int(folder.name)]
        unfinished = [r for r in heard if r.missing]
        words += [
            f"{r.path}: {r.missing:,} of {len(r.asked):,} requests were not put yet; start `fathom run` "
            "again with the same settings, and it carries on"
            for r in unfinished
        ]
        finished = {r.model for r in heard if not r.missing}
        if len(finished) < models:
            so_far = f" ({', '.join(sorted(finished))} did)" if finished else ""
            words.append(
                f"{wanted}{so_far}: fathom run {folder} --model MODEL --out RUN\n"
                "then start the same command again with --responses RUN"
            )
        if unfinished or len(finished) < models:
            folders.append(folder)
    return words, folders
