"""Descriptions and questions of videos that a model writes from the truth, checked by the truth.

    settings.py          what is written, and the records that move from step to step
    footage.py           a dataset's videos while they are written about, and their truth in words
    prompts.toml         what models are told; prompts.py: the prompts that come of it
    steps.py             the steps in their order; videos.py: what they share
    review.py            what only people can decide

    description_step.py  a model describes objects; each description is held against the truth
      vocabulary.py      the closed vocabulary of descriptions
      parsing.py         words → what they say
      description_check.py what they say → does it fit this object and nothing else, for certain
      describing.py      replies → descriptions with what the truth says of each
    facts.py             accepted descriptions → facts with five options, derived twice
    question_step.py     a model puts facts into questions, which are tried blind
      wording.py         the words of questions, by what they ask for
      question_check.py  does a model's question ask for the fact that it was given

Ref: STI-Bench §3.2.
"""

from __future__ import annotations

from fathom.authoring.filters import BLIND
from fathom.authoring.protocol import Authoring
from fathom.authoring.review import REVIEW
from fathom.benchmarks.stibench.authoring.description_step import DESCRIBE, DRAW
from fathom.benchmarks.stibench.authoring.facts import check_derivations
from fathom.benchmarks.stibench.authoring.footage import is_of_videos
from fathom.benchmarks.stibench.authoring.prompts import PROMPTS
from fathom.benchmarks.stibench.authoring.question_step import ASK
from fathom.benchmarks.stibench.authoring.review import OpenLine
from fathom.benchmarks.stibench.authoring.settings import VideoWriting, check_settings
from fathom.benchmarks.stibench.authoring.steps import begin
from fathom.records import IN_WORDS_OF

AUTHORING = Authoring(
    needs="videos that were built with exact tracks (sti-bench)",
    fits=is_of_videos,
    settings=VideoWriting(),
    key="videos",
    check=check_settings,
    begin=begin,
    steps=(DESCRIBE.name, REVIEW, DRAW, ASK.name, REVIEW, BLIND.name),
    model_steps=(DESCRIBE, ASK, BLIND),
    version=PROMPTS.version,
    source=IN_WORDS_OF,
    note=(
        "{count} questions were put into words by models ({models}), and every one was held against the "
        "truth and derived twice"
    ),
    prove=check_derivations,
    line=OpenLine,
)
