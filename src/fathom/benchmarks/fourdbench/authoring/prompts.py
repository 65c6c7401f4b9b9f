"""What writers and checkers of questions about objects read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.prompts import read_prompts
from fathom.benchmarks.fourdbench.authoring.objects import pictures_of_view, views_shown
from fathom.benchmarks.fourdbench.tasks import TASKS
from fathom.records import Media, MediaPart, Part, Prompt, TextPart
from fathom.store.subjects import Subject

PROMPTS = read_prompts(Path(__file__).with_name("prompts.toml"))


def write_prompt(seen: Sequence[Part], task: str, turn: int) -> Prompt:
    """Return what a writer reads to write one question of a subtask about the object that is seen."""
    texts = [
        PROMPTS.text("wanted", title=TASKS[task], about=PROMPTS.kinds[task].about),
        PROMPTS.text("steps"),
        f"Rules:\n{PROMPTS.listed_rules(task)}",
        *([PROMPTS.text("again", number=str(turn + 1))] if turn else []),
        PROMPTS.text("draft", task=task),
    ]
    return Prompt(system=PROMPTS.text("writer"), parts=(*seen, TextPart(text="\n\n".join(texts))))


def check_prompt(seen: Sequence[Part], candidate: QuestionCandidate) -> Prompt:
    """Return what a checker reads of one question about the object that is seen."""
    task = candidate.kind
    asked = {"question": candidate.text, "choices": candidate.choices, "marked": candidate.answer}
    texts = [
        PROMPTS.text("kind", title=TASKS[task], about=PROMPTS.kinds[task].about),
        f"Rules:\n{PROMPTS.listed_rules(task)}",
        msgspec.json.encode(asked).decode(),
        PROMPTS.text("checked"),
    ]
    return Prompt(system=PROMPTS.text("checker"), parts=(*seen, TextPart(text="\n\n".join(texts))))


def seen_of(subject: Subject, views: int, frames: int) -> tuple[Part, ...]:
    """Return the pictures of an object, each after a line that says from where and when it is.

    Raises InputError where there are none.
    """
    shown = views_shown(subject, views)
    pictures = [pictures_of_view(media, frames) for media in shown]
    total = sum(map(len, pictures))
    ways = f"{len(shown)} directions around it" if len(shown) > 1 else "one direction"
    lead = f"You see one object in {total} pictures from {ways}, all of one direction after each other."
    parts: list[Part] = [TextPart(text=lead)]
    for number, (media, row) in enumerate(zip(shown, pictures, strict=True), 1):
        for picture in row:
            parts += [TextPart(text=_label(media, number, picture, subject.media)), picture]
    return tuple(parts)


def _label(media: Media, number: int, picture: MediaPart, ring: Sequence[Media]) -> str:
    degrees = round(360 * (media.view - ring[0].view) / len(ring)) % 360
    place = f"View {number} ({degrees}° around the object)" if len(ring) > 1 else f"View {number}"
    if picture.frame >= 0 and media.fps > 0:
        return f"{place}, {picture.frame / media.fps:.2f} s:"
    return f"{place}:"
