"""What can be asked of a video: the forms of all eight tasks, in words and as the last step of a program.

A form is data. Its texts name the things {a}, {b}, {c}, a time {t}, or the ends {s} and {e} of a span.
Lengths are along a thing's own axes, and which words fit depends on its shape ("front": it has a known front,
and is not longer than wide, "long": it is; "sides": its front is not known, but one side is longer, "round":
it is as wide as long, "handled": but for its handle).

Ref: STI-Bench §3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

TASKS = (
    "dimensional_measurement",
    "spatial_relation",
    "3d_video_grounding",
    "displacement_path_length",
    "speed_acceleration",
    "ego_centric_orientation",
    "trajectory_description",
    "pose_estimation",
)

Who = Literal["thing", "pair", "three", "camera", "thing and camera", "none"]
When = Literal["", "time", "span"]
Kind = Literal["number", "centre", "box", "pose", "trajectory", "words", "order"]


@dataclass(frozen=True)
class Form:
    """One way to ask.

    who, when : what it is asked of: the bodies, and the time or span that its last step takes
    op, args : that step; `quantity` is what options are made for, and stands in the tag
    kind : what its answer is
    texts : by the shape of the thing, "" for any: at least two wordings each
    moving : asked only of things that move in the span
    sides : an angle is told as "35° to the right"; `to_side` asks where all options are on one side
    into_first : the frame of a box is that of the first pose
    settings : where it is asked
    weight : its share of the questions of its task, beside those of the other forms
    """

    id: str
    task: str
    who: Who
    when: When
    op: str
    kind: Kind
    texts: Mapping[str, tuple[str, ...]]
    args: tuple[str, ...] = ()
    moving: bool = False
    sides: bool = False
    to_side: tuple[str, ...] = ()
    into_first: bool = False
    settings: tuple[str, ...] = ("desktop", "indoor", "outdoor")
    weight: float = 1.0

    @property
    def quantity(self) -> str:
        """What the answer measures, as the operators call it."""
        return self.op


def _any(*texts: str) -> Mapping[str, tuple[str, ...]]:
    return {"": texts}


_CAMERA_AXES = "x right, y down, z forward, in metres"
_AT_THAT_TIME = f"in the frame of the camera at that time ({_CAMERA_AXES})"
_YAW = "The yaw says where its front points: 0° is the way that camera looks, 90° its left."
_FIRST = (
    "Take a level frame at the camera's first place: x right, y down (along gravity), z level and straight "
    "ahead of the first view, in metres."
)
_TURNS = (
    "From straight ahead it turns left by the yaw, up from the horizon by the pitch, clockwise by the roll."
)
_AROUND = "measured over the 0.2 s around that time"
_SECOND = "measured over the second around that time"
_UPRIGHT = "Up and down are those of the world, not of the picture."
_VIEWED = "Directions are those of its own view."
_TURN = (
    "A change of direction by 15° or more is told as a turn: from where 5 % of it is done to where 95 % are, "
    "and one eighteenth of that time longer at either end."
)
_SIGN = "Below 0 means that it gets slower."

TURN_WORDS = _TURN
"""What a trajectory's turns are: said where there are any."""

CONVENTIONS = (_FIRST, _CAMERA_AXES, _YAW, _TURNS, _AROUND, _SECOND, _UPRIGHT, _VIEWED, _TURN, _SIGN)
"""What a number hangs on: a question that is put in other words says this all the same."""

_SIZES = (
    Form("height", TASKS[0], "thing", "", "height", "number", _any(
        "How high is {a}, from its underside straight up to its top?",
        "What is the height of {a}, measured straight up from its underside to its top?",
    )),
    Form("length", TASKS[0], "thing", "", "length", "number", {
        "front": (
            "How deep is {a}, from its front to its back?",
            "What is the depth of {a}, measured from its front to its back?",
        ),
        "sides": (
            "How long is {a}, measured along its longer horizontal side{extra}?",
            "What is the length of the longer horizontal side of {a}{extra}?",
        ),
        "handled": (
            "How long is {a}, measured horizontally where it is longest{extra}?",
            "What is the length of {a}, measured horizontally where it is longest{extra}?",
        ),
        "long": (
            "How long is {a}, from its front to its back?",
            "What is the length of {a}, measured from front to back?",
        ),
    }),
    Form("width", TASKS[0], "thing", "", "width", "number", {
        **dict.fromkeys(("front", "long"), (
            "How wide is {a}, from its left side to its right side?",
            "What is the width of {a}, measured across its front?",
        )),
        "sides": (
            "How wide is {a}, measured along its shorter horizontal side?",
            "What is the length of the shorter horizontal side of {a}?",
        ),
        "round": (
            "How wide is {a} across, from one side to the opposite one?",
            "What is the width of {a}, from one side to the opposite one?",
        ),
    }),
)  # fmt: skip

