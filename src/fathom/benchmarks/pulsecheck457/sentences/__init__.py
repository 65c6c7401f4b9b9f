"""An independent reader of PulseCheck457's questions: what the words say, compared with the program.

The answers of a dataset are proved by programs, and a model is shown words. This reader turns the words back
into a program by a grammar of its own and shares no table and no function with what wrote them. A difference
that could change what is asked is a fault of the wording, and so is a text that cannot be read.

Ref: docs/benchmarks/pulsecheck457-questions.md, "The proof of the words".
"""

from __future__ import annotations

from fathom.benchmarks.pulsecheck457.sentences import words as w
from fathom.benchmarks.pulsecheck457.sentences.grammar import GrammarWords, Reader, Unreadable
from fathom.benchmarks.pulsecheck457.sentences.normal import Meaning, meaning_of
from fathom.records import Question, Scene, TextReading

VIEWER, OWN = "L3_2d_spatial", "L5_6d_spatial"


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether the words of a question say what its program does."""
    try:
        said = Reader(question.text, lexicon_of(question, scene)).question()
    except Unreadable as e:
        return TextReading(verdict="unreadable", why=str(e))
    try:
        done = meaning_of(question.program)
    except IndexError:
        return TextReading(verdict="disagree", why="its program reads a step that is not there")
    if _lowered(done) != said:
        return TextReading(verdict="disagree", why=f"its words say {said}, its program {done}")
    wrong = _unfit_answers(said, question, scene)
    return TextReading(verdict="disagree", why=wrong) if wrong else TextReading(verdict="agree")


def lexicon_of(question: Question, scene: Scene) -> GrammarWords:
    """Return the words of a question about this scene, by its rules and its task."""
    published = question.source == "rules=paper"
    own = question.task == OWN
    shapes = question.possible if question.program and question.program[-1].op == "query_shape" else ()
    nouns = w.nouns_of(scene, shapes)
    many = {form: noun for noun in nouns for form in w.plurals_of(noun)}
    frames = {VIEWER: w.CAMERA_FRAME, OWN: w.OWN_FRAME}
    return GrammarWords(
        sizes=w.attribute_words(scene, "size", w.SIZE_WORDS),
        colors=w.attribute_words(scene, "color", w.COLOR_WORDS),
        one={w.ANYTHING: "", **{noun: noun for noun in nouns}},
        many={f"{w.ANYTHING}s": "", **many},
        related=w.AS_PUBLISHED if published else w.SEEN_FROM_OBJECT if own else w.SEEN_FROM_CAMERA,
        related_by="relate_own" if own else "relate",
        framed=() if published else frames.get(question.task, ()),
    )


def _lowered(meaning: Meaning) -> Meaning:
    words = tuple(sorted(word.lower() for word in meaning.words))
    return Meaning(meaning.op, words, tuple(_lowered(m) for m in meaning.reads))


def _unfit_answers(said: Meaning, question: Question, scene: Scene) -> str:
    """Return what is wrong with the possible answers of a question that asks this, "" where nothing is."""
    kinds = {
        "count": frozenset(str(k) for k in range(11)),
        "query_size": w.attribute_words(scene, "size", w.SIZE_WORDS),
        "query_color": w.attribute_words(scene, "color", w.COLOR_WORDS),
        "query_pose": w.FOUR_WAYS,
        "query_shape": frozenset(),
    }
    fit = kinds.get(said.op, frozenset({"yes", "no"}))
    named = {answer.lower() for answer in (question.answer, *question.possible)}
    odd = sorted(named - fit) if fit else sorted(named & {"yes", "no", *w.SIZE_WORDS, *w.COLOR_WORDS})
    return f"{', '.join(odd)}: no answer to a question by {said.op}" if odd else ""
