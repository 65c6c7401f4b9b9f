"""What is scored: captions beside their references, of a model or of people; and where the tools lie."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.records import InputError, MissingExtraError, Question, SampleScore
from fathom.scoring.metrics.captions.encoders import BERT_LAYER
from fathom.scoring.metrics.captions.tokens import NamedTokenizer, ptb_java, ptb_stand_in
from fathom.store.seeds import rng


@dataclass(frozen=True)
class Captioned:
    """One caption of an object beside the references that it is held against.

    `candidate` is "" where no caption came; `repeat` numbers several of one object.
    """

    object: str
    candidate: str
    references: tuple[str, ...]
    cluster: str = ""
    repeat: int = 0


@dataclass(frozen=True)
class CaptionTools:
    """Where the files lie that some metrics need; nothing is looked for on a network.

    Where the jars are not given, those of the extra `java` are used. Without either, PTB words come from the
    stand-in, and the score says so. `corpus_idf` makes CIDEr of `plain` weigh n-grams by the references at
    hand, under another name.
    """

    ptb_jar: Path | None = None
    meteor_jar: Path | None = None
    wordnet: Path | None = None
    document_frequencies: Path | None = None
    bert: Path | None = None
    bert_layer: int = BERT_LAYER
    sbert: Path | None = None
    corpus_idf: bool = False

    def ptb_tokenizer(self) -> NamedTokenizer:
        """Return the exact tokenizer where it can be run, else the stand-in.

        Raises InputError where the jar that was given is not there; that Java is not, is found at first use.
        """
        try:
            exact = ptb_java(self.ptb_jar)
        except MissingExtraError:
            return ptb_stand_in()
        if self.ptb_jar is None and shutil.which("java") is None:
            return ptb_stand_in()
        return exact


VARIABLES: Mapping[str, str] = {
    "ptb_jar": "FATHOM_PTB_JAR",
    "meteor_jar": "FATHOM_METEOR_JAR",
    "wordnet": "FATHOM_WORDNET",
    "document_frequencies": "FATHOM_DOCUMENT_FREQUENCIES",
    "bert": "FATHOM_BERT",
    "sbert": "FATHOM_SBERT",
}
"""The environment variable that names each file or folder."""


def tools_from(environ: Mapping[str, str], corpus_idf: bool = False) -> CaptionTools:
    """Return the tools whose paths stand in environment variables."""
    paths = {field: Path(environ[name]) for field, name in VARIABLES.items() if environ.get(name)}
    return CaptionTools(corpus_idf=corpus_idf, **paths)  # type: ignore[arg-type]


def captions_of(questions: Sequence[Question], sample_scores: Sequence[SampleScore]) -> list[Captioned]:
    """Return a caption for each sample score of a question with references, in the order of the sample
    scores.

    What was refused, failed or is missing is an empty caption, worth 0. Raises InputError where a sample
    score belongs to no such question.
    """
    asked = {q.id: q for q in questions if q.references}
    found = []
    for sample_score in sample_scores:
        if sample_score.question not in asked:
            raise InputError(
                f"sample score of question {sample_score.question!r}: expected a question with reference "
                "captions, found none of that name; score the run with the dataset that it was made on"
            )
        question = asked[sample_score.question]
        found.append(
            Captioned(
                object=question.id,
                candidate=sample_score.picked or "" if sample_score.status == "ok" else "",
                references=question.references,
                cluster=question.groups.cluster or question.scene,
                repeat=sample_score.variant.repeat,
            )
        )
    return found


def human_captions(questions: Sequence[Question], seed: str | int) -> list[Captioned]:
    """Return one person's caption of each object, held against the others' (4D-Bench's human row).

    Which one is drawn depends on the seed and the question's id alone. Raises InputError where a question
    has a single reference.
    """
    found = []
    for question in questions:
        references = question.references
        if len(references) < 2:
            raise InputError(
                f"question {question.id}: people can be compared where there are at least 2 reference "
                f"captions, found {len(references)}; leave the human row out"
            )
        drawn = int(rng(seed, "human caption", question.id).integers(len(references)))
        others = references[:drawn] + references[drawn + 1 :]
        cluster = question.groups.cluster or question.scene
        found.append(Captioned(question.id, references[drawn], others, cluster))
    return found
