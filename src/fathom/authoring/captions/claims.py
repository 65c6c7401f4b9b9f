"""What captions say, piece by piece, beside their words."""

from __future__ import annotations

from fathom.records.scene import Record

IN_REVERSE = " in reverse"
"""Behind a verb of which the clip plays backwards."""


class Claim(Record, frozen=True, kw_only=True):
    """One object that a caption says, of which objects of the scene.

    kind     words
    noun     what the actor is
    color    its colour as the scene begins
    part     the word for a part of it, its colour ("": not said)
    worn     what it wears, its colour ("": not said), on what ("": not said)
    held     the same of what it holds
    place    "worn" or "held", and on or in what: of props of which something becomes
    limbs    a limb, and how many of them it has
    does     verbs: all that is done, in this order, but for what hardly shows; "stir" where that is all
    goes     a verb, and "backward": where the actor gets while it does that
    group    noun and colour ("": not said) of props, and all that becomes of them: "appears:", "swaps:cone";
             these are all the props of which that is so
    changes  all that becomes of the actor
    side     where the props stand, from the actor's own point of view
    during   the verb in which all that becomes of the objects happens
    travel   which way the actor goes
    turn     which way it turns, and what it does then, where it does several things
    paint    a kind of limb, the colour in which some are painted, and how many are
    grown    what grows on the actor, its colour, and where: these are all of them
    grows    what grows all around the actor, and how many are there as the scene begins: these are all
    comes    what grows on it, "appears" or "vanishes", and how many do
    turned   what one of these is, its colour, "appears" or "vanishes"
    there    what grows on it as the scene begins, and its colour
    order    "then" or "one by one": the objects come or go in this order
    moves    a limb, the line that it moves along, and what is done then
    """

    kind: str
    objects: tuple[str, ...]
    words: tuple[str, ...]


class Caption(Record, frozen=True, kw_only=True):
    """One caption of an object, what it says, and in which style; a person's has a `writer` and no claims."""

    object: str
    text: str
    claims: tuple[Claim, ...] = ()
    style: str = ""
    writer: str = ""
