"""From a chosen candidate to a question: its words, its program with the choices, margin and evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fathom.programs.degeneracy import unneeded
from fathom.programs.engine import Trace, run
from fathom.programs.fewest import fewest_cells, fewest_times, fewest_views
from fathom.programs.needs import needs_of, one_time_is_enough, one_view_is_enough
from fathom.programs.operators.visibility import wholly_hidden
from fathom.programs.values import members
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedQuestionRecipe, AnimatedSelected
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_words import sentence
from fathom.questions.sampling.animated import unshown
from fathom.questions.templates import Template, with_choice
from fathom.records import Evidence, Groups, Need, Question, Scene, Step
from fathom.store.seeds import rng


def write(
    scene: Scene,
    visibility: VisibilityGrid,
    picked: Sequence[AnimatedSelected],
    recipe: AnimatedQuestionRecipe,
) -> tuple[list[Question], Counter[str]]:
    """Return the questions of a film, and what the last check found.

    A question that fails the check is left out; only its choices can be the reason.
    """
    timeline = animated_view(scene, visibility, recipe.rules)
    stage = AnimatedContext(scene, timeline, recipe.language, recipe.verbs)
    found: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    questions = []
    for p in picked:
        form = p.candidate.template
        program = with_choice(form, p.candidate.program, [o.key for o in p.options])
        trace = run(program, timeline)
        needs = needs_of(program, trace, timeline) if trace.answer is not None else ()
        fault = _fault(p, program, trace, needs, timeline)
        if not fault and recipe.only_shown:
            # What has to be seen of limbs and parts hangs on which of them are the choices.
            fault = unshown(program, needs, stage, recipe)
        found[fault or "accepted"] += 1
        if not fault:
            place = numbers[form.task]
            numbers[form.task] += 1
            name = f"{scene.id}_{form.task}" + (f"_{place + 1}" if place else "")
            questions.append(_question(name, stage, form, p, program, trace, needs, recipe))
    return questions, found


def _fault(
    p: AnimatedSelected, program: Sequence[Step], trace: Trace, needs: Sequence[Need], timeline: AnimatedView
) -> str:
    if trace.answer != p.candidate.answer.key:
        return "no single choice fits"
    if trace.least.ratio < 1:
        return "margin below 1"
    if not needs or any(not n.cells for n in needs):
        return "cannot be seen"
    if len({o.text for o in p.options}) < len(p.options):
        return "two choices are alike"
    return "a word is not needed" if unneeded(program, timeline, trace.answer) else ""


def _question(
    name: str,
    stage: AnimatedContext,
    form: Template,
    p: AnimatedSelected,
    program: tuple[Step, ...],
    trace: Trace,
    needs: tuple[Need, ...],
    recipe: AnimatedQuestionRecipe,
) -> Question:
    scene, timeline = stage.scene, stage.timeline
    g = rng(recipe.seed, "wording", scene.id, *p.candidate.identity)
    text = form.texts[int(g.integers(len(form.texts)))]
    selected = trace.selected(timeline)
    said = sentence(text, stage.actor, p.candidate.fills, int(g.integers(60)))
    if _wholly(timeline, program, trace):
        for mostly, wholly in stage.language.mostly.items():
            said = said.replace(mostly, wholly)
    return Question(
        id=name,
        task=form.task,
        text=said + _aside(stage, form, program),
        answer=p.candidate.answer.text,
        media=tuple(recipe.media.format(scene=scene.id, view=v) for v in _views(stage, form, p)),
        scene=scene.id,
        choices=tuple(o.text for o in p.options),
        program=program,
        margin=trace.margin,
        evidence=Evidence(
            objects=tuple(t for t in timeline.objects if any(t in ids for ids in selected)),
            steps=selected,
            needs=needs,
        ),
        groups=Groups(cluster=p.candidate.asset),
        tags=_tags(scene, form, p, needs),
        source="rules=stories",
    )


def _views(stage: AnimatedContext, form: Template, p: AnimatedSelected) -> tuple[int, ...]:
    """Return the views that a question shows: the one that it is about, else all."""
    own = [int(f.key) for slot, f in p.candidate.fills.items() if form.slots[slot] == "view"]
    return tuple(own or range(stage.timeline.visibility.views))


def _wholly(timeline: AnimatedView, program: Sequence[Step], trace: Trace) -> bool:
    """Return whether next to nothing shows of all that a question calls hidden."""
    for step, value in zip(program, trace.values, strict=True):
        if step.op == "hidden":
            moment = trace.values[step.inputs[1]]
            return all(wholly_hidden(timeline, k, step.args[0], moment) for k in members(value))
        if step.op == "hidden_from":
            return wholly_hidden(timeline, trace.values[step.inputs[0]], value, trace.values[step.inputs[1]])
    return False


def _aside(stage: AnimatedContext, form: Template, program: Sequence[Step]) -> str:
    """Return what is said of screens where a question speaks of objects of any kind and colour."""
    ops = {s.op for s in program}
    names = sorted({stage.scene.objects[k].attributes["name"] for k in stage.timeline.screens})
    if not names or "standing" not in ops or ops & {"named", "colored"}:
        return ""
    if form.asks not in ("numbers", "colors"):  # the choices show what is meant
        return ""
    return f" Leave the {' and '.join(stage.language.plural(n) for n in names)} aside."


def _tags(scene: Scene, form: Template, p: AnimatedSelected, needs: Sequence[Need]) -> dict[str, str]:
    tags = {
        "form": form.id,
        "views": "one" if one_view_is_enough(needs) else "several",
        "time": "one" if one_time_is_enough(needs) else "several",
        "fewest": f"{fewest_cells(needs)} cells, {fewest_views(needs)} views, {fewest_times(needs)} times",
        "distractors": ",".join(o.source for o in p.options if o.key != p.candidate.answer.key),
    }
    if "counterfactual" in scene.source:
        tags["counterfactual"] = scene.source["counterfactual"]
    if p.candidate.prior and any(o.key == p.candidate.prior.key for o in p.options):
        tags["prior_answer"] = p.candidate.prior.text
    return tags
