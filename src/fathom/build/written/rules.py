"""What questions of each subtask must be, in the words that writers and checkers are told.

Ref: 4D-Bench §3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Subtask:
    """One kind of question: its title, what it asks for, and the rules of its own."""

    title: str
    about: str
    rules: tuple[str, ...]


COMMON: tuple[str, ...] = (
    "The question can be answered from what is shown, by looking alone.",
    "Exactly one of the four options is right, and the marked one is it.",
    "Nobody can tell the right option without seeing the object: not from the words of the question, from "
    "general knowledge, or because it stands out among the options in length or precision.",
    "A single picture is not enough: several directions, several moments, or both are needed.",
    "The wrong options are of the same kind as the right one, and each is wrong beyond doubt. Those that are "
    "true of another direction, moment or part are best.",
    "Question and options are short, clear English, ask one thing, and name no picture or view by number.",
)
"""The rules for all subtasks."""

SUBTASKS: Mapping[str, Subtask] = {
    "appearance": Subtask(
        "Appearance",
        "what the object looks like: colors, materials, parts, clothing, what it wears or carries",
        (
            "It asks for something that is seen, not for what the object does.",
            "What it asks for shows from some directions only, and the question says from which side.",
        ),
    ),
    "action": Subtask(
        "Action",
        "what the object does: the kind of action, which part moves and how, or in which direction",
        (
            "It asks for movement, not for what the object looks like.",
            "Directions are the object's own, and the question says so.",
            "No two options are words for the same movement.",
        ),
    ),
    "object_counting": Subtask(
        "Object Counting",
        "how many objects or parts of a kind there are, where some are hidden from some directions, or come "
        "and go",
        (
            "The answer and all options are numbers.",
            "It says what counts, so that two people would count alike.",
            "The number cannot be read off any single picture, and is not what such things always have.",
        ),
    ),
    "spatial_relationship": Subtask(
        "Spatial Relationship",
        "where objects or parts are relative to each other, across directions",
        (
            "It asks where something is, relative to something else that is named.",
            "It says whose left and right are meant, wherever they are spoken of.",
        ),
    ),
    "temporal_relationship": Subtask(
        "Temporal Relationship",
        "in which order things happen, what changes, what comes first, next or last, or how often",
        (
            "It asks for the order of events or for a change over time.",
            "What it asks about happens within the videos, and the order is clear from them.",
        ),
    ),
}
"""Each subtask by its task's name."""


def rules_of(task: str) -> tuple[str, ...]:
    """Return the rules of a subtask: those for all, then its own. They are numbered from 1."""
    return (*COMMON, *SUBTASKS[task].rules)


def listed(task: str) -> str:
    """Return the rules as numbered lines."""
    return "\n".join(f"{n}. {rule}" for n, rule in enumerate(rules_of(task), 1))
