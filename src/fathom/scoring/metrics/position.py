"""Position bias: does the place of an option decide whether it is picked?"""

from __future__ import annotations

from collections import Counter

from fathom.extraction.shown_options import as_shown
from fathom.records import Score
from fathom.scoring.answers import Answers, is_read


def position_bias(answers: Answers) -> list[Score]:
    """Return for each place of an option how often it was picked and how often it was right.

    Only questions with options count, by the number of them; places are counted from 1 in the order shown.
    """
    picked: dict[int, Counter[int]] = {}
    right: dict[int, Counter[int]] = {}
    for question, sample_scores in zip(answers.questions, answers.sample_scores, strict=True):
        for sample_score in sample_scores:
            shown = as_shown(question, sample_score.variant).choices
            if (
                not sample_score.variant.options_shown
                or not shown
                or not is_read(sample_score)
                or sample_score.picked not in shown
                or question.answer not in shown
            ):
                continue
            picked.setdefault(len(shown), Counter())[shown.index(sample_score.picked) + 1] += 1
            right.setdefault(len(shown), Counter())[shown.index(question.answer) + 1] += 1
    return [
        Score(
            name=name,
            value=counts[options][place] / counts[options].total(),
            n=counts[options].total(),
            method="share of the answers that name an option",
            group={"options": str(options), "place": str(place)},
        )
        for options in sorted(picked)
        for place in range(1, options + 1)
        for name, counts in (("place_picked", picked), ("place_right", right))
    ]
