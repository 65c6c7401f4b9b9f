"""Questions about objects that a model writes, another checks, two try blind, and people review.

    settings.py   what is written, and from what
    objects.py    the objects of a dataset, and what models see of them
    prompts.toml  what models are told, and the rules of each kind of question
    prompts.py    the prompts that come of it
    drafts.py     what a writer said → a question, or why it is none
    review.py     what people decide, and correct
    steps.py      the steps in their order

Ref: 4D-Bench §3.3.2.
"""

from __future__ import annotations

from fathom.authoring.filters import BLIND, CHECK
from fathom.authoring.protocol import Authoring
from fathom.authoring.review import REVIEW
from fathom.benchmarks.fourdbench.authoring.objects import is_of_objects
from fathom.benchmarks.fourdbench.authoring.prompts import PROMPTS
from fathom.benchmarks.fourdbench.authoring.review import QuestionLine
from fathom.benchmarks.fourdbench.authoring.settings import ObjectWriting, check_settings
from fathom.benchmarks.fourdbench.authoring.steps import SOURCE, WRITE, begin

AUTHORING = Authoring(
    needs="objects that are each filmed from several directions (4d-bench)",
    fits=is_of_objects,
    settings=ObjectWriting(),
    key="writing",
    check=check_settings,
    begin=begin,
    steps=(WRITE.name, CHECK.name, BLIND.name, REVIEW),
    model_steps=(WRITE, CHECK, BLIND),
    version=PROMPTS.version,
    source=SOURCE,
    note="{count} questions were written by models ({models}) and kept by people",
    line=QuestionLine,
)