_DISTANCES = (
    Form("distance", TASKS[0], "pair", "time", "distance", "number", _any(
        "At {t}, how far apart are the centres of {a} and {b}?",
        "At {t}, what is the distance between the centre of {a} and that of {b}?",
    )),
    Form("gap", TASKS[0], "pair", "time", "gap", "number", _any(
        "At {t}, how wide is the gap between {a} and {b}, from one bounding box to the other?",
        "At {t}, what is the shortest distance between the bounding boxes of {a} and {b}?",
    ), weight=0.5),
    Form("camera_distance", TASKS[0], "thing and camera", "time", "distance", "number", _any(
        "At {t}, how far is the camera from the centre of {a}?",
        "At {t}, what is the distance from the camera to the centre of {a}?",
    )),
    Form("closest_approach", TASKS[0], "thing and camera", "span", "least_distance", "number", _any(
        "Between {s} and {e}, how near does the camera come to the centre of {a}?",
        "Between {s} and {e}, what is the smallest distance between the camera and the centre of {a}?",
    ), weight=0.5),
)  # fmt: skip

_RELATIONS = (
    Form("relation", TASKS[1], "pair", "time", "relation", "words", _any(
        f"As the camera sees it at {{t}}, in which direction from {{b}} does {{a}} mainly lie? {_UPRIGHT}",
        "At {t}, where is {a}, relative to {b}? Name the main direction, as the camera sees it. "
        f"{_UPRIGHT}",
    )),
    Form("order_across", TASKS[1], "three", "time", "order", "order", _any(
        "From left to right, in which order are {a}, {b} and {c}, as the camera sees them at {t}?",
        "At {t}, the camera sees {a}, {b} and {c}. In which order are these, from left to right?",
    ), args=("left to right",)),
    Form("order_away", TASKS[1], "three", "time", "order", "order", _any(
        "At {t}, in which order are {a}, {b} and {c} by their distance from the camera, the nearest first?",
        "Sort {a}, {b} and {c} by their distance from the camera at {t}, the nearest first.",
    ), args=("near to far",)),
)  # fmt: skip

_BOXES = (
    Form("centre", TASKS[2], "thing", "time", "centre", "centre", _any(
        f"At {{t}}, where is the centre of {{a}}, {_AT_THAT_TIME}?",
        f"At {{t}}, where is the centre of the 3D bounding box of {{a}}, {_AT_THAT_TIME}?",
    )),
    Form("box", TASKS[2], "thing", "time", "box", "box", _any(
        f"At {{t}}, what is the 3D bounding box of {{a}}, {_AT_THAT_TIME}? {_YAW}",
        f"At {{t}}, which of these is the 3D bounding box of {{a}}, {_AT_THAT_TIME}? {_YAW}",
    )),
    Form("box_in_first_frame", TASKS[2], "thing", "time", "box", "box", _any(
        "At {t}, what is the 3D bounding box of {a}, in the frame of the camera at the start of the video "
        f"({_CAMERA_AXES})? {_YAW}",
        f"Take the camera at the start of the video as the frame ({_CAMERA_AXES}). At {{t}}, which 3D "
        f"bounding box does {{a}} have? {_YAW}",
    ), into_first=True),
)  # fmt: skip

_WAYS = (
    Form("moved", TASKS[3], "thing", "span", "displacement", "number", _any(
        "At {e}, how far is {a} from where it was at {s}, in a straight line?",
        "What is the displacement of {a} between {s} and {e}: how far apart are its first and last place?",
    ), moving=True),
    Form("path", TASKS[3], "thing", "span", "path_length", "number", _any(
        "Between {s} and {e}, how long is the path of {a}?",
        "Between {s} and {e}, what distance does {a} cover along its way?",
    ), moving=True),
    Form("camera_moved", TASKS[3], "camera", "span", "displacement", "number", _any(
        "How far is the camera at {e} from where it was at {s}, in a straight line?",
        "What is the camera's displacement between {s} and {e}: how far apart are its first and last place?",
    )),
    Form("camera_path", TASKS[3], "camera", "span", "path_length", "number", _any(
        "How long is the path of the camera between {s} and {e}?",
        "What distance does the camera cover along its way between {s} and {e}?",
    )),
)  # fmt: skip

