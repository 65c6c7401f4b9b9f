"""Readers of sentences that find what a test wants found."""

from __future__ import annotations

from dataclasses import replace

from fathom.benchmarks.pulsecheck457 import BENCHMARK as PULSECHECK457
from fathom.records import Question, Scene, TextReading


def content(question: Question, scene: Scene) -> TextReading:
    return TextReading(verdict="agree")


def contrary(question: Question, scene: Scene) -> TextReading:
    if "color" in question.text or "colour" in question.text:
        return TextReading(verdict="disagree", why="says another thing")
    return TextReading(verdict="agree")


def broken(question: Question, scene: Scene) -> TextReading:
    raise KeyError("bus")


CONTENT = replace(PULSECHECK457, name="read-back", text_reader="tests.text_readers:content")
CONTRARY = replace(PULSECHECK457, name="read-back", text_reader="tests.text_readers:contrary")
BROKEN = replace(PULSECHECK457, name="read-back", text_reader="tests.text_readers:broken")
