"""From a picked draft to a question with five options, and to the same question without.

Options that are nearer to the answer than its tolerance are drawn again. Which ones these are hangs on how
far apart the five lie, and hardly on which of them is right.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from fathom.programs.trajectory_words import LEFT, RIGHT
from fathom.programs.wrongness import margin_against, wrongness
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.notation import filled_text
from fathom.questions.numeric import number_format
from fathom.questions.numeric.measures import BASE_UNITS, KINDS, measure_of
from fathom.questions.numeric.option_sets import (
    Options,
    answer_places,
    five,
    five_of_parts,
    five_of_these,
    five_of_these_numbers,
)
from fathom.questions.numeric.separation import level_of
from fathom.questions.video_candidate import OptionPlan, VideoCandidate, VideoSelected
from fathom.records import Evidence, Groups, Margin, Precision, Question, UnfitError
from fathom.store.seeds import rng

IN_WORDS = {
    "m": "meters", "cm": "centimeters", "m/s": "meters per second", "cm/s": "centimeters per second",
    "m/s²": "meters per second squared", "cm/s²": "centimeters per second squared", "°": "degrees",
}  # fmt: skip


AWAY = frozenset({"centre", "box", "distance", "gap", "least_distance"})
"""Operators whose answers tell how far away something is: by how many pixels it takes, give or take one."""

PLACES = {"centre": 3, "box": 3, "pose": 3}
"""Kind of an answer of several numbers → how many of them, the first ones, are a place."""

ANGLES = {"box": slice(6, 7), "pose": slice(3, 6)}
"""The same → which of them are angles."""


def written(selected: Sequence[VideoSelected], recipe: VideoQuestionRecipe) -> list[Question]:
    """Return the questions, those about one number each followed by the same one without options. Answers
    stand at each place equally often.
    """
    names: list[str] = []
    numbers: Counter[tuple[str, str]] = Counter()
    for s in selected:
        key = s.candidate.scene, s.candidate.template.task
        numbers[key] += 1
        names.append(f"{key[0]}_{key[1]}_{numbers[key]}")
    places = answer_places(names, recipe.seed)
    out: list[Question] = []
    for name, s in zip(names, selected, strict=True):
        single = is_worth_a_number(s.candidate)
        twin = f"{name}_number" if single else ""
        out.append(_question(name, twin, s, places[name], recipe))
        if single:
            out.append(_without_options(out[-1], s.candidate, recipe.seed))
    return out


def is_worth_a_number(candidate: VideoCandidate) -> bool:
    """Return whether an answer is far enough from 0 for another number to be off by a share of it."""
    if candidate.template.asks != "number":
        return False
    least = measure_of(candidate.setting, candidate.template.quantity).least
    return abs(candidate.value) >= max(least, 4 * candidate.answered.tolerance[0])


def drawn_of(plan: OptionPlan, recipe: VideoQuestionRecipe) -> VideoSelected | None:
    """Return a candidate with options of which every false one is off by so many tolerances as it should
    be. None where there are none.
    """
    candidate = plan.candidate
    for k in range(recipe.redrawn):
        try:
            options = _options(plan, (recipe.seed, *candidate.names, k))
        except UnfitError:
            return None
        off = min((wrongness(candidate.answered, n) for n in _false(options)), default=recipe.apart)
        if len(set(options.texts)) == len(options.texts) and off >= recipe.apart:
            refused = too_fine(candidate, options, recipe) or out_of_view(candidate, options)
            return None if refused else VideoSelected(candidate, options, plan)
        if not options.numbers or plan.others:
            return None
    return None


def too_fine(candidate: VideoCandidate, options: Options, recipe: VideoQuestionRecipe) -> bool:
    """Return whether two of the five are nearer to one another than a share of the largest one: places in
    space, or numbers above zero; of two things, than a share of how far away they are. How far away something
    is cannot be told more finely than a pixel shows. Boxes and poses may be told by an angle instead.

    It is the same whichever of the five is right, and so tells nothing of that. Such options are not drawn
    again: of a large answer fewer sets would do than of a small one.
    """
    kind, quantity = candidate.template.asks, candidate.template.quantity
    if kind not in PLACES and (kind != "number" or not measure_of(candidate.setting, quantity).positive):
        return False
    numbers = np.array(options.numbers)
    rows, pairs = numbers[:, : PLACES.get(kind, 1)], np.triu_indices(len(numbers), 1)
    off = np.linalg.norm(rows[:, None] - rows[None], axis=-1)[pairs]
    most = max(candidate.away_m, float(np.linalg.norm(rows, axis=1).max()))
    finest = (
        max(recipe.finest, most / candidate.reach_px_m)
        if candidate.template.quantity in AWAY
        else recipe.finest
    )
    fine = off < finest * most
    if kind in ANGLES:
        angles = numbers[:, ANGLES[kind]]
        turned = np.abs((angles[:, None] - angles[None] + 180) % 360 - 180).max(axis=-1)[pairs]
        fine &= turned < recipe.finest_deg
    return bool(fine.any())


def out_of_view(candidate: VideoCandidate, options: Options) -> bool:
    """Return whether one of five places of an object lies beside what the camera sees at that time: it would
    be false, since the object is seen. It is the same whichever of the five is right.
    """
    if candidate.template.asks not in ("centre", "box") or candidate.template.into_first:
        return False
    x, _, z = np.array(options.numbers)[:, :3].T
    return bool((np.abs(x) > np.tan(np.radians(candidate.view_deg / 2)) * z).any())


def _false(options: Options) -> list[tuple[float, ...]]:
    """Return the numbers of the false options; none of words."""
    return [n for i, n in enumerate(options.numbers) if i != options.index]


def _options(plan: OptionPlan, names: tuple[str | int, ...]) -> Options:
    candidate, form = plan.candidate, plan.candidate.template
    if form.asks == "number" and plan.others:
        return five_of_these_numbers(
            candidate.value, [n for (n,) in plan.others], candidate.setting, form.quantity, *names,
            place=0, sides=form.sides,
        )  # fmt: skip
    if form.asks == "number":
        return five(
            candidate.value, candidate.setting, form.quantity, *names,
            span=plan.span, place=0, sides=form.sides, errors=plan.errors, rank=plan.slot.rank,
        )  # fmt: skip
    if plan.vector is not None and plan.others:
        return five_of_these(candidate.answered.numbers, plan.others, plan.vector, *names, place=0)
    if plan.vector is not None:
        return five_of_parts(
            candidate.answered.numbers, plan.vector, *names,
            place=0, ground=candidate.ground, rank=plan.slot.rank,
        )  # fmt: skip
    order = rng("false words", *names).permutation(len(plan.false))
    said = [str(candidate.answered.value), *(plan.false[int(k)] for k in order)]
    return Options(tuple(_word_text(candidate, w) for w in said), 0)


def _word_text(candidate: VideoCandidate, value: str) -> str:
    """Return how a relation or an order stands among the options."""
    if candidate.template.asks == "words":
        return RELATION_TEXTS[value]
    text = ", ".join(spelled(candidate.words[int(k) - 1]) for k in value.split())
    return text[:1].upper() + text[1:]


def _question(
    name: str, twin: str, selected: VideoSelected, place: int, recipe: VideoQuestionRecipe
) -> Question:
    candidate, options = selected.candidate, selected.options
    choices = list(options.texts)
    choices.insert(place, choices.pop(options.index))
    tags = {
        "setting": candidate.setting,
        "video": candidate.video,
        "form": candidate.template.id,
        "quantity": candidate.template.quantity,
        "unit": _unit(candidate),
    }
    if options.nearest_shown is not None:
        tags["nearest_error"] = f"{options.nearest_shown:.6g}"
    tags["difficulty"] = difficulty_of(candidate, options)
    return Question(
        id=name,
        task=candidate.template.task,
        text=sentence(candidate, recipe.seed, _one_side(candidate, options)),
        answer=choices[place],
        media=(recipe.media.format(scene=candidate.scene, video=candidate.video),),
        scene=candidate.scene,
        choices=tuple(choices),
        span_s=candidate.span_s,
        program=candidate.program,
        margin=_margin(candidate, options),
        evidence=_evidence(candidate),
        sampled_error=None if options.error is None else round(options.error, 9),
        precision=precision_said(candidate),
        groups=Groups(cluster=candidate.scene, pair=twin),
        tags={k: v for k, v in tags.items() if v},
        source="rules=tracks",
    )


def _margin(candidate: VideoCandidate, options: Options) -> Margin | None:
    answered = candidate.answered
    return margin_against(answered, _false(options)) if options.numbers else answered.margin


def _evidence(candidate: VideoCandidate) -> Evidence:
    return Evidence(
        objects=candidate.objects,
        steps=candidate.steps,
        smallest_visible_px=candidate.smallest_px,
        smallest_visible_fraction=candidate.smallest_share,
        needs=candidate.needs,
    )


def precision_said(candidate: VideoCandidate) -> Precision | None:
    """Return how finely a careful person could answer; None of words, and where nothing tells."""
    if not 0 < candidate.precise_to < math.inf:
        return None
    kind = KINDS[candidate.template.quantity] if candidate.template.asks == "number" else "length"
    return Precision(value=float(f"{candidate.precise_to:.3g}"), unit=BASE_UNITS[kind])


def difficulty_of(candidate: VideoCandidate, options: Options) -> str:
    """Return the level of a question: by how many of these its nearest false option is off, and of words by
    how many of what can just be told they are clear.
    """
    if options.nearest_shown is not None:
        return level_of(options.nearest_shown / candidate.precise_to) if candidate.precise_to else ""
    return level_of(candidate.clear)


def _unit(candidate: VideoCandidate) -> str:
    """Return the unit in which options are written: of several numbers those of each."""
    if candidate.template.asks == "number":
        return measure_of(candidate.setting, candidate.template.quantity).unit
    return candidate.answered.unit


def _without_options(question: Question, candidate: VideoCandidate, seed: str) -> Question:
    """Return the same question, whose answer is the number itself."""
    measure = measure_of(candidate.setting, candidate.template.quantity)
    step = number_format.step_for(measure.least / measure.one)
    shown = float(number_format.rounded(np.array([candidate.value / measure.one]), step)[0])
    text = (number_format.to_a_side if candidate.template.sides else number_format.with_unit)(
        shown, step, measure.unit
    )
    wish = f"Give the answer in {IN_WORDS[measure.unit]}"
    wish += ", and say to which side." if candidate.template.sides else "."
    tags = {k: v for k, v in question.tags.items() if k not in ("nearest_error", "difficulty")}
    return Question(
        id=question.groups.pair,
        task=question.task,
        text=f"{sentence(candidate, seed)} {wish}",
        answer=text,
        media=question.media,
        scene=question.scene,
        span_s=question.span_s,
        program=question.program,
        margin=candidate.answered.margin,
        evidence=question.evidence,
        precision=question.precision,
        groups=question.groups,
        tags={**tags, "numeric": "yes"},
        source=question.source,
    )


def spelled(words: str) -> str:
    """Return words for an object as they are written: nouns are kept in small letters."""
    return re.sub(r"\b(suv|tv)\b", lambda found: found.group().upper(), words)


def _one_side(candidate: VideoCandidate, options: Options) -> str:
    """Return the side that all options name, "" where they do not: the question then says it itself."""
    sides = {"left" if n[0] > 0 else "right" for n in options.numbers} if candidate.template.sides else set()
    return sides.pop() if len(sides) == 1 else ""


def view_words(candidate: VideoCandidate) -> str:
    """Return what every question about numbers says of the camera: metres and degrees hang on it."""
    if candidate.template.asks in ("words", "order") or not candidate.view_deg:
        return ""
    return f"The camera's view is {candidate.view_deg:.1f}° wide."


def clearly(text: str) -> str:
    """Return words in which the camera that films is not taken for one that it films."""
    return re.sub(r"\b(the|that) camera\b", r"\1 filming camera", text, flags=re.IGNORECASE)


def sentence(candidate: VideoCandidate, seed: str, side: str = "") -> str:
    """Return the words of a question, one of its form's wordings by chance; `side`: that of all options."""
    texts = (
        (candidate.template.texts_to_side if side else ())
        or candidate.template.texts
        or candidate.template.texts_of[candidate.shape]
    )
    text = texts[int(rng(seed, "wording", *candidate.names).integers(len(texts)))]
    turns = {LEFT, RIGHT}.intersection(part.partition(":")[0] for part in candidate.answered.form)
    if turns and candidate.template.of_turns:
        text = f"{text} {candidate.template.of_turns}"
    words = dict(zip("abc", map(spelled, candidate.words), strict=False))
    if candidate.template.when == "time":
        words["t"] = f"{candidate.times[0]} s"
    elif candidate.template.when == "span":
        words |= {"s": f"{candidate.times[0]} s", "e": f"{candidate.times[1]} s"}
    words |= {"extra": candidate.extra, "side": side}
    said = filled_text(text, lambda slot, _: words[slot])
    whole = " ".join(s for s in (said[:1].upper() + said[1:], view_words(candidate)) if s)
    return clearly(whole) if candidate.beside_cameras else whole
