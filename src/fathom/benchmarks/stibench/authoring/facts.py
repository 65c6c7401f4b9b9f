"""From accepted descriptions to facts: programs, exact answers, five options, and both derivations agreeing.

Facts are drawn as the questions of a build are: the same forms, what must be seen, how fine an answer must
be, and the same options; only the objects are called as the descriptions call them. Where a set of videos is
large enough for the answers of a form to be spread evenly, they are; the others say so in their tags.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import msgspec

from fathom.authoring.replies import tells
from fathom.benchmarks.stibench.authoring.footage import films_of, moments_of, named
from fathom.benchmarks.stibench.authoring.settings import Description, Fact, VideoWriting
from fathom.benchmarks.stibench.construction import questions, templates
from fathom.benchmarks.stibench.paper import TASK_SIZES
from fathom.datasets.generators.videos_proofs import proofs, video_answers
from fathom.datasets.proofs import AGREE
from fathom.ground_truth.cell_files import TruthCells
from fathom.programs.referring import Expression
from fathom.programs.values import SURE
from fathom.questions.balancing.video import chosen
from fathom.questions.balancing.video_numbers import errors_of, vector_of
from fathom.questions.contexts.video import WHOLE, Moment, VideoContext
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.contexts.video_visibility import Seeing
from fathom.questions.mix import VideoMix, wanted_of
from fathom.questions.numeric.separation import Slot
from fathom.questions.sampling.video import drafts_of
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected
from fathom.questions.writing.video import drawn_of, view_words, written
from fathom.records import Question, Scene, UnfitError
from fathom.store.datasets import Dataset
from fathom.store.seeds import rng, short_hash

OFFERED = 3
"""So many times as many facts are tried as are wanted, since some cannot be proved."""


def recipe_of(writing: VideoWriting) -> VideoQuestionRecipe:
    """Return the recipe by which facts are drawn."""
    most = max(12, OFFERED * writing.each)
    mix = VideoMix(shares=TASK_SIZES, questions_per_scene=float(writing.each), most_per_scene=most)
    return questions(f"written/{writing.seed}", mix=mix)


def called_in(descriptions: Iterable[Description]) -> dict[tuple[str, Moment], Expression]:
    """Return how objects are called: the first description of each object and span that can be used."""
    out: dict[tuple[str, Moment], Expression] = {}
    for d in descriptions:
        key = d.object_id, Moment(d.first, d.last)
        out.setdefault(key, Expression(d.object_id, d.words, d.program, SURE, 0))
    return out


def drafts_in(
    stage: VideoContext, descriptions: Sequence[Description], writing: VideoWriting
) -> list[VideoCandidate]:
    """Return what can be asked of a video in which objects are called so, and others are not named."""
    staged = named(stage, called_in(descriptions))
    spans = [m for m in moments_of(stage, writing) if m != WHOLE]
    return drafts_of(staged, spans)


HARDEST = Slot(-1, "hard")
"""What options are dealt where nothing is spread: of all levels there is always room for this one."""


def picked_of(
    candidates: Sequence[VideoCandidate], scenes: Sequence[Scene], writing: VideoWriting
) -> list[VideoSelected]:
    """Return what is tried as facts: first what is spread evenly over its form, then others by chance."""
    recipe = recipe_of(writing)
    here = [s for s in scenes if any(d.scene == s.id for d in candidates)]
    picked = list(chosen(candidates, wanted_of(recipe.mix, here), recipe).selected) if here else []
    taken = {p.candidate.names for p in picked}
    by_scene: dict[str, list[VideoCandidate]] = defaultdict(list)
    for d in candidates:
        if d.names not in taken:
            by_scene[d.scene].append(d)
    for scene, left in sorted(by_scene.items()):
        room = OFFERED * writing.each - sum(p.candidate.scene == scene for p in picked)
        plans = [_single(d, writing) for d in _mixed(left, scene, writing)[: max(room, 0)]]
        picked += [drawn for drawn in (drawn_of(plan, recipe) for plan in plans) if drawn is not None]
    return picked


def _mixed(candidates: Sequence[VideoCandidate], scene: str, writing: VideoWriting) -> list[VideoCandidate]:
    """Return drafts by chance, one of each task before the second of any, those about objects before those
    about the camera alone, and each fact once.
    """
    before: dict[str, int] = defaultdict(int)
    ranked: list[tuple[int, bool, int, VideoCandidate]] = []
    told: set[tuple[object, ...]] = set()
    g = rng(writing.seed, "facts", scene)
    for i in g.permutation(len(candidates)):
        d = candidates[int(i)]
        tells_same = (d.template.quantity, d.template.tree.args, frozenset(d.objects), d.times)
        if tells_same in told:
            continue
        told.add(tells_same)
        ranked.append((before[d.template.task], not d.objects, len(ranked), d))
        before[d.template.task] += 1
    return [d for *_, d in sorted(ranked, key=lambda one: one[:3])]


def _single(candidate: VideoCandidate, writing: VideoWriting) -> OptionPlan:
    """Return a draft with what its options keep to, whatever other answers there are."""
    g = rng(writing.seed, "false", *candidate.names)
    if candidate.template.asks == "order":
        every = [" ".join(map(str, p)) for p in permutations((1, 2, 3))]
        false = [w for w in every if w != candidate.answered.value]
    elif candidate.template.asks == "words":
        false = [w for w in RELATION_TEXTS if w != candidate.answered.value]
    elif candidate.template.asks == "number":
        return OptionPlan(candidate, slot=HARDEST, errors=errors_of([candidate], HARDEST))
    else:
        vector = replace(vector_of(candidate), errors=errors_of([candidate], HARDEST))
        return OptionPlan(candidate, slot=HARDEST, vector=vector)
    false.pop(int(g.integers(len(false))))
    return OptionPlan(candidate, false=tuple(false))


def facts_of(
    picked: Sequence[VideoSelected], descriptions: Sequence[Description], writing: VideoWriting
) -> list[Fact]:
    """Return the facts with their options; what finds none, or tells its answer by its words, is left out."""
    recipe, out = recipe_of(writing), []
    usable = [d for d in descriptions if d.outcome != "rejected"]
    for p in picked:
        q = written([p], recipe)[0]
        if tells(q.text, q.choices, q.answer):
            continue
        out.append(_fact(q, p, usable))
    return out


def _fact(q: Question, picked: VideoSelected, descriptions: Sequence[Description]) -> Fact:
    candidate = picked.candidate
    key = short_hash("fact", *candidate.names, *candidate.words, length=8)
    name = f"{candidate.scene}_{candidate.template.id}_{key}"
    spread = picked.plan.span is not None or bool(picked.plan.others)
    even = spread or candidate.template.asks in ("words", "order")
    tags = {**q.tags, "written": "yes", **({} if even else {"spread": "no"})}
    question: Question = msgspec.structs.replace(
        q, id=name, tags=tags, groups=msgspec.structs.replace(q.groups, pair="")
    )
    used = [next(d.id for d in descriptions if (d.object_id, d.words) == pair and d.scene == candidate.scene)
            for pair in zip(candidate.objects, candidate.words, strict=True)]  # fmt: skip
    left, fixed = q.text, []
    said = (*templates().conventions.values(), view_words(candidate))
    for convention in (*said, *(c.replace(" camera", " filming camera") for c in said)):
        if convention and convention in left:
            fixed.append(convention)
            left = left.replace(convention, "")
    return Fact(
        id=name, question=question, setting=candidate.setting, form=candidate.template.id,
        words=candidate.words,
        descriptions=tuple(used), times=candidate.times, fixed=tuple(fixed),
    )  # fmt: skip


def proved(
    dataset: Dataset, stage: VideoContext, questions: Sequence[Question]
) -> Mapping[str, tuple[str, str]]:
    """Return for each question of a video whether both derivations agree, and what they come to."""
    if not questions:
        return {}
    with TruthCells(dataset.path / stage.scene.truth) as cells:
        return proofs(stage.scene, cells, stage.visibility, stage.recipe.seeing, questions)


def filtered(
    facts: Sequence[Fact], verdicts: Mapping[str, tuple[str, str]], writing: VideoWriting
) -> list[Fact]:
    """Return a video's facts: as many as are wanted of those on which both derivations agree, and with the
    reason those on which they do not.
    """
    out: list[Fact] = []
    for fact in facts:
        verdict, words = verdicts[fact.id]
        if verdict != AGREE:
            out.append(msgspec.structs.replace(fact, left=f"{verdict}: {words}".rstrip(": ")))
        elif sum(not f.left for f in out) < writing.each:
            out.append(fact)
    return out


def check_derivations(dataset: Dataset, questions: Sequence[Question]) -> None:
    """Raise UnfitError for a question whose answer is not what both derivations come to."""
    for scene, _ in films_of(dataset):
        asked = [q for q in questions if q.scene == scene.id]
        if not asked:
            continue
        with TruthCells(dataset.path / scene.truth) as cells:
            answers = list(video_answers(scene, cells, asked, Seeing()))
        for q, (first, second) in zip(asked, answers, strict=True):
            if not first == second == q.answer:
                raise UnfitError(
                    f"{dataset.path}: the answer of {q.id} is {q.answer!r}, and its derivations come to "
                    f"{first!r} and {second!r}; the dataset or the work on it was changed: write its "
                    "questions again, in another folder"
                )
