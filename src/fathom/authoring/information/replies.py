"""A model that sees the pictures as extractor: requests that `fathom run` puts to it, and its replies.

fathom extract PICTURES --out ASKED --ask             # requests, a picture each
fathom run ASKED --model openai:MODEL --out BY-MODEL
fathom extract PICTURES --out INFO --extractors replies=BY-MODEL
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import msgspec

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture, pictures_in, with_still
from fathom.authoring.information.record import (
    CaptionOf,
    RegionCaption,
    SeenInstance,
    SeenText,
    VisualInformation,
    clipped,
)
from fathom.authoring.prompts import read_prompts
from fathom.authoring.replies import FAILED, failure_of, one_line, said_in
from fathom.authoring.requests import ModelStep, request_of, write_with_media
from fathom.records import (
    InputError,
    Manifest,
    Media,
    MediaPart,
    Prompt,
    Request,
    Response,
    TextPart,
    Variant,
)
from fathom.store.datasets import MEDIA, SCHEMA_VERSION
from fathom.store.files import read_jsonl
from fathom.store.requests import check_place, open_requests
from fathom.store.runs import REQUESTS, RunFolder, open_run
from fathom.store.seeds import short_hash
from fathom.version import __version__

NAME, VERSION = "replies", "1"

_PROMPTS = read_prompts(Path(__file__).with_name("prompts.toml"))
_STEP = ModelStep(name="look", purpose="write", wanted="a model that sees pictures")

NOTHING = "nothing is said of the picture"
BAD_BOX = "a box is not left, top, right, bottom as shares of the picture from 0 to 1"


class _Object(msgspec.Struct, forbid_unknown_fields=True):
    label: str
    box: tuple[float, float, float, float]
    attributes: dict[str, str] = {}


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    box: tuple[float, float, float, float]


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    captions: list[str]
    objects: list[_Object] = []
    regions: list[_Words] = []
    texts: list[_Words] = []


def ask_of_pictures(images: Path, out: Path, benchmark: str, version: str) -> tuple[int, list[str]]:
    """Write a folder of requests, one a picture; return how many, and a sentence for each picture left out.

    Raises InputError where no picture can be shown, or `out` holds something else.
    """
    known, given = pictures_in(images)
    check_place(out)
    pictures = [p if p.wrong else with_still(p, out) for p in given]
    shown = [(p.media, p.path) for p in pictures if p.media and p.path and not p.wrong]
    if not shown:
        raise InputError(f"{images}: has no picture that can be shown; build the dataset with a renderer")
    manifest = Manifest(
        kind="requests",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="extract",
        benchmark=benchmark,
        benchmark_version=version,
        settings={"purpose": _STEP.name, "words": _PROMPTS.version},
        inputs={"pictures": known},
    )
    media = [(msgspec.structs.replace(m, scene="", stills={}), path) for m, path in shown]
    write_with_media(out, [_request(m.id) for m, _ in media], media, manifest)
    left = [p.wrong or f"{p.id}: was not painted" for p in pictures if p.wrong or not p.path]
    return len(media), left


def _request(name: str) -> Request:
    prompt = Prompt(parts=(MediaPart(media=name), TextPart(text=_PROMPTS.text("look"))))
    return request_of(_STEP, name, "picture", prompt, Variant(), _PROMPTS.version)


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of a run's replies. Raises InputError for a run that was asked of other pictures."""
    what = f"--extractors {NAME}={rest}"
    if not rest:
        raise InputError(f"{what}: expected a run that answers `fathom extract PICTURES --ask`; name it")
    run = open_run(Path(rest))
    shown = _shown_to(run, what)
    replies = {r.question: r for r in run.responses()}
    source = run.manifest.name or NAME

    def look(picture: GivenPicture) -> VisualInformation:
        if picture.media is None or shown.get(picture.id) != picture.media.sha256:
            raise InputError(f"{picture.id}: {run.path} was asked of another picture, or not of this one")
        return information_said(picture.id, replies.get(picture.id), source)

    said = [(name, r.status, r.text) for name, r in sorted(replies.items())]
    return one_by_one(f"{NAME}:{source}", f"{VERSION} {short_hash(*chain.from_iterable(said))}", look)


def _shown_to(run: RunFolder, what: str) -> dict[str, str]:
    """Return the pictures that a run was asked of, each with its hash."""
    folder = run.path / str(run.manifest.settings.get(REQUESTS, ""))
    if REQUESTS not in run.manifest.settings or not (folder / MEDIA).is_file():
        raise InputError(
            f"{what}: expected a run that answers `fathom extract PICTURES --ask`, whose requests still lie "
            f"where they were; found none at {folder}"
        )
    if open_requests(folder).manifest.identity != run.manifest.inputs.get(REQUESTS):
        raise InputError(f"{what}: {folder} holds other requests than those it answers; ask again")
    return {m.id: m.sha256 for m in read_jsonl(folder / MEDIA, Media)}


def information_said(name: str, reply: Response | None, source: str) -> VisualInformation:
    """Return what a model replied of a picture as a record. Raises InputError, with why it is none."""
    reason = FAILED if reply is None else failure_of(reply)
    said = reason or said_in(reply.text if reply else "", _Said)
    if isinstance(said, str):
        raise InputError(f"{name}: {said}")
    boxes = [o.box for o in said.objects] + [w.box for w in (*said.regions, *said.texts)]
    if any(not (0 <= b[0] < b[2] <= 1 and 0 <= b[1] < b[3] <= 1) for b in boxes):
        raise InputError(f"{name}: {BAD_BOX}")
    captions = [one_line(text) for text in said.captions if text.strip()]
    if not captions and not boxes:
        raise InputError(f"{name}: {NOTHING}")
    return VisualInformation(
        id=name,
        captions=tuple(CaptionOf(text=text, source=source) for text in captions),
        instances=tuple(
            SeenInstance(
                label=one_line(o.label),
                box=clipped(o.box),
                source=source,
                attributes={one_line(k): one_line(v) for k, v in o.attributes.items()},
            )
            for o in said.objects
        ),
        regions=tuple(
            RegionCaption(text=one_line(r.text), box=clipped(r.box), source=source) for r in said.regions
        ),
        texts=tuple(SeenText(text=one_line(t.text), box=clipped(t.box), source=source) for t in said.texts),
    )
