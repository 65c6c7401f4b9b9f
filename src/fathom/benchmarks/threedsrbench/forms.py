"""The twelve forms in which people write questions about photographs.

A, B and C stand for what people name in their own words: any object or part of one.

Ref: 3DSRBench §3.1–3.2.
"""

from __future__ import annotations

from fathom.benchmarks.threedsrbench.tasks import TASKS
from fathom.records import WrittenForm

_A_B, _A_B_C, _SIDES = ("A", "B"), ("A", "B", "C"), ("front", "left", "back", "right")

_FORMS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("height_higher", "Which is higher above the ground, A or B?", _A_B, _A_B),
    ("location_above", "Is A directly above B?", ("yes", "no"), _A_B),
    ("location_closer_to_camera", "Which is closer to the camera, A or B?", _A_B, _A_B),
    ("location_next_to", "Are A and B next to each other or far apart?",
     ("next to each other", "far apart"), _A_B),
    ("orientation_in_front_of", "From the point of view of B: is A in front of B or behind B?",
     ("in front", "behind"), _A_B),
    ("orientation_on_the_left", "From the point of view of B: is A on the left or on the right?",
     ("left", "right"), _A_B),
    ("orientation_viewpoint",
     "Which side of A faces the camera? Left and right are those of whoever faces the same way.",
     _SIDES, ("A",)),
    ("multi_object_closer_to", "What is A closer to, B or C?", ("B", "C"), _A_B_C),
    ("multi_object_facing", "Which of the two does A face, B or C?", ("B", "C"), _A_B_C),
    ("multi_object_viewpoint_towards_object",
     "Which side of A faces B? Left and right are those of whoever faces the same way.", _SIDES, _A_B),
    ("multi_object_parallel", "Do the fronts of A and B point along the same line, or at right angles?",
     ("along the same line", "at right angles"), _A_B),
    ("multi_object_same_direction", "Do A and B face the same way or opposite ways?",
     ("the same way", "opposite ways"), _A_B),
)  # fmt: skip


def written_forms() -> tuple[WrittenForm, ...]:
    """Return a form of each type of question."""
    return tuple(
        WrittenForm(task, TASKS[task], text, options, letters) for task, text, options, letters in _FORMS
    )
