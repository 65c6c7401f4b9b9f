"""A writer of wrong options, blind readers and people who know what is annotated, as plain functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice, permutations

import msgspec

from fathom.benchmarks.seedbench.authoring.review import AnnotationLine
from fathom.records import Request
from tests.authoring.answering import words_of

OTHERS = ("shake jug", "fill kettle", "peel carrot")
ACTIONS = ("spinning {} around", "hiding {} behind a box", "squeezing {} with one hand")


def right_option(request: Request) -> str:
    return words_of(request).partition("Right option: ")[2].partition("\n")[0]


def wrong_options(request: Request) -> list[str]:
    """Return three wrong options that can be taken, as a writer who does as it is told."""
    kind, right = request.asked.tags["subtask"], right_option(request)
    if kind == "action_prediction":
        return list(OTHERS)
    if kind == "action_recognition":
        things = "a cup and the table" if "the table" in right else "a cup"
        return [text.format(things) for text in ACTIONS]
    orders = permutations(right.split(", "))
    return [", ".join(o) for o in islice((o for o in orders if ", ".join(o) != right), 3)]


def writer(request: Request) -> str:
    return json.dumps({"wrong": wrong_options(request)})


def reader(answers: Mapping[str, str], known: frozenset[str], k: int) -> Callable[[Request], str]:
    """Return a blind reader who knows the answers of some questions, and else takes option number k."""

    def speak(request: Request) -> str:
        asked = request.asked
        right = asked.choices.index(answers[asked.id])
        return f"({'ABCD'[right if asked.id in known else k]})"

    return speak


def filled_in(data: bytes, answers: Mapping[str, str], rejected: frozenset[str]) -> bytes:
    """Return a review file as people fill it in who know what is right."""
    lines = [msgspec.json.decode(line, type=AnnotationLine) for line in data.splitlines()]
    for line in lines:
        line.reviewer = "ana"
        line.decision = "reject" if line.question in rejected else "keep"
        line.reason = "two are right" if line.question in rejected else ""
        line.answer_given = "" if line.question in rejected else answers[line.question]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
