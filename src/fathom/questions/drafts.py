"""A question while its slots are being filled, and the names that all parts of drafting share."""

from __future__ import annotations

import msgspec

from fathom.programs.engine import operators_on
from fathom.programs.values import Pair, Scenes, Value
from fathom.questions.notation import OperatorNode
from fathom.questions.templates import Words

OPERATORS = operators_on(Scenes.STILL)

INDEX = {"size": 0, "color": 1, "shape": 2}
ATTRIBUTES = tuple(INDEX)
"""What a description may say, in the order of its words."""

DRAWN = ("count", "exist", "compare")
"""What is asked where the answer is drawn before the words."""


class Draft(msgspec.Struct):
    """A question while its slots are being filled.

    `objects` are the objects that it has named; `anchors` those that are kept when its sets are described
    anew; `answer` is the answer that it should have, where it is drawn beforehand, `wanted` the same for a
    comparison of two objects, and `first` the value that is compared with. `options` are all descriptions (as
    a mask) that single out the last object, in the slot `option_slot`, and `outers` what is left when one of
    its relations is dropped. `rivals` are, for each object that was described by a relation (by
    the node of its filter), what else its words fit when one of its relations is dropped. `joined` are the
    words of two relations that are chosen together with their anchors; `path` the relation word, and the
    object, of each filter of a chain of relations that is chosen as a whole; `among` are the objects (as a
    mask) of which a filter is to single out one, so that the answer can be had.
    """

    slots: dict[str, Words | str] = {}
    objects: list[int] = []
    anchors: dict[OperatorNode, int] = {}
    unique_words: list[tuple[Words, int, bool]] = []
    set_words: list[Words] = []
    answer: str = ""
    wanted: bool | None = None
    first: Value | None = None
    options: int = 0
    option_slot: str = ""
    outers: tuple[Pair, ...] = ()
    rivals: dict[OperatorNode, tuple[int, ...]] = {}
    joined: tuple[str, ...] = ()
    path: dict[OperatorNode, tuple[str, int]] = {}
    among: dict[OperatorNode, int] = {}

    def reset(self) -> None:
        """Take back what was named."""
        self.slots, self.objects, self.anchors, self.unique_words, self.set_words = {}, [], {}, [], []
