"""How 4D-Bench is put to a model: frames of videos from several views, then a question or a task to describe.

Three views of six frames each, all frames of one view before those of the next. The official code takes the
views 1, 8 and 16, and for most models frames in whole steps from the first on (floor-step); for the LLaVA and
InternVL2 models from the first to the last (linspace). The words are Fathom's.

Ref: 4D-Bench §4.2, §4.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Literal

from fathom.benchmarks.fourdbench.tasks import CAPTION, COUNTING, OFFICIAL_VIEWS
from fathom.benchmarks.fourdbench.viewing import best_views, drawn_views, record_of
from fathom.inference.prompts import (
    REASON,
    check_time_stamps,
    choice_prompt,
    frame_rate,
    frames_of,
    how_to_answer,
    labelled,
    option_lines,
    shown_options,
    time_s,
)
from fathom.inference.settings import ChoiceSettings, MakePrompt, Prepared, make_protocol
from fathom.inference.variants import variants_of
from fathom.media.cells import needs_of
from fathom.media.sampling import Rule, sample, span_of, spread
from fathom.records import (
    ClipPart,
    InputError,
    Media,
    MediaOf,
    MediaPart,
    Part,
    Prompt,
    Protocol,
    Question,
    Setting,
    UnansweredQuestion,
    Variant,
)

VERSION = "1"

LETTER_IN_PARENTHESES = "Choose the best option, and reply with its letter in parentheses alone, such as (A)."
COUNT = (
    "To count, take the view in which the most of what is asked for can be seen, and count there. Look in "
    "the other views for what is hidden in that one, and find each thing again in every view, so that "
    "nothing counts twice. Follow the frames in time for what appears and what vanishes."
)
DESCRIBE = (
    "Describe the object in one fluent sentence: what it looks like, and what it does in the course of the "
    "videos. Leave out the background, the light, and that there are several views."
)
EXAMPLES = (
    "caption: A red fox with a white belly sits down and wags its bushy tail.",
    "caption: A knight in silver armor lifts a round shield and takes two steps back.",
    "caption: A wooden windmill with four canvas sails turns slowly.",
    "caption: A small green robot rolls forward, stops, and opens a lid on its head.",
    "caption: Two dancers in blue dresses spin around each other hand in hand.",
)
CAPTION_FORM = "Reply in exactly this form, and with nothing else:\ncaption: <your sentence>"


@dataclass(frozen=True)
class FourDBenchSettings(ChoiceSettings):
    """What is 4D-Bench's own: which views and frames are shown, in which order, and what is said of them.

    views : how many views of the object are shown
    frames : how many frames of each view are shown
    view_choice : which views: three official ones where they are there, else evenly spread ones (official);
        spread evenly around the object (even); drawn for each question (random); those that show the most of
        what has to be seen to answer (evidence)
    view_seed : what the random views follow from
    order : all frames of one view, then of the next (view-major), or all views of one time first
    sampling : the rule by which frames are chosen; see docs/protocols.md
    show : frames are shown as images (pictures) or as one video (clip)
    time_stamps : each frame is preceded by its time
    counting_hints : a sentence helps with questions that count
    examples : captions are asked for with example lines that show their style
    """

    views: int = field(default=3, metadata={"least": 1})
    frames: int = field(default=6, metadata={"least": 1})
    view_choice: Literal["official", "even", "random", "evidence"] = "official"
    view_seed: str = "0"
    order: Literal["view-major", "time-major"] = "view-major"
    sampling: Rule = "floor-step"
    show: Literal["pictures", "clip"] = "pictures"
    time_stamps: bool = False
    counting_hints: bool = False
    examples: bool = True

    def __post_init__(self) -> None:
        """Raise InputError where two settings contradict each other."""
        super().__post_init__()
        check_time_stamps(self.time_stamps, self.show)


def views_shown(settings: FourDBenchSettings, videos: Sequence[Media]) -> tuple[Media, ...]:
    """Return the videos that are shown, in the order of their views."""
    ordered = _in_order(videos)
    by_view = {m.view: m for m in ordered}
    official = settings.view_choice == "official" and settings.views == len(OFFICIAL_VIEWS)
    if official and by_view.keys() >= set(OFFICIAL_VIEWS):
        return tuple(by_view[view] for view in OFFICIAL_VIEWS)
    return tuple(ordered[i] for i in spread(len(ordered), settings.views)) if ordered else ()


def _in_order(videos: Iterable[Media]) -> list[Media]:
    return sorted(videos, key=lambda m: m.view)


ViewsOf = Callable[[FourDBenchSettings, UnansweredQuestion, Sequence[Media]], tuple[Media, ...]]


def _views_of(
    settings: FourDBenchSettings, asked: UnansweredQuestion, videos: Sequence[Media]
) -> tuple[Media, ...]:
    """Return the views that are shown of a question, where they can be told from itself alone."""
    if settings.view_choice == "evidence":
        raise InputError(
            "view-choice=evidence: which views are the best is known to a run alone, which goes through all "
            "questions first; use fathom run, or another view-choice"
        )
    if settings.view_choice == "random":
        ordered = _in_order(videos)
        drawn = drawn_views(len(ordered), settings.views, settings.view_seed, asked.id)
        return tuple(ordered[i] for i in drawn)
    return views_shown(settings, videos)


def frames_shown(settings: FourDBenchSettings, media: Media) -> tuple[int, ...]:
    """Return the numbers of the frames that are shown of one view."""
    return sample(len(span_of(media, None)), settings.frames, settings.sampling)


@dataclass(frozen=True)
class _Frame:
    media: Media
    view: int
    picture: MediaPart

    @property
    def label(self) -> str:
        return f"View {self.view}, {time_s(self.media, self.picture.frame):.2f} s:"


def prompt(
    settings: FourDBenchSettings,
    asked: UnansweredQuestion,
    variant: Variant,
    media_of: MediaOf,
    views_of: ViewsOf = _views_of,
) -> Prompt:
    """Return the prompt: what the pictures are, the pictures, and the question or the caption's form."""
    media = [media_of(name) for name in asked.media]
    views = views_of(settings, asked, [m for m in media if m.kind == "video"])
    rows = [
        [_Frame(view, i, p) for p in frames_of(view, frames_shown(settings, view))]
        for i, view in enumerate(views, 1)
    ]
    columns = zip_longest(*rows)
    if settings.order == "time-major":
        rows = [[f for f in column if f is not None] for column in columns]
    frames = [f for row in rows for f in row]
    pictures = [MediaPart(media=m.id) for m in media if m.kind != "video"] + [f.picture for f in frames]
    parts = _parts(settings, views, frames, pictures)
    lead = _lead(settings, len(views), len(rows[0]) if rows else 0, len(frames))
    if asked.task == CAPTION:
        examples = "Captions in this style:\n" + "\n".join(EXAMPLES) if settings.examples else ""
        described = replace(settings, answer="generation")
        return choice_prompt(described, variant, parts, [DESCRIBE, examples, CAPTION_FORM], (), lead=lead)
    options = shown_options(asked, variant)
    lines = option_lines(options, "(A)") if settings.options == "shown" else ""
    hints = COUNT if settings.counting_hints and asked.task == COUNTING else ""
    texts = [f"Question: {asked.text}", lines, hints, _ending(settings)]
    return choice_prompt(settings, variant, parts, texts, options, lead=lead)


