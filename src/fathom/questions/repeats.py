"""What questions about one scene tell of each other: those that ask the same, and those that answer another.

Two questions are the same where their programs are, once the words for an object are replaced by the object
itself: "left of the sedan" and "left of the blue car" ask the same of one blue sedan. And whoever says "the
only bus of the same size as it" has answered how many of these there are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fathom.questions.asking import StillCandidate
from fathom.questions.templates import Template, asked

ANSWERED_BY_ONE = ("count", "exist")
"""Questions about a set that are answered as soon as one object is said to be all that is in it."""


@dataclass(frozen=True)
class Said:
    """What a question asks, and what its words tell, with objects in place of their names.

    `about` leaves out the words that describe the object that is asked about, and which of its attributes is
    asked for: one scene is not asked for two attributes of the same object, as each would tell the other's.
    `counted` is the set that is counted, or looked for, "" for none; `single` are the sets of which the words
    say that they have just one object.
    """

    scene: str
    about: tuple[str, str, int]
    counted: str
    single: frozenset[str]


def said_by(candidate: StillCandidate, template: Template) -> Said:
    """Return what a candidate asks and tells."""
    slots, tree = dict(candidate.slots), template.tree
    named = dict(zip(template.uniques, candidate.named, strict=True))
    if template.tail:
        # Its words describe one object, and nothing else hangs on them.
        source = tree.reads[0].reads[0]
        below = source.reads[0] if source.op == "filter" else source
        about = template.task, asked(below, slots, named), candidate.named[-1]
    else:
        about = template.task, asked(tree, slots, named), -1
    return Said(
        scene=candidate.scene,
        about=about,
        counted=asked(tree.reads[0], slots, named) if tree.op in ANSWERED_BY_ONE else "",
        single=frozenset(asked(one.reads[0], slots, named) for one in template.uniques),
    )


@dataclass(frozen=True)
class Told:
    """What the questions that are asked so far say, each with its scene."""

    about: set[tuple[str, tuple[str, str, int]]] = field(default_factory=set)
    counted: set[tuple[str, str]] = field(default_factory=set)
    single: set[tuple[str, str]] = field(default_factory=set)

    def clashes(self, said: Said) -> bool:
        """Return whether a question asks what another of its scene does, answers it, or is answered by it."""
        scene = said.scene
        return (
            (scene, said.about) in self.about
            or (scene, said.counted) in self.single
            or any((scene, one) in self.counted for one in said.single)
        )

    def add(self, said: Said) -> None:
        """Take in what a question says."""
        self.about.add((said.scene, said.about))
        if said.counted:
            self.counted.add((said.scene, said.counted))
        self.single.update((said.scene, one) for one in said.single)
