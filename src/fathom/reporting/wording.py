"""Steps of programs, margins and outcomes in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fathom.programs.views.still import SHAPE_NAMES
from fathom.records import Margin, SampleScore, SceneObject, Step

CAPTION = "caption"
"""`SampleScore.how` of a caption."""

OUTCOMES = {
    "right": "correct",
    "partial": "partly correct",
    "wrong": "wrong",
    "unread": "not readable",
    "refused": "refused",
    "failed": "failed",
    "missing": "no response",
    "written": "caption",
}
"""What can become of a question put to a model, in words."""

_VIEWER = {
    "left": "left of it, as seen",
    "right": "right of it, as seen",
    "front": "nearer to the camera than it",
    "behind": "farther from the camera than it",
}
_OWN = {
    "left": "to its own left",
    "right": "to its own right",
    "front": "ahead of it",
    "behind": "behind its back",
}
_WITH_ARGUMENT = {
    "relate": {side: f"what is {words}" for side, words in _VIEWER.items()},
    "relate_own": {side: f"what is {words}" for side, words in _OWN.items()},
    "relate_hit": {way: f"what it would hit going {way}" for way in ("forward", "backward")},
    "relate_first": {way: f"what it would hit first going {way}" for way in ("forward", "backward")},
    "relate_path": {way: f"what is in its path {way}" for way in ("forward", "backward")},
}
_STEPS = {
    "scene": "everything in the scene",
    "unique": "the only one",
    "others": "everything else",
    "union": "one or the other",
    "intersect": "both at once",
    "count": "how many?",
    "exist": "is there any?",
    "filter_size": "those that are {0}",
    "filter_color": "those that are {0}",
    "filter_shape": "those of kind {0}",
    "filter_pose": "those facing {0}",
    "filter_occludee": "those partly hidden",
    "filter_occluder": "those hiding something",
    "relate_occluded": "what hides it",
    "relate_occluding": "what it hides",
    "relate_part_occluded": "what hides the part",
    "relate_occluding_part": "the parts it hides",
    "query_size": "what size?",
    "query_color": "what color?",
    "query_shape": "what kind?",
    "query_pose": "facing which way?",
    "equal_integer": "as many?",
    "less_than": "fewer?",
    "greater_than": "more?",
    "equal_size": "the same size?",
    "equal_color": "the same color?",
    "equal_shape": "the same kind?",
    "equal_pose": "facing the same way?",
    "equal_object": "the same object?",
    "same_size": "others of its size",
    "same_color": "others of its color",
    "same_shape": "others of its kind",
    "same_pose": "others facing the same way",
    "opposite_pose": "others facing the opposite way",
    "vertical_pose": "others facing at a right angle to it",
    "object2part": "its parts",
    "object2part_all": "all their parts",
    "part2object": "what the part belongs to",
    "partfilter_size": "the parts that are {0}",
    "partfilter_color": "the parts that are {0}",
    "partfilter_shape": "the parts called {0}",
    "partfilter_occludee": "the parts that are hidden",
    "partquery_size": "what size is the part?",
    "partquery_color": "what color is the part?",
    "partquery_shape": "which part?",
    "partquery_occlusion": "how much of the part is hidden?",
}
_RELATIONS = {
    **_VIEWER,
    **{f"own:{side}": words for side, words in _OWN.items()},
    **{f"hit:{way}": f"hit when it goes {way}" for way in ("forward", "backward")},
    **{f"first:{way}": f"hit first when it goes {way}" for way in ("forward", "backward")},
    **{f"path:{way}": f"in its path {way}" for way in ("forward", "backward")},
    **{f"faces:{side}": f"faces {side}" for side in ("left", "right", "front", "back")},
    "pose:same": "faces the same way",
    "pose:opposite": "faces the opposite way",
    "pose:vertical": "faces at a right angle",
    "occluders": "hides part of it",
    "occludees": "is partly hidden by it",
    "occluder": "hides something",
    "occludee": "is partly hidden",
}


def step_words(step: Step) -> str:
    """Return what a step does in a few words; an operator without words of its own is named as it is."""
    argument = step.args[0] if step.args else ""
    if found := _WITH_ARGUMENT.get(step.op, {}).get(argument):
        return found
    words = _STEPS.get(step.op)
    if words is not None and ("{0}" not in words or argument):
        return words.replace("{0}", argument)
    return " ".join([step.op.replace("_", " "), *step.args])


def relation_words(name: str) -> str:
    """Return a relation in words; `name` may go on with the reading that binds, in brackets."""
    relation, bracket, reading = name.partition(" (")
    return _RELATIONS.get(relation, relation.replace("_", " ")) + (f" ({reading}" if bracket else "")


def margin_words(margin: Margin) -> str:
    """Return how far the answer is from tipping over."""
    times = f"{margin.ratio:.3g} × its tolerance"
    if margin.unit == "tolerance":
        distance = times
    elif margin.unit == "rad":
        distance = f"{abs(math.degrees(margin.value)):.3g}° or {times}"
    else:
        distance = f"{abs(margin.value):.3g} {margin.unit} or {times}"
    return f"“{relation_words(margin.relation)}” is {distance} away from tipping over."


def object_words(obj: SceneObject) -> str:
    """Return an object as questions point it out: `large red mountain bike`."""
    attributes = [obj.attributes[k] for k in ("size", "color", "material") if obj.attributes.get(k)]
    kind = obj.subtype or obj.category
    return " ".join([*attributes, obj.attributes.get("name") or SHAPE_NAMES.get(kind, kind)])


def outcome_of(sample_score: SampleScore | None) -> str:
    """Return which of `OUTCOMES` a sample score is."""
    if sample_score is None or sample_score.how == "missing":
        return "missing"
    if sample_score.status != "ok":
        return sample_score.status
    if sample_score.picked is None:
        return "unread"
    if sample_score.how == CAPTION:
        return "written"
    return "right" if sample_score.value >= 1 else "partial" if sample_score.value > 0 else "wrong"


def outcome_of_all(sample_scores: Sequence[SampleScore], joined: bool = False) -> str:
    """Return which of `OUTCOMES` the passes of a question are together.

    Where they are `joined`, one wrong pass makes it wrong; else some right and some wrong are partly correct.
    """
    found = [outcome_of(sample_score) for sample_score in sample_scores] or ["missing"]
    if len(set(found)) == 1:
        return found[0]
    if joined:
        lost = [o for o in found if o in ("failed", "refused", "missing")]
        return lost[0] if len(lost) + found.count("right") == len(found) else "wrong"
    return "partial" if "right" in found or "partial" in found else "wrong"
