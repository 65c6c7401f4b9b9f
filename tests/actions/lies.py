"""Replies of a writer of wrong options that cannot be taken, each with its dimension and its reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from fathom.authoring.replies import (
    BY_NUMBER,
    EMPTY,
    LONG_REPLY,
    MARKUP,
    NO_JSON,
    SPEAKS_OF_ANSWER,
    TOGETHER,
)
from fathom.benchmarks.seedbench.videos.authoring.replies import ALIKE, LENGTH, NOT_THREE, RIGHT
from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.prediction import COULD_BE_TRUE
from fathom.benchmarks.seedbench.videos.procedure import NO_ACTION, OTHER_LENGTH, SAME_ORDER, TWICE
from fathom.benchmarks.seedbench.videos.wording import PART
from tests.actions.scripted import ACTIONS, OTHERS

RECOGNITION, PREDICTION, PROCEDURE = "action_recognition", "action_prediction", "procedure_understanding"

Text = Callable[[VideoDraft], str]


def rotated(draft: VideoDraft, by: int) -> str:
    """Return the right list, begun so many actions later."""
    steps = draft.answer.text.split(", ")
    return ", ".join(steps[by:] + steps[:by])


def fitting(draft: VideoDraft) -> list[str]:
    """Return three wrong options that can be taken."""
    if draft.task == PROCEDURE:
        return [rotated(draft, by) for by in (3, 1, 2)]
    return list(OTHERS) if draft.task == PREDICTION else [text.format("a cup") for text in ACTIONS]


def reply(options: Sequence[object]) -> str:
    """Return a reply of the form that is asked for."""
    return json.dumps({"wrong": options})


def among(text: Text) -> Text:
    """Return a reply with one option that is none, beside two that are."""
    return lambda draft: reply([text(draft), *fitting(draft)[1:]])


def _done_in_the_clip(draft: VideoDraft) -> str:
    return draft.actions[1].text


def _without_last(draft: VideoDraft) -> str:
    return rotated(draft, 1).rpartition(", ")[0]


def _with_first_again(draft: VideoDraft) -> str:
    return f"{_without_last(draft)}, {rotated(draft, 1).split(', ')[0]}"


LIES: dict[str, tuple[str, str, Text]] = {
    "nothing": (PREDICTION, EMPTY, lambda d: " \n"),
    "a long reply": (PREDICTION, LONG_REPLY, lambda d: reply(["x" * 30_000])),
    "no json": (PREDICTION, NO_JSON, lambda d: ", ".join(OTHERS)),
    "another key": (PREDICTION, NO_JSON, lambda d: json.dumps({"options": OTHERS})),
    "numbers": (PREDICTION, NO_JSON, lambda d: reply([1, 2, 3])),
    "deep": (PREDICTION, NO_JSON, lambda d: "[" * 15_000),
    "two": (PREDICTION, NOT_THREE, lambda d: reply(OTHERS[:2])),
    "five": (PREDICTION, NOT_THREE, lambda d: reply([*OTHERS, "sweep floor", "wipe window"])),
    "an empty one": (PREDICTION, NOT_THREE, among(lambda d: " . ")),
    "one twice": (PREDICTION, ALIKE, among(lambda d: "Fill the kettle")),
    "the right one": (PREDICTION, RIGHT, among(lambda d: d.answer.text)),
    "the right one in plural": (PREDICTION, PART, among(lambda d: f"{d.answer.text}s")),
    "the right one and more": (PREDICTION, PART, among(lambda d: f"{d.answer.text} again")),
    "done in the clip": (PREDICTION, COULD_BE_TRUE, among(_done_in_the_clip)),
    "long": (PREDICTION, LENGTH, among(lambda d: f"shake {'very ' * 9}jug")),
    "short": (RECOGNITION, LENGTH, among(lambda d: "eat it")),
    "markup": (PREDICTION, MARKUP, among(lambda d: "<b>shake</b> jug")),
    "of options": (PREDICTION, SPEAKS_OF_ANSWER, among(lambda d: "correct answer")),
    "together": (PREDICTION, TOGETHER, among(lambda d: "none of these")),
    "by number": (PREDICTION, BY_NUMBER, among(lambda d: "open frame 3")),
    "a part": (RECOGNITION, PART, among(lambda d: " ".join(d.answer.text.split()[:3]))),
    "the same and more": (RECOGNITION, PART, among(lambda d: f"{d.answer.text} very slowly")),
    "a shorter list": (PROCEDURE, OTHER_LENGTH, among(_without_last)),
    "the same order": (PROCEDURE, SAME_ORDER, among(lambda d: d.answer.text.replace(", ", " -> "))),
    "an action of none": (PROCEDURE, NO_ACTION, among(lambda d: f"{_without_last(d)}, fly kite")),
    "an action twice": (PROCEDURE, TWICE, among(_with_first_again)),
}
