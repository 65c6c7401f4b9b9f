"""The request folders of each step, the runs that answer them, and what was said to each request.

    WORK/settings.json          what is written, and of which dataset
    WORK/write/01/              requests to writers, with media.jsonl beside them
    WORK/check/01/              to checkers
    WORK/blind/01/              to blind readers
    WORK/runs.json              which runs answer which of these folders

A folder of requests is written once and never again: what comes up later, because a writer was added or a
failure asked again, goes into the next one of its step (02, 03 …), so that no answer is ever asked for twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from fathom import __version__
from fathom.build.written.candidates import Candidate, Shown, Writing
from fathom.build.written.prompts import VERSION, blind_prompt, check_prompt, write_prompt
from fathom.records import (
    Asked,
    InputError,
    Manifest,
    Media,
    Prompt,
    Purpose,
    Record,
    Request,
    Response,
    Variant,
    pictures_of,
)
from fathom.store.datasets import MANIFEST, MEDIA, MEDIA_FOLDER, MEDIA_ROOT, SCHEMA_VERSION, Dataset
from fathom.store.files import read_json, write_json, write_jsonl
from fathom.store.requests import REQUESTS, open_requests, request_key, write_requests
from fathom.store.runs import REQUESTS as ANSWERED
from fathom.store.runs import open_run

Step = Literal["write", "check", "describe", "ask", "blind"]
STEPS: tuple[Step, ...] = ("write", "check", "describe", "ask", "blind")
RUNS = "runs.json"

_PURPOSES: Mapping[Step, Purpose] = {
    "write": "write", "check": "judge", "describe": "write", "ask": "write", "blind": "blind"
}  # fmt: skip


class Answering(Record, frozen=True, kw_only=True):
    """A run that answers one folder of requests; `run` is its place as seen from the work folder."""

    step: str
    round: int
    run: str
    model: str


def write_requests_of(objects: Iterable[Shown], writing: Writing) -> Iterator[Request]:
    """Yield what writers are asked: of each object, each subtask, so many times."""
    for shown in objects:
        for task in writing.tasks:
            for turn in range(writing.each):
                name = f"{shown.id}_{task}_{turn}"
                prompt = write_prompt(shown, task, turn, writing)
                yield request_of("write", name, task, prompt, Variant(name=task, repeat=turn))


def check_requests_of(
    candidates: Iterable[Candidate], objects: Mapping[str, Shown], writing: Writing
) -> Iterator[Request]:
    """Yield what checkers are asked: of each question, which rules it breaks."""
    for c in candidates:
        prompt = check_prompt(c, objects[c.object], writing)
        yield request_of("check", c.id, c.task, prompt, Variant(name="check"))


def blind_requests_of(candidates: Iterable[Candidate]) -> Iterator[Request]:
    """Yield what blind readers are asked: each question, without its object."""
    for c in candidates:
        yield request_of(
            "blind", c.id, c.task, blind_prompt(c), Variant(name="blind", media_withheld=True), c.choices
        )


def request_of(
    step: Step,
    name: str,
    task: str,
    prompt: Prompt,
    variant: Variant,
    choices: tuple[str, ...] = (),
    words: str = VERSION,
) -> Request:
    """Return one request of a step; `words` is the version of what it says."""
    request = Request(
        key="",
        asked=Asked(id=name, task=step, text=task, choices=choices, tags={"subtask": task, "words": words}),
        prompt=prompt,
        variant=variant,
        purpose=_PURPOSES[step],
    )
    return msgspec.structs.replace(request, key=request_key(request))


def rounds(work: Path, step: Step) -> list[Path]:
    """Return the folders of requests of a step, in the order in which they were written."""
    found = [p for p in (work / step).glob("[0-9]*") if p.name.isdigit() and (p / MANIFEST).is_file()]
    return sorted(found, key=lambda p: int(p.name))


def asked_in(folder: Path) -> list[str]:
    """Return the names of what is asked in a folder of requests. Raises DataError where it was changed."""
    return [r.asked.id for r in open_requests(folder).requests()]


def write_round(
    work: Path,
    step: Step,
    requests: Sequence[Request],
    dataset: Dataset,
    objects: Mapping[str, Shown],
    seed: str,
    words: str = VERSION,
) -> Path:
    """Write the next folder of a step's requests, with the media that they show, and return it."""
    number = len(rounds(work, step)) + 1
    folder = work / step / f"{number:02d}"
    shown = {part.media for request in requests for part in pictures_of(request.prompt)}
    media = [m for each in objects.values() for m in each.media if m.id in shown]
    root, placed = _placed(dataset, media)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MEDIA).unlink(missing_ok=True)  # of a round that was cut off
    manifest = Manifest(
        kind="requests",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="build",
        benchmark=dataset.manifest.benchmark,
        benchmark_version=dataset.manifest.benchmark_version,
        settings={
            "purpose": step,
            "words": words,
            "round": number,
            **({MEDIA_ROOT: Path(os.path.relpath(root, folder.resolve())).as_posix()} if media else {}),
        },
        seed=seed,
        inputs={"dataset": dataset.manifest.identity},
    )
    write_requests(folder, requests, manifest)
    if media:
        write_jsonl(folder / MEDIA, placed)
    return folder


