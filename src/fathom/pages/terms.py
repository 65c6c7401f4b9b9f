"""What the headings of tables mean: shown where a pointer rests on them, and listed below the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fathom.pages.tables import Table

TERMS: Mapping[str, str] = {
    "In the paper": "How many questions of this task the benchmark has that its paper describes.",
    "Evenness, %": "How evenly answers are spread, within what is asked (colors among colors): 100 where "
    "every possible answer is equally frequent. Small sets have less, because few of many answers occur.",
    "Smallest margin, × tolerance": "How far the relation behind an answer is from its threshold, divided "
    "by the tolerance of that relation; below 1 nothing is asked.",
    "Median margin, × tolerance": "The margin that half of the questions exceed.",
    "Smallest visible object, px": "The fewest visible pixels of any object that an answer depends on; 0 "
    "where the answer is that there is none.",
    "Smallest visible share, %": "The smallest visible part of such an object: 100 where it is not covered.",
    "Blind guesser − chance, points": "How much likelier the right answer is to a classifier "
    "that sees everything except the image than by chance; 0 is ideal.",
    "missing": "Questions that were wanted and that no scene had.",
    "entropy, bits": "Of all answers of a task at once, whatever they answer; then that of an even spread "
    "over all possible ones. Evenness, in contrast, is computed within what is asked.",
    "templates": "How many question templates this kind has.",
    "on target": "Whether the share is within a tenth of its target, or as near as whole questions come.",
    "cannot decide": "The second derivation sees too little to say; it does not contradict the answer.",
    "unreadable": "Texts that the independent grammar could not read.",
    "cross-validation": "How the classifier's test questions are chosen: at random, whole scenes at a time, "
    "or the later ones of the file; a task's name where only its questions are tested.",
    "joint 95 % bounds": "Bounds widened for the number of rows: on a clean set all of them hold at once "
    "in 95 sets of 100.",
    "smallest detectable leak, points": "The smallest excess over chance that this test would notice in 80 "
    "sets of 100.",
    "fewest cells": "The smallest number of pictures (one view at one time) that suffice for the answer, on "
    "average.",
    "several views, %": "Questions that no single view can answer.",
    "several times, %": "Questions that no single time can answer.",
    "missing of an even spread, %": "Which part of the answers an even spread would have and these lack.",
    "p if uniform": "How likely counts at least as uneven are where all values are equally likely.",
    "passed": "NO: the check found a fault. Too few to tell: nothing was found, but a fault could have gone "
    "unnoticed. Both are usual in small sets.",
}
"""Heading of a column → what stands below it."""


def meaning(heading: str) -> str:
    """Return what a heading means, "" where it speaks for itself."""
    return TERMS.get(heading, "")


def terms_of(tables: Iterable[Table]) -> list[tuple[str, str]]:
    """Return the headings of tables that need a word, each once, with what they mean."""
    headings = dict.fromkeys(column for table in tables for column in table.columns)
    return [(heading, TERMS[heading]) for heading in headings if heading in TERMS]
