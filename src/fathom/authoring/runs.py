"""The runs that answer the requests of a piece of work, and what was said to each request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.authoring.requests import ModelStep, asked_in, rounds
from fathom.records import InputError, Record, Response
from fathom.store.files import read_json, write_json
from fathom.store.requests import open_requests
from fathom.store.runs import REQUESTS as ANSWERED
from fathom.store.runs import open_run

RUNS = "runs.json"


class Answering(Record, frozen=True, kw_only=True):
    """A run that answers one folder of requests; `run` is its place as seen from the work folder."""

    step: str
    round: int
    run: str
    model: str


def take_runs(work: Path, steps: Sequence[ModelStep], given: Sequence[Path]) -> list[Answering]:
    """Return the runs that were given so far and now, and keep them.

    Raises InputError for one that answers none of the requests in the work folder.
    """
    names = [step.name for step in steps]
    places = {
        open_requests(folder).manifest.identity: (name, int(folder.name))
        for name in names
        for folder in rounds(work, name)
    }
    known = read_json(work / RUNS, list[Answering]) if (work / RUNS).is_file() else []
    found = {(a.step, a.round, a.run): a for a in known}
    for path in given:
        run = open_run(path)
        place = places.get(run.manifest.inputs.get(ANSWERED, ""))
        if place is None:
            raise InputError(
                f"{path}: answers none of the requests in {work}; give the folder that `fathom run` made of "
                "one of them"
            )
        relative = Path(os.path.relpath(path.resolve(), work.resolve())).as_posix()
        found[(*place, relative)] = Answering(
            step=place[0], round=place[1], run=relative, model=run.manifest.name
        )
    runs = sorted(found.values(), key=lambda a: (names.index(a.step), a.round))
    if given:
        write_json(work / RUNS, runs)
    return runs


@dataclass(frozen=True)
class Replies:
    """What one model said in one step, by what it was asked about; `asked` are all that it was to say."""

    model: str
    round: int
    path: Path
    asked: tuple[str, ...]
    responses: Mapping[str, Response]

    @property
    def missing(self) -> int:
        """Return how many requests were not put yet."""
        return sum(name not in self.responses for name in self.asked)


def replies_in(work: Path, step: str, runs: Sequence[Answering]) -> list[Replies]:
    """Return what was said in a step, run by run. Raises InputError where a run is gone."""
    asked = {int(folder.name): asked_in(folder) for folder in rounds(work, step)}
    found = []
    for a in runs:
        if a.step != step or a.round not in asked:
            continue
        path = work / a.run
        known = set(asked[a.round])
        responses = {r.question: r for r in open_run(path).responses() if r.question in known}
        found.append(Replies(a.model, a.round, path, asked[a.round], responses))
    return found
