"""What can be asked of a video: the forms of all eight tasks, in words and as the last step of a program.

A form is data. Its texts name the things {a}, {b}, {c}, a time {t}, or the ends {s} and {e} of a span.
Lengths are along a thing's own axes, and which words fit depends on its shape ("front": it has a known front,
"sides": it is longer than wide, "round": it is not).

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
    sides : an angle is told as "35° to the right"
    into_first : the frame of a box is that of the first pose
    window_s : what is added around a time for it to be seen
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
    into_first: bool = False
    window_s: float = 0.0
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
    f"Take the camera's first pose as the frame: position (0, 0, 0), {_CAMERA_AXES}, yaw, pitch and roll 0°."
)
_TURNS = "Yaw is a turn to the left, pitch one upwards, roll one clockwise, in this order."
_AROUND = "measured over the 0.2 s around that time"
_SECOND = "measured over the second around that time"
_SIGN = "Below 0 means that it gets slower."

CONVENTIONS = (_FIRST, _CAMERA_AXES, _YAW, _TURNS, _AROUND, _SECOND, _SIGN)
"""What a number hangs on: a question that is put in other words says this all the same."""

_SIZES = (
    Form("height", TASKS[0], "thing", "", "height", "number", _any(
        "How high is {a}, from its underside to its top?",
        "What is the height of {a}?",
    )),
    Form("length", TASKS[0], "thing", "", "length", "number", {
        "front": (
            "How long is {a}, from its front to its back?",
            "What is the length of {a}, measured from front to back?",
        ),
        "sides": (
            "How long is {a}, measured along its longer horizontal side{extra}?",
            "What is the length of the longer horizontal side of {a}{extra}?",
        ),
    }),
    Form("width", TASKS[0], "thing", "", "width", "number", {
        "front": (
            "How wide is {a}, from its left side to its right side?",
            "What is the width of {a}, measured across its front?",
        ),
        "sides": (
            "How wide is {a}, measured along its shorter horizontal side?",
            "What is the length of the shorter horizontal side of {a}?",
        ),
        "round": (
            "How wide is {a}, from one side to the opposite one?",
            "What is the width of {a}, from side to side?",
        ),
    }),
)  # fmt: skip

_DISTANCES = (
    Form("distance", TASKS[0], "pair", "time", "distance", "number", _any(
        "How far apart are the centres of {a} and {b} at {t}?",
        "At {t}, what is the distance between the centre of {a} and that of {b}?",
    )),
    Form("gap", TASKS[0], "pair", "time", "gap", "number", _any(
        "How wide is the gap between {a} and {b} at {t}, from one bounding box to the other?",
        "At {t}, what is the shortest distance between the bounding boxes of {a} and {b}?",
    ), weight=0.5),
    Form("camera_distance", TASKS[0], "thing and camera", "time", "distance", "number", _any(
        "How far is the centre of {a} from the camera at {t}?",
        "At {t}, what is the distance from the camera to the centre of {a}?",
    )),
    Form("closest_approach", TASKS[0], "thing and camera", "span", "least_distance", "number", _any(
        "How near does the camera come to the centre of {a} between {s} and {e}?",
        "Between {s} and {e}, what is the smallest distance between the camera and the centre of {a}?",
    ), weight=0.5),
)  # fmt: skip

_RELATIONS = (
    Form("relation", TASKS[1], "pair", "time", "relation", "words", _any(
        "As the camera sees it at {t}, in which direction from {b} does {a} mainly lie?",
        "Where is {a} at {t}, relative to {b}? Name the main direction, as the camera sees it.",
    )),
    Form("order_across", TASKS[1], "three", "time", "order", "order", _any(
        "In which order do {a}, {b} and {c} stand from left to right, as the camera sees them at {t}?",
        "At {t}, the camera sees {a}, {b} and {c}. In which order are these, from left to right?",
    ), args=("left to right",)),
    Form("order_away", TASKS[1], "three", "time", "order", "order", _any(
        "At {t}, in which order are {a}, {b} and {c}, from the nearest to the farthest from the camera?",
        "Sort {a}, {b} and {c} by their distance from the camera at {t}, the nearest first.",
    ), args=("near to far",)),
)  # fmt: skip

_BOXES = (
    Form("centre", TASKS[2], "thing", "time", "centre", "centre", _any(
        f"Where is the centre of {{a}} at {{t}}, {_AT_THAT_TIME}?",
        f"Locate {{a}} at {{t}}: where is the centre of its 3D bounding box, {_AT_THAT_TIME}?",
    )),
    Form("box", TASKS[2], "thing", "time", "box", "box", _any(
        f"What is the 3D bounding box of {{a}} at {{t}}, {_AT_THAT_TIME}? {_YAW}",
        f"Locate {{a}} at {{t}}: which 3D bounding box is its own, {_AT_THAT_TIME}? {_YAW}",
    )),
    Form("box_in_first_frame", TASKS[2], "thing", "time", "box", "box", _any(
        "What is the 3D bounding box of {a} at {t}, in the frame of the camera at the start of the video "
        f"({_CAMERA_AXES})? {_YAW}",
        f"Take the camera at the start of the video as the frame ({_CAMERA_AXES}). Which 3D bounding box "
        f"does {{a}} have at {{t}}? {_YAW}",
    ), into_first=True),
)  # fmt: skip

_WAYS = (
    Form("moved", TASKS[3], "thing", "span", "displacement", "number", _any(
        "How far is {a} at {e} from where it was at {s}, in a straight line?",
        "What is the displacement of {a} between {s} and {e}, from its first place straight to its last?",
    ), moving=True),
    Form("path", TASKS[3], "thing", "span", "path_length", "number", _any(
        "How long is the path of {a} between {s} and {e}?",
        "What distance does {a} cover along its way between {s} and {e}?",
    ), moving=True),
    Form("camera_moved", TASKS[3], "camera", "span", "displacement", "number", _any(
        "How far is the camera at {e} from where it was at {s}, in a straight line?",
        "What is the camera's displacement between {s} and {e}, from its first place straight to its last?",
    )),
    Form("camera_path", TASKS[3], "camera", "span", "path_length", "number", _any(
        "How long is the path of the camera between {s} and {e}?",
        "What distance does the camera cover along its way between {s} and {e}?",
    )),
)  # fmt: skip

_SPEEDS = (
    Form("average_speed", TASKS[4], "thing", "span", "average_speed", "number", _any(
        "What is the average speed of {a} between {s} and {e} (path length ÷ time)?",
        "How fast is {a} on average along its path between {s} and {e}?",
    ), moving=True),
    Form("speed", TASKS[4], "thing", "time", "speed", "number", _any(
        f"At {{t}}, how fast is {{a}}, {_AROUND}?",
        f"What is the speed of {{a}} at {{t}}, {_AROUND}?",
    ), moving=True, window_s=0.35),
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
    ), window_s=0.35),
    Form("mean_acceleration", TASKS[4], "thing", "span", "mean_acceleration", "number", _any(
        f"What is the mean acceleration of {{a}} between {{s}} and {{e}} (change of speed ÷ time)? {_SIGN}",
        f"By how much does {{a}} gain speed per second between {{s}} and {{e}}, on average? {_SIGN}",
    ), moving=True, window_s=0.35, weight=0.5),
    Form("camera_mean_acceleration", TASKS[4], "camera", "span", "mean_acceleration", "number", _any(
        f"What is the camera's mean acceleration between {{s}} and {{e}} (change of speed ÷ time)? {_SIGN}",
        f"By how much does the camera gain speed per second between {{s}} and {{e}}, on average? {_SIGN}",
    ), window_s=0.35, weight=0.5),
    Form("camera_acceleration", TASKS[4], "camera", "time", "acceleration", "number", _any(
        f"What is the camera's acceleration along its path at {{t}}, {_SECOND}? {_SIGN}",
        f"At {{t}}, by how much does the camera gain speed per second, {_SECOND}? {_SIGN}",
    ), window_s=0.7, weight=0.5),
)  # fmt: skip

_TURNED = (
    Form("turned", TASKS[5], "none", "span", "azimuth_change", "number", _any(
        "To which side, and by how many degrees, does the camera's horizontal viewing direction turn between "
        "{s} and {e}?",
        "By how many degrees does the camera pan between {s} and {e}, and to which side?",
    ), sides=True),
    Form("turned_signed", TASKS[5], "none", "span", "azimuth_change", "number", _any(
        "By how many degrees does the camera's azimuth change between {s} and {e}? Turns to the left count "
        "as positive.",
        "What is the change of the camera's horizontal orientation between {s} and {e}, in degrees, positive "
        "to the left?",
    )),
)  # fmt: skip

_TRAJECTORIES = (
    Form("camera_trajectory", TASKS[6], "camera", "span", "trajectory", "trajectory", _any(
        "Which of these describes the camera's trajectory between {s} and {e}?",
        "How does the camera move between {s} and {e}? Directions are those of its own view.",
    )),
    Form("trajectory", TASKS[6], "thing", "span", "trajectory", "trajectory", _any(
        "Which of these describes the path of {a} between {s} and {e}, as seen from above?",
        "How does {a} move between {s} and {e}? Turns are those of its path, seen from above.",
    ), moving=True),
)  # fmt: skip

_POSES = (
    Form("pose", TASKS[7], "none", "time", "camera_pose", "pose", _any(
        f"{_FIRST} What is the camera's pose at {{t}}? {_TURNS}",
        f"{_FIRST} Where is the camera at {{t}}, and how is it turned? {_TURNS}",
    )),
    Form("pose_at_the_end", TASKS[7], "none", "time", "camera_pose", "pose", _any(
        f"{_FIRST} What is its pose in the last frame of the video, at {{t}}? {_TURNS}",
        f"{_FIRST} Where is it at the end of the video, at {{t}}, and how is it turned? {_TURNS}",
    ), weight=0.5),
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

EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "mug": ", its handle included",
        "cup": ", its handle included",
        "teapot": ", its handle and spout included",
        "kettle": ", its handle and spout included",
        "pan": ", its handle included",
        "jug": ", its handle included",
    }
)
"""What belongs to the longer side of a thing and might be left out by somebody."""

FRONTLESS = frozenset(
    {
        "street lamp", "globe lamp", "lamp post", "floor lamp", "table lamp", "desk lamp", "lamp",
        "traffic light", "bollard", "fire hydrant", "planter", "rubbish bin", "bin", "tree", "bush",
        "potted plant", "plant", "coat rack", "table", "round table", "dining table", "coffee table",
        "side table", "stool", "rug",
    }
)  # fmt: skip
"""Nouns of things whose front nobody would agree on, whatever their models say."""

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
