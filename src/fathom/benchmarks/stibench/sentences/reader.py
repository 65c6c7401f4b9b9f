"""Reading a whole question, and comparing it with its program and its scene."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.benchmarks.stibench.sentences.meaning import AskedQuantity, Body, NamedObject, TextMeaning
from fathom.benchmarks.stibench.sentences.naming import names_of
from fathom.benchmarks.stibench.sentences.options import ReadQuestion, check_answers
from fathom.benchmarks.stibench.sentences.programs import CLOSE_S, Meant, meant_by
from fathom.benchmarks.stibench.sentences.questions import read_words
from fathom.benchmarks.stibench.sentences.resolving import called, check_singled_out
from fathom.benchmarks.stibench.sentences.world import RecordedScene
from fathom.records import ContradictionError, Question, Scene, TextReading, reading_of

READINGS = {
    "extent front or longer": ("extent front", "extent longer"),
    "extent side or shorter": ("extent side", "extent shorter", "extent across"),
    "pan": ("pan to a side", "pan with a sign"),
}
"""What a program asks → in which ways words may ask it; which of them is right, the scene says."""

TASKS: dict[str, tuple[str, ...]] = {
    "dimensional_measurement": ("extent", "centres apart", "boxes apart", "nearest approach"),
    "spatial_relation": ("direction", "order"),
    "3d_video_grounding": ("centre", "box"),
    "displacement_path_length": ("displacement", "path"),
    "speed_acceleration": ("speed", "mean speed", "mean velocity", "change of speed", "mean change of speed"),
    "ego_centric_orientation": ("pan",),
    "trajectory_description": ("trajectory",),
    "pose_estimation": ("pose",),
}
"""Task → how what it asks begins."""

NO_NUMBERS = ("direction", "order left to right", "order near to far")

REMARKS: dict[str, dict[str, str]] = {
    "direction": {"upright": "the world"},
    "box": {"yaw": "0° is the way that camera looks, 90° its left"},
    "box in the first frame": {"yaw": "0° is the way that camera looks, 90° its left"},
    "mean change of speed": {"slower": "slower"},
    "change of speed": {"slower": "slower"},
    "pan with a sign": {"positive": "left"},
    "trajectory": {"own view": "its own view"},
    "pose": {
        "level frame": "x right, y down (along gravity), z level and straight ahead",
        "turns": "left by the yaw, up from the horizon by the pitch, clockwise by the roll",
    },
}
"""What is asked → what has to be said besides, and what it says."""

TOLD_TURNS = (
    "15° or more is told as a turn: from where 5 % of it is done to where 95 % are, and one eighteenth of "
    "that time longer at either end"
)


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether a question's words and options say what its program asks and what the scene shows."""
    return reading_of(lambda: _compare(question, scene))


def _compare(question: Question, scene: Scene) -> None:
    names, world = names_of(scene), RecordedScene(scene)
    said = read_words(question.text, names)
    meant = meant_by(question.program, float(world.times[0]))
    _check_asked(said.asked, meant.asked)
    _check_task(question.task, said.asked.what)
    _check_times(question, said.asked, meant, world)
    selected = _selected(question, meant)
    seen, span = _seen(question), _told_in(meant, world)
    for named in selected:
        check_singled_out(named, selected, world, names, seen, span)
    bodies = tuple(b if isinstance(b, str) else selected[b] for b in said.asked.bodies)
    _check_remarks(question, said, world)
    check_answers(question, ReadQuestion(said, world, names, bodies))


def _check_asked(said: AskedQuantity, meant: AskedQuantity) -> None:
    """Raise ContradictionError where the words ask something else than the program."""
    if said.what not in READINGS.get(meant.what, (meant.what,)):
        raise ContradictionError(f"the words ask for the {said.what}, the program for the {meant.what}")
    if said.bodies != meant.bodies:
        words, program = (" and ".join(map(_called, a.bodies)) for a in (said, meant))
        raise ContradictionError(f"the words speak of {words}, the program of {program}")
    if said.moment != meant.moment:
        raise ContradictionError(f"the words say {said.moment} s, the program {meant.moment} s")
    if said.frame != meant.frame:
        raise ContradictionError(f"the words speak of axes {said.frame!r}, the program of {meant.frame!r}")
    if abs(said.window_s - meant.window_s) > 1e-9:
        raise ContradictionError(f"measured over {said.window_s:g} s, and not over {meant.window_s:g} s")


