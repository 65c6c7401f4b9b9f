"""Questions that models write from what is known of pictures, tried blind, answered and sorted by people.

    settings.py   what is written, and from what
    prompts.toml  what models are told, and the rules of each dimension; prompts.py: the prompts
    drafts.py     what a writer said → questions, or why they are none
    lengths.py    which wrong options are kept, so that lengths do not tell
    steps.py      the steps in their order
    guessed.py    how much can be answered by who sees nothing
    review.py     what people decide: the right option, the dimension, or that the question goes
    balancing.py  which questions stay, where dimensions are to be even or as in the paper

Ref: SEED-Bench §3.2–3.3.
"""

from __future__ import annotations

from fathom.authoring.filters import BLIND
from fathom.authoring.information.extracting import has_information
from fathom.authoring.protocol import Authoring
from fathom.authoring.review import REVIEW
from fathom.benchmarks.seedbench.authoring.lengths import LENGTHS
from fathom.benchmarks.seedbench.authoring.prompts import PROMPTS
from fathom.benchmarks.seedbench.authoring.review import AnnotationLine
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting, check_settings
from fathom.benchmarks.seedbench.authoring.steps import APART, SOURCE, WRITE, begin

AUTHORING = Authoring(
    needs="a folder of information on pictures (fathom extract)",
    fits=has_information,
    settings=PictureWriting(),
    key="pictures",
    check=check_settings,
    begin=begin,
    steps=(WRITE.name, *(step.name for step in APART.values()), LENGTHS, BLIND.name, REVIEW),
    model_steps=(WRITE, *APART.values(), BLIND),
    version=PROMPTS.version,
    source=SOURCE,
    note=(
        "{count} questions were written by models ({models}) from what is known of pictures, and kept by "
        "people"
    ),
    line=AnnotationLine,
)
