"""From scenes to questions: candidates of every scene, selection over blocks, records with their proof.

`offer` and `write` are pure functions of one scene and can run anywhere; `select` sees one block of lots at a
time, so that memory does not grow with the number of scenes and the result does not depend on who computes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from fathom.programs.degeneracy import unneeded_words
from fathom.programs.engine import CompiledProgram, Trace, run, run_planned
from fathom.programs.predicates import RelationInputs
from fathom.programs.rules import Rules
from fathom.programs.state import SceneState, scene_state
from fathom.programs.views.still import StillView, hardened, jittered_views, still_view
from fathom.questions.asking import Asking, StillCandidate, StillSelected
from fathom.questions.candidate import SceneCandidates
from fathom.questions.candidates import candidates
from fathom.questions.checking import planned
from fathom.questions.jitter import SightsUnder, shaken_poses, shaken_world
from fathom.questions.selection import BLOCK, uncollected
from fathom.questions.templates import Template
from fathom.questions.wording import Wording, mask_name, sentence
from fathom.records import Evidence, Groups, ObjectVisibility, Question, Scene, Step
from fathom.store.seeds import digest

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Recipe:
    """All that decides which questions a set of scenes gets.

    `sights_under` lets the jitter test see what hides what in each of its worlds; without it occlusion is
    guarded by its own tolerances alone. `media` names the picture of a scene ("{scene}" is its id).
    """

    seed: str
    rules: Rules
    asking: Asking
    wording: Wording
    sights_under: SightsUnder | None = None
    media: str = "{scene}"
    block: int = BLOCK


@uncollected()
def offer(scene: Scene, recipe: Recipe) -> SceneCandidates[StillCandidate]:
    """Return the candidates of a scene. A pure function of its arguments."""
    if not recipe.asking.enforce:
        return candidates(still_view(scene, recipe.rules), None, recipe.asking, recipe.seed)
    state = scene_state(scene)
    world, seen = _shaken(scene, state, recipe)
    facts, hard = hardened(state, recipe.rules, world, None if seen is None else (scene.visibility, *seen))
    return candidates(facts, hard, recipe.asking, recipe.seed)


@uncollected()
def write(work: tuple[Scene, Sequence[StillSelected]], recipe: Recipe) -> tuple[list[Question], Counter[str]]:
    """Return the questions of a scene in the order of the file, and what the last check found.

    Under enforcing settings a question that fails the check is left out; none should.
    """
    scene, chosen = work
    facts = still_view(scene, recipe.rules)
    families = {t.id: t for t in recipe.asking.templates}
    found: Counter[str] = Counter()
    drafts: dict[str, tuple[Template, StillSelected]] = {}
    for c in chosen:
        template = families[c.candidate.template]
        drafts.setdefault(_text(template, c, recipe), (template, c))
    shaken = [] if recipe.asking.enforce else _shaken_views(scene, recipe)
    questions = []
    numbers: Counter[str] = Counter()
    # Numbers and places follow a hash of the text, which knows nothing of the answer.
    for text in sorted(drafts, key=lambda t: digest(recipe.seed, "order", scene.id, t)):
        template, c = drafts[text]
        question, idle = _question(scene, facts, template, c, text, numbers[template.task], recipe)
        faults = _faults(question, idle, shaken)
        found["questions"] += 1
        found.update(faults)
        if recipe.asking.enforce and faults:
            continue
        numbers[template.task] += 1
        questions.append(question)
    return questions, found


def _shaken(
    scene: Scene, state: SceneState, recipe: Recipe
) -> tuple[RelationInputs, Sequence[Sequence[ObjectVisibility]] | None]:
    """Return the worlds of the jitter test, and what is seen in each of them where somebody looks."""
    world = shaken_world(state, recipe.rules.shake, recipe.seed)
    return world, recipe.sights_under(scene, shaken_poses(scene, world)) if recipe.sights_under else None


def _shaken_views(scene: Scene, recipe: Recipe) -> list[StillView]:
    state = scene_state(scene)
    world, seen = _shaken(scene, state, recipe)
    return jittered_views(state, recipe.rules, world, seen)


def _text(template: Template, chosen: StillSelected, recipe: Recipe) -> str:
    c = chosen.candidate
    pick = int.from_bytes(digest(recipe.seed, "wording", c.scene, c.template, repr(c.slots))[:4], "big")
    openings = recipe.wording.openings.get(template.task, ("",))
    variant, opening = pick % len(template.texts), openings[pick // 97 % len(openings)]
    return sentence(template, variant, opening, dict(c.slots), recipe.wording)


def _question(
    scene: Scene,
    facts: StillView,
    template: Template,
    chosen: StillSelected,
    text: str,
    number: int,
    recipe: Recipe,
) -> tuple[Question, tuple[int, ...]]:
    """Return a question, and the steps of its program that are not needed."""
    slots = dict(chosen.candidate.slots)
    plan, args = planned(template, slots)
    program = plan.program(args)
    trace = run_planned(plan, args, facts)
    vocabulary = recipe.asking.vocabulary
    masks = [mask_name(slots[name], vocabulary.classes) for name in template.descriptions]
    said = [str(slots[name]) for name in template.relations]
    question = Question(
        id=f"{scene.id}-{template.task}-{number:02d}",
        task=template.task,
        text=text,
        answer=trace.answer or "",
        media=(recipe.media.format(scene=scene.id),),
        scene=scene.id,
        possible=chosen.options,
        equivalents=vocabulary.also.get(trace.answer or "", ()),
        program=program,
        margin=trace.margin,
        evidence=evidence(plan, trace, facts),
        groups=Groups(cluster=scene.id),
        tags={
            "template": template.id,
            "asks": template.asks,
            "signature": ",".join(masks),
            **({"relation": ",".join(said)} if said else {}),
        },
        source=f"rules={facts.rules.name}",
    )
    return question, unneeded_words(plan, args, facts, trace.values)


def evidence(plan: CompiledProgram, trace: Trace, facts: StillView) -> Evidence:
    """Return where a question's answer can be seen: the objects it names, and those that it counts or
    finds.
    """
    selected = trace.selected(facts)
    used = {name for k, of in plan.shown if k < len(selected) for name in selected[of]}
    places = [k for k, name in enumerate(facts.objects) if name in used]
    return Evidence(
        objects=tuple(facts.objects[k] for k in places),
        steps=selected,
        smallest_visible_px=min([facts.visible_px[k] for k in places], default=0),
        smallest_visible_fraction=min([facts.visible_fraction[k] for k in places], default=1.0),
    )


def told(program: Sequence[Step], answer: str) -> bool:
    """Whether an object is described by the very word that is asked for: "what color is the red bus"."""
    asked = program[-1].op
    if not asked.startswith("query_"):
        return False
    place = program[-1].inputs[0]
    while program[place].op == "unique" or program[place].op.startswith("filter_"):
        step = program[place]
        if step.op == asked.replace("query_", "filter_") and step.args == (answer,):
            return True
        place = step.inputs[0]
    return False


def _faults(question: Question, idle: Sequence[int], shaken: Sequence[StillView]) -> list[str]:
    """Return what is wrong with a question of whose program the steps `idle` are not needed, each fault
    once.
    """
    if not question.answer or question.answer not in question.possible:
        return ["answer"]
    faults = {
        "droppable filter" if question.program[k].op.startswith("filter_") else "droppable relation"
        for k in idle
    }
    if question.margin is not None and question.margin.ratio < 1:
        faults.add("margin below 1")
    if told(question.program, question.answer):
        faults.add("answer in its own words")
    if any(run(question.program, f, weighed=False).answer != question.answer for f in shaken):
        faults.add("jitter flips")
    return sorted(faults)


def fitted(recipe: Recipe, scenes: int, objects: float) -> Recipe:
    """Return the recipe by which the scenes of a block of so many, with so many objects on average, offer
    their candidates.

    A small block needs more of each scene, so that every answer is in the pools.
    """
    depth = recipe.asking.depth * (1 + 60 / scenes)
    return replace(recipe, asking=replace(recipe.asking, depth=depth, objects=objects, scenes=scenes))
