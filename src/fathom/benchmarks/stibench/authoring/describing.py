"""What describers said of a video's objects → descriptions with what the truth says of each."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fathom.authoring.replies import failure_of, one_line, said_in, unfit
from fathom.authoring.runs import Replies
from fathom.benchmarks.stibench.authoring.description_check import DescriptionFit, fit
from fathom.benchmarks.stibench.authoring.footage import frames_of
from fathom.benchmarks.stibench.authoring.settings import Description, Target
from fathom.benchmarks.stibench.authoring.vocabulary import ARTICLES, DescriptionVocabulary
from fathom.questions.contexts.video import Moment, VideoContext
from fathom.store.seeds import short_hash

LONGEST = 120

NOT_ASKED = "an object that was not asked for"
TWICE = "an object that was described before"
NOTHING_SAID = "an object of which nothing was said"
LONG = "a description that is too long"


class _One(msgspec.Struct, forbid_unknown_fields=True):
    object_id: str = msgspec.field(name="thing")
    words: str


class _Reply(msgspec.Struct, forbid_unknown_fields=True):
    descriptions: list[_One]


def described(
    replies: Sequence[Replies], target: Target, stage: VideoContext, vocabulary: DescriptionVocabulary
) -> list[Description]:
    """Return what was said of a target's objects, each with what came of it."""
    out: list[Description] = []
    for run in replies:
        if target.id not in run.asked:
            continue
        response = run.responses.get(target.id)
        failed = failure_of(response)
        said = failed if failed or response is None else said_in(response.text, _Reply)
        if isinstance(said, str):
            found = DescriptionFit("rejected", said)
            out += [_description(target, name, "", run.model, found) for name in target.objects]
        else:
            out += _heard(said, run.model, target, stage, vocabulary)
    return out


def _heard(
    reply: _Reply, model: str, target: Target, stage: VideoContext, vocabulary: DescriptionVocabulary
) -> list[Description]:
    out: list[Description] = []
    told: set[str] = set()
    for one in reply.descriptions[: 4 * len(target.objects)]:
        words = one_line(one.words)
        name = one.object_id.strip()
        if name not in target.objects:
            found = DescriptionFit("rejected", NOT_ASKED, name[:20])
        elif name in told:
            found = DescriptionFit("rejected", TWICE)
        else:
            found = _fits(words, target.objects[name], target, stage, vocabulary)
        told.add(name)
        out.append(_description(target, name, words, model, found))
    missing = [n for n in target.objects if n not in told]
    return out + [
        _description(target, n, "", model, DescriptionFit("rejected", NOTHING_SAID)) for n in missing
    ]


def _fits(
    words: str, obj: str, target: Target, stage: VideoContext, vocabulary: DescriptionVocabulary
) -> DescriptionFit:
    if wrong := unfit([words]):
        return DescriptionFit("rejected", wrong)
    if len(words) > LONGEST:
        return DescriptionFit("rejected", LONG)
    return fit(words, obj, stage.tracks, frames_of(stage, Moment(target.first, target.last)), vocabulary)


def _description(target: Target, name: str, words: str, model: str, found: DescriptionFit) -> Description:
    obj = target.objects.get(name, "")
    shown = with_article(words) if found.outcome != "rejected" else words[:300]
    digest = short_hash("description", target.id, name, words, model, found.reason, length=8)
    return Description(
        id=f"{target.id}_{obj or 'none'}_{digest}", target=target.id, scene=target.scene,
        setting=target.setting, media=target.media, object_id=obj, first=target.first, last=target.last,
        words=shown, writer=model, outcome=found.outcome, reason=found.reason, detail=found.detail,
        program=found.program,
    )  # fmt: skip


def with_article(words: str) -> str:
    """Return a description as it stands in a question: with "the", in small letters, without a full stop."""
    bare = words.strip().removesuffix(".").casefold()
    head, _, tail = bare.partition(" ")
    return f"the {tail}" if head in ARTICLES else f"the {bare}"
