"""One engine runs the programs of stills, of animated scenes and of videos."""

from __future__ import annotations

import pytest

from fathom.programs import FATHOM, OPERATORS, ValueType, run, still_view
from fathom.programs.registry import VIDEO, Operator, ProgramRun, View
from fathom.programs.values import Measured
from fathom.programs.views.video import VideoView
from fathom.records import InputError, Step
from tests.questions.synthetic import obj, scene
from tests.stories_questions.made import Prop, acts, timeline
from tests.tracks.worlds import obj as body
from tests.tracks.worlds import tracks


def program(*rows: tuple[str, tuple[int, ...], tuple[str, ...]]) -> tuple[Step, ...]:
    return tuple(Step(op=op, inputs=inputs, args=args) for op, inputs, args in rows)


COUNTED = program(("scene", (), ()), ("filter_color", (0,), ("red",)), ("count", (1,), ()))
CHOSEN = program(("things", (), ()), ("count", (0,), ()), ("choose", (1,), ("1", "2", "3", "4")))
MEASURED = program(
    ("thing", (), ("mug",)), ("at", (), ("1",)), ("camera", (), ()), ("distance", (0, 2, 1), ())
)


def still() -> View:
    red, blue = obj("a", "suv", "large", "red", 0, 0, 0.0), obj("b", "jet", "small", "blue", 0, 3, 0.0)
    return still_view(scene("s", (red, blue), False), FATHOM)


def animated() -> View:
    return timeline((Prop("ball", "red"), Prop("cube", "blue", 90.0)), acts("walk", "jump"))


def video() -> VideoView:
    return tracks(body("mug", (0, 1.0, 0)), body("plate", (0, 0, 0), noun="plate"))


def test_one_engine_answers_the_programs_of_all_three_kinds_of_scenes() -> None:
    assert run(COUNTED, still()).answer == "1"
    assert run(CHOSEN, animated()).answer == "2"
    found = run(MEASURED, video())
    assert (found.unit, len(found.tolerance)) == ("m", 1)
    assert found.numbers[0] == found.value and found.why == ""


@pytest.mark.parametrize("steps", [CHOSEN, MEASURED])
def test_a_program_is_refused_by_a_scene_that_its_operators_do_not_run_on(steps: tuple[Step, ...]) -> None:
    with pytest.raises(InputError, match=rf"step 0 \({steps[0].op}\): no such operator for stills"):
        run(steps, still())


def test_every_step_says_which_objects_it_selects() -> None:
    assert run(COUNTED, still()).selected(still()) == (("a", "b"), ("a",), ())
    assert run(CHOSEN, animated()).selected(animated()) == (("prop0", "prop1"), (), ())
    assert run(MEASURED, video()).selected(video()) == (("mug",), (), (), ())


def test_a_new_operator_is_one_declaration(monkeypatch: pytest.MonkeyPatch) -> None:
    def volume(run: ProgramRun[VideoView], inputs: list[int], args: tuple[str, ...]) -> Measured:
        return Measured(float(run.view.sizes_m[inputs[0]].prod()), "m³", (0.01,))

    made = Operator("volume", (ValueType.OBJECT,), ValueType.QUANTITY, volume, VIDEO, unit="m³")  # type: ignore[arg-type]
    monkeypatch.setitem(OPERATORS, "volume", (made,))
    found = run(program(("thing", (), ("mug",)), ("volume", (0,), ())), video())
    assert found.value == pytest.approx(float(video().sizes_m[0].prod()))
    assert found.unit == "m³"