def _called(body: Body) -> str:
    return body if isinstance(body, str) else called(body)


def _check_task(task: str, what: str) -> None:
    if not any(what.startswith(start) for start in TASKS.get(task, ())):
        raise ContradictionError(f"the words ask for the {what}, which does not belong to {task}")


def _check_times(question: Question, said: AskedQuantity, meant: Meant, world: RecordedScene) -> None:
    """Raise ContradictionError where the time that the prompt states is another than that of the words, or
    one lies outside the video.
    """
    first, last = float(world.times[0]), float(world.times[-1])
    if any(not first - CLOSE_S <= t <= last + CLOSE_S for t in said.moment) or (
        len(said.moment) == 2 and said.moment[0] >= said.moment[1]
    ):
        raise ContradictionError(f"{said.moment} s: no time of a video from {first:g} to {last:g} s")
    stated = said.moment if len(said.moment) == 2 else (first, last)
    if question.span_s is not None and not _close(question.span_s, stated):
        raise ContradictionError(f"the question is about {question.span_s} s, the words about {stated} s")
    for told in meant.told_in:
        if told and not (len(said.moment) == 2 and _close(told, said.moment)):
            raise ContradictionError(f"who is meant is told for {told} s, and the words say {said.moment} s")


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= CLOSE_S for a, b in zip(one, other, strict=True))


def _told_in(meant: Meant, world: RecordedScene) -> tuple[int, int]:
    """Return the frames within which it is told who is meant."""
    told = next((t for t in meant.told_in if t), ())
    return (world.frame(told[0]), world.frame(told[1])) if told else (0, len(world.times) - 1)


def _steps(question: Question) -> tuple[tuple[str, ...], ...]:
    steps = question.evidence.steps if question.evidence else ()
    if len(steps) != len(question.program):
        raise ContradictionError("the evidence does not say what each step of the program selects")
    return steps


def _seen(question: Question) -> frozenset[str]:
    """Return the objects that can be made out, as the evidence lists them."""
    pairs = zip(question.program, _steps(question), strict=True)
    return frozenset(name for step, ids in pairs if step.op == "visible" for name in ids)


def _selected(question: Question, meant: Meant) -> dict[NamedObject, str]:
    """Return which object each name of the program selects. Raises ContradictionError where one selects none,
    or several.
    """
    found = {}
    for named, at in meant.selects.items():
        ids = _steps(question)[at]
        if len(ids) != 1:
            raise ContradictionError(f"{called(named)} selects {', '.join(ids) or 'nothing'}")
        found[named] = ids[0]
    return found


def _check_remarks(question: Question, said: TextMeaning, world: RecordedScene) -> None:
    """Raise ContradictionError where a sentence beside the question is missing, is wrong, or belongs to
    another one.
    """
    what, remarks = said.asked.what, dict(said.remarks)
    remarks.pop("wish", None)
    wanted = dict(REMARKS.get(what, {}))
    if what.startswith("trajectory") and "turns " in question.answer.casefold():
        wanted["told turns"] = TOLD_TURNS
    view = remarks.pop("view", "")
    if remarks != wanted:
        for subject in sorted({*remarks, *wanted}):
            found, right = remarks.get(subject, "nothing"), wanted.get(subject, "nothing")
            if found != right:
                raise ContradictionError(f"{what}, {subject}: {found!r} is said, and {right!r} expected")
    if not view and what not in NO_NUMBERS:
        raise ContradictionError("it is not said how wide the camera sees")
    if view and abs(_number(view) - world.view_deg) > 0.051:
        raise ContradictionError(f"the camera sees {world.view_deg:.2f}° wide, and not {view}°")


def _number(text: str) -> float:
    return float(text.replace("−", "-"))