_SPEEDS = (
    Form("average_speed", TASKS[4], "thing", "span", "average_speed", "number", _any(
        "Between {s} and {e}, what is the average speed of {a} (path length ÷ time)?",
        "How fast is {a} on average between {s} and {e}, along its path (path length ÷ time)?",
    ), moving=True),
    Form("speed", TASKS[4], "thing", "time", "speed", "number", _any(
        f"At {{t}}, how fast is {{a}}, {_AROUND}?",
        f"At {{t}}, what is the speed of {{a}}, {_AROUND}?",
    ), moving=True),
    Form("camera_average_speed", TASKS[4], "camera", "span", "average_speed", "number", _any(
        "What is the average speed of the camera between {s} and {e} (path length ÷ time)?",
        "How fast is the camera on average along its path between {s} and {e}?",
    )),
    Form("camera_velocity", TASKS[4], "camera", "span", "velocity", "number", _any(
        "What is the magnitude of the camera's mean velocity between {s} and {e} (displacement ÷ time)?",
        "What is the camera's displacement between {s} and {e}, divided by the time that passes?",
    ), weight=0.5),
    Form("camera_speed", TASKS[4], "camera", "time", "speed", "number", _any(
        f"How fast is the camera moving at {{t}}, {_AROUND}?",
        f"What is the speed of the camera at {{t}}, {_AROUND}?",
    )),
    Form("mean_acceleration", TASKS[4], "thing", "span", "mean_acceleration", "number", _any(
        f"Between {{s}} and {{e}}, what is the mean acceleration of {{a}} (change of speed ÷ time)? {_SIGN}",
        "Between {s} and {e}, by how much does the speed of {a} change per second, on average? "
        f"{_SIGN}",
    ), moving=True, weight=0.5),
    Form("camera_mean_acceleration", TASKS[4], "camera", "span", "mean_acceleration", "number", _any(
        f"What is the camera's mean acceleration between {{s}} and {{e}} (change of speed ÷ time)? {_SIGN}",
        "Between {s} and {e}, by how much does the camera's speed change per second, on average? "
        f"{_SIGN}",
    ), settings=("desktop", "outdoor"), weight=0.5),
    Form("camera_acceleration", TASKS[4], "camera", "time", "acceleration", "number", _any(
        f"What is the camera's acceleration along its path at {{t}}, {_SECOND}? {_SIGN}",
        f"At {{t}}, by how much does the camera's speed change per second, {_SECOND}? {_SIGN}",
    ), settings=("outdoor",), weight=0.5),
)  # fmt: skip

_TURNED = (
    Form("turned", TASKS[5], "none", "span", "azimuth_change", "number", _any(
        "To which side, and by how many degrees, does the camera's horizontal viewing direction turn between "
        "{s} and {e}?",
        "By how many degrees does the camera pan between {s} and {e}, and to which side?",
    ), sides=True, to_side=(
        "By how many degrees to the {side} does the camera's horizontal viewing direction turn between {s} "
        "and {e}?",
        "By how many degrees does the camera pan to the {side} between {s} and {e}?",
    )),
    Form("turned_signed", TASKS[5], "none", "span", "azimuth_change", "number", _any(
        "By how many degrees does the camera's horizontal viewing direction change between {s} and {e}? "
        "Turns to the left count as positive.",
        "By how many degrees does the camera pan between {s} and {e}, if turns to the left count as "
        "positive and turns to the right as negative?",
    )),
)  # fmt: skip

_TRAJECTORIES = (
    Form("camera_trajectory", TASKS[6], "camera", "span", "trajectory", "trajectory", _any(
        f"Which of these describes the camera's trajectory between {{s}} and {{e}}? {_VIEWED} {_TURN}",
        f"How does the camera move between {{s}} and {{e}}? {_VIEWED} {_TURN}",
    )),
    Form("trajectory", TASKS[6], "thing", "span", "trajectory", "trajectory", _any(
        f"Between {{s}} and {{e}}, which of these describes the path of {{a}}, as seen from above? {_TURN}",
        f"Between {{s}} and {{e}}, how does {{a}} move, as seen from above? {_TURN}",
    ), moving=True),
)  # fmt: skip

_POSES = (
    Form("pose", TASKS[7], "none", "time", "camera_pose", "pose", _any(
        f"{_FIRST}{{extra}} At {{t}}, what is the camera's pose? {_TURNS}",
        f"{_FIRST}{{extra}} At {{t}}, where is the camera, and how is it turned? {_TURNS}",
    )),
)  # fmt: skip

FORMS: tuple[Form, ...] = (
    *_SIZES,
    *_DISTANCES,
    *_RELATIONS,
    *_BOXES,
    *_WAYS,
    *_SPEEDS,
    *_TURNED,
    *_TRAJECTORIES,
    *_POSES,
)
"""All forms, in the order of the tasks."""

RELATION_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "left": "To the left",
        "right": "To the right",
        "front": "Towards the camera",
        "behind": "Away from the camera",
        "above": "Upwards",
        "below": "Downwards",
    }
)
"""Relation word → the option's text."""