def _parts(
    settings: FourDBenchSettings,
    views: Sequence[Media],
    frames: Sequence[_Frame],
    pictures: Sequence[MediaPart],
) -> list[Part]:
    if settings.show == "clip" and frames:
        # One clip of all views one after the other, as the official code gives it to models of videos.
        rate = frame_rate(views[0], [f.picture.frame for f in frames if f.view == 1]) or 1.0
        return [ClipPart(frames=tuple(pictures), fps=rate)]
    if settings.time_stamps and frames:
        return labelled([f.label for f in frames], [f.picture for f in frames])
    return list(pictures)


def _lead(settings: FourDBenchSettings, views: int, row: int, total: int) -> str:
    """Return what the pictures are, in words."""
    if not total:
        return ""
    if views == 1:
        return f"You see {total} frames of a video of one moving object, in the order of time."
    opening = f"You see one moving object in {total} frames of {views} videos, each from another direction."
    if settings.order == "time-major":
        return f"{opening} Every {row} frames in a row show the same moment; they are in the order of time."
    return f"{opening} Every {row} frames in a row are of one video, in the order of time."


def _ending(settings: FourDBenchSettings) -> str:
    if settings.answer == "likelihood":
        return how_to_answer(settings)
    return REASON if settings.reasoning else LETTER_IN_PARENTHESES


def prepare(settings: FourDBenchSettings) -> Prepared[FourDBenchSettings] | None:
    """Return what chooses views by the evidence, where they are to be chosen so."""
    return _by_evidence(settings) if settings.view_choice == "evidence" else None


def _by_evidence(settings: FourDBenchSettings) -> Prepared[FourDBenchSettings]:
    def goes_through(
        questions: Iterable[Question], media_of: MediaOf
    ) -> tuple[MakePrompt[FourDBenchSettings], Mapping[str, Setting]]:
        chosen: dict[str, tuple[int, ...]] = {}
        for question in questions:
            if needs := needs_of(question):
                videos = [m for m in map(media_of, question.media) if m.kind == "video"]
                cells = {m.view: frames_shown(settings, m) for m in _in_order(videos)}
                chosen[question.id] = best_views(needs, cells, settings.views)
        if not chosen:
            raise InputError(
                "view-choice=evidence: none of the questions says what has to be seen to answer it, which "
                "those of built datasets do; use view-choice=random or even"
            )

        def views_of(
            settings: FourDBenchSettings, asked: UnansweredQuestion, videos: Sequence[Media]
        ) -> tuple[Media, ...]:
            if asked.id not in chosen:
                return views_shown(settings, videos)
            return tuple(m for m in _in_order(videos) if m.view in chosen[asked.id])

        return partial(prompt, views_of=views_of), record_of(chosen)

    return goes_through


PAPER = FourDBenchSettings(detail="low")

PROTOCOLS: Mapping[str, Protocol] = {
    name: make_protocol(name, VERSION, settings, prompt, variants_of, prepare)
    for name, settings in {
        "default": PAPER,
        "generation": PAPER,
        "captions": FourDBenchSettings(),
        "likelihood": replace(PAPER, answer="likelihood", continuation="letter"),
        "circular": replace(PAPER, grouping="circular"),
        "blind": replace(PAPER, blind=True),
    }.items()
}
"""`default` is the paper's, for questions; `captions` for descriptions, whose pictures have full detail."""