def _placed(dataset: Dataset, media: Sequence[Media]) -> tuple[Path, list[Media]]:
    """Return the folder in which all media lie, and the media with their paths from there."""
    if not media:
        return dataset.path, []
    paths = [dataset.media_path(m) for m in media]
    root = Path(os.path.commonpath([p.parent for p in paths]))
    # A path that begins so is looked up in the request folder itself.
    while any(p.relative_to(root).parts[0] == MEDIA_FOLDER for p in paths) and root != root.parent:
        root = root.parent
    return root, [
        msgspec.structs.replace(m, path=p.relative_to(root).as_posix())
        for m, p in zip(media, paths, strict=True)
    ]


def mend_rounds(work: Path) -> None:
    """Take away what was written of a step's newest folder where it was cut off before it was whole."""
    for step in STEPS:
        for folder in (work / step).glob("[0-9]*"):
            if not (folder / MANIFEST).is_file():
                (folder / REQUESTS).unlink(missing_ok=True)
        for folder in rounds(work, step)[-1:]:
            manifest = read_json(folder / MANIFEST, Manifest)
            if MEDIA_ROOT in manifest.settings and not (folder / MEDIA).is_file():
                (folder / MANIFEST).unlink()
                (folder / REQUESTS).unlink(missing_ok=True)


def known_runs(work: Path) -> list[Answering]:
    """Return the runs that were given so far."""
    return read_json(work / RUNS, list[Answering]) if (work / RUNS).is_file() else []


def take_runs(work: Path, given: Sequence[Path]) -> list[Answering]:
    """Return the runs that were given so far and now, and keep them.

    Raises InputError for one that answers none of the requests in the work folder.
    """
    places = {
        open_requests(folder).manifest.identity: (step, int(folder.name))
        for step in STEPS
        for folder in rounds(work, step)
    }
    found = {(a.step, a.round, a.run): a for a in known_runs(work)}
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
    runs = sorted(found.values(), key=lambda a: (STEPS.index(a.step), a.round))
    if given:
        write_json(work / RUNS, runs)
    return runs


@dataclass(frozen=True)
class Said:
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

    @property
    def failed(self) -> int:
        """Return how many requests failed."""
        return sum(r.status == "failed" for r in self.responses.values())


def said_in(work: Path, step: Step, runs: Sequence[Answering]) -> list[Said]:
    """Return what was said in a step, run by run. Raises InputError where a run is gone."""
    folders = {int(f.name): f for f in rounds(work, step)}
    asked = {number: tuple(asked_in(folder)) for number, folder in folders.items()}
    found = []
    for a in runs:
        if a.step != step or a.round not in asked:
            continue
        path = work / a.run
        known = set(asked[a.round])
        responses = {r.question: r for r in open_run(path).responses() if r.question in known}
        found.append(Said(a.model, a.round, path, asked[a.round], responses))
    return found
