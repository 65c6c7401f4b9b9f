"""Wrong options of questions about clips, written by models, tried blind, sorted by people.

    settings.py   what is written, and how it is sorted
    prompts.toml  what models are told, and the rules of each dimension; prompts.py: the prompts
    replies.py    what a writer said → wrong options, or why they are none
    steps.py      the steps in their order

Ref: SEED-Bench §3.3.
"""

from __future__ import annotations

from fathom.authoring.filters import BLIND
from fathom.authoring.protocol import Authoring
from fathom.authoring.review import REVIEW
from fathom.benchmarks.seedbench.authoring.lengths import LENGTHS
from fathom.benchmarks.seedbench.authoring.review import AnnotationLine
from fathom.benchmarks.seedbench.authoring.steps import SOURCE
from fathom.benchmarks.seedbench.videos.authoring.prompts import PROMPTS
from fathom.benchmarks.seedbench.videos.authoring.settings import ClipWriting, check_settings
from fathom.benchmarks.seedbench.videos.authoring.steps import WRITE, begin
from fathom.benchmarks.seedbench.videos.kept import has_annotations

AUTHORING = Authoring(
    needs="questions about annotated videos (fathom import seed-bench --layout annotations)",
    fits=lambda dataset: has_annotations(dataset.path),
    settings=ClipWriting(),
    key="clips",
    check=check_settings,
    begin=begin,
    steps=(WRITE.name, LENGTHS, BLIND.name, REVIEW),
    model_steps=(WRITE, BLIND),
    version=PROMPTS.version,
    source=SOURCE,
    note="the wrong options of {count} questions were written by models ({models}), and kept by people",
    replaces=True,
    line=AnnotationLine,
)
