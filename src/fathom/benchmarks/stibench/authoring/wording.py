"""The words of questions: what asks for each quantity, and what is said beside without adding anything."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION_WORDS = _all(
    "a about across after along an and any are as at be been before being between both by can could did do "
    "does during each exactly find for from given had has have having how in into is it its just look "
    "looking many may me measured measure moment more much name of one or out over please seen sees "
    "see say shown "
    "should some tell than that the their them then there these they this those through throughout time to "
    "total toward towards two up us using video was we were what when where which while who whose will with "
    "within would you your clip footage scene recorded view watching state give s whole entire start "
    "starting end ending ends begins beginning until interval period span point instant if take taken taking "
    "let lie lies stand stands located placed"
)
"""Words that add nothing."""

Required = tuple[frozenset[str], ...]


def _any(*groups: str) -> Required:
    return tuple(frozenset(g.split()) for g in groups)


_CENTRES = "centre centres center centers midpoint midpoints"
_FAR = "far distance apart separation"
_SPEED = "speed fast quickly"
_GAINS = "acceleration accelerate accelerates accelerating gain gains change changes"
_MEAN = "mean average averaged"

REQUIRED: Mapping[str, Required] = MappingProxyType(
    {
        "height": _any("high height tall"),
        "length": _any("long length longer deep depth"),
        "width": _any("wide width shorter"),
        "distance": _any(_FAR, _CENTRES),
        "gap": _any(f"gap shortest smallest {_FAR}", "box boxes bounding"),
        "least_distance": _any("near nearest smallest closest minimum shortest least", _CENTRES, "camera"),
        "relation": _any("direction where side located", "camera"),
        "order:left to right": _any("order sort sorted rank arrange list", "left", "right", "camera"),
        "order:near to far": _any(
            "order sort sorted rank arrange list", "nearest closest", "farthest furthest first", "camera"
        ),
        "centre": _any(_CENTRES, "where position coordinates locate", "camera"),
        "box": _any("box", "3d", "camera"),
        "displacement": _any("straight displacement"),
        "path_length": _any("path way route travel travels travelled traveled cover covers covered"),
        "average_speed": _any(_MEAN, _SPEED, "path along"),
        "velocity": _any("displacement velocity", f"divided ÷ {_MEAN}"),
        "speed": _any(_SPEED),
        "mean_acceleration": _any(_MEAN, _GAINS),
        "acceleration": _any(_GAINS),
        "azimuth_change": _any(
            "turn turns pan pans change changes rotate rotates", "degrees", "camera",
            "horizontal horizontally azimuth pan pans",
        ),
        "trajectory": _any("trajectory path move moves way describes"),
        "camera_pose": _any("pose position where", "camera"),
    }
)  # fmt: skip
"""Quantity → groups of words, of each of which a question about it has at least one."""

EITHER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "height": _all("underside top bottom base measured vertical"),
        "length": _all("front back horizontal side sides longest"),
        "width": _all("left right side sides front horizontal opposite"),
        "relation": _all("mainly main lie lies relative located position direction"),
        "order:left to right": _all("stand stands arranged appear appears"),
        "order:near to far": _all("distance distances far "),
        "displacement": _all("line distance far moved move moves first last place places"),
        "path_length": _all("long length distance far total"),
        "average_speed": _all("length time divided passes ÷"),
        "velocity": _all("magnitude time passes mean"),
        "speed": _all("moving move moves go going"),
        "mean_acceleration": _all("speed change per second time ÷"),
        "acceleration": _all("speed change per second path"),
        "azimuth_change": _all("viewing direction orientation much"),
        "turned": _all("left right"),
        "trajectory": _all("seen above motion moving movement best description"),
        "camera_pose": _all("turned orientation orientated last frame"),
    }
)
"""Quantity, or form of one → further words that belong to it."""

OF_FORM: Mapping[str, Required] = MappingProxyType(
    {
        "turned": _any("side direction way"),
        "turned_signed": _any("positive", "left"),
        "box_in_first_frame": _any("start first beginning begins"),
    }
)
"""The same for single forms of a quantity."""

KEPT: Required = _any(
    "longer longest", "shorter shortest", "handle", "spout", "front back across", "start beginning first",
)  # fmt: skip
"""Where the fact has a word of such a group, the question has one too."""

FIRST = _all("start starting starts beginning begins first earliest")
"""Words for another moment than a stated one."""

NEGATIONS = _all("not no never none without except excluding besides isn't doesn't aren't")

AMOUNTS = _all(
    "zero three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty hundred half "
    "quarter twice double triple thrice dozen once roughly approximately around almost nearly"
)
"""Words that are numbers, or change them."""


def key_of(op: str, args: tuple[str, ...]) -> str:
    """Return under which key the words for a quantity stand."""
    return f"{op}:{args[0]}" if op == "order" else op


def words_about(key: str) -> frozenset[str]:
    """Return all words that ask for a quantity or belong to it."""
    found = set(EITHER.get(key, ()))
    for group in REQUIRED.get(key, ()):
        found |= group
    return frozenset(found)


ABOUT_ANY = frozenset(w for key in REQUIRED for w in words_about(key))
"""The words about all quantities: those of another one change what is asked for."""
