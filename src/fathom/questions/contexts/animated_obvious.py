"""What everybody knows who has never seen the film: nobody is asked that."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fathom.programs.limb_groups import members as limbs_of_group
from fathom.programs.limb_motion import LINES
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_words import Language
from fathom.questions.templates import Fill, Template

FEWEST_COUNTED = 4
"""Of fewer limbs by nature nobody is asked how many there are, or how many are painted."""


def is_obvious(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str) -> bool:
    """Return whether everybody knows the answer who has never seen the film: who eats moves the head."""
    language, parts = stage.language, stage.scene.objects[0].parts
    if form.asks == "limb places":
        return _in_its_place(language, fills["L"].key, fills["B"].key, answer)
    if form.asks in ("lines", "courses"):
        return _in_its_jump(stage, fills, answer) or _as_its_action(stage, form, fills, fills["L"].key)
    if form.asks == "absent verbs" or (form.asks == "verbs" and len(stage.actions) == 1):
        return answer in _natural_deeds(stage)
    if form.program == "legs" or form.program.startswith("limbs_painted"):
        # Of two legs, or two wings, nobody counts them.
        group = fills["G"].key if "G" in fills else "legs"
        return len(limbs_of_group(group, stage.timeline.visibility.limbs_of(0))) < FEWEST_COUNTED
    if "limb_onset" in form.program:
        verb = fills["M"].key.removeprefix("while ")
        return answer.split(" ")[-1] in language.obvious_limbs.get(verb, ())
    if form.asks == "limbs" and "V" in fills:
        return fills["V"].key in language.gaits or answer.split(" ")[-1] in language.obvious_limbs.get(
            fills["V"].key, ()
        )
    if form.asks == "part colors" and (
        _has_by_nature(stage, fills, answer) or _as_all_of_it(stage, fills, answer)
    ):
        return True
    if form.asks == "colors" and form.slots.get("T") == "carried":
        return answer in language.obvious_colors.get(fills["T"].key.split(" ")[-1], ())
    part, color = "", ""
    if form.asks == "part colors" and form.slots.get("P") == "part":
        part, color = fills["P"].key, answer
    elif form.asks == "parts":
        part, color = answer, fills["C"].key
    if _is_one_of_alike(parts, part):
        return True
    word = parts.get(part, {}).get("word", "")
    return any(color in language.obvious_colors.get(w, ()) for w in (word, *word.split(" ")))


def _is_one_of_alike(parts: Mapping[str, Mapping[str, str]], part: str) -> bool:
    """Return whether a limb on one side has the color of all others of its kind: nobody singles it out."""
    *side, last = part.split(" ")
    others = [p.get("color", "") for n, p in parts.items() if n != part and n.split(" ")[-1] == last]
    return bool({"left", "right"} & set(side)) and set(others) == {parts[part].get("color", "")}


def _as_all_of_it(stage: AnimatedContext, fills: Mapping[str, Fill], color: str) -> bool:
    """Return whether a part has the color that all of an object is said to have: nobody asks for it."""
    actor = stage.scene.objects[0]
    part = fills["P"].key if "P" in fills else stage.timeline.main
    return part not in (stage.timeline.main, "body") and color == actor.attributes.get("color", "")


def _has_by_nature(stage: AnimatedContext, fills: Mapping[str, Fill], color: str) -> bool:
    """Return whether an object has a color that its name says, or that such animals have: of all of it, and
    not of a part that is no more than a part, or that was given another color.
    """
    actor = stage.scene.objects[0]
    edits = actor.asset.edits if actor.asset is not None else ()
    changed = {word for e in edits for word in re.split("[:=]", e)[1:]}
    part = fills["P"].key if "P" in fills else stage.timeline.main
    if part in changed:
        return False
    main = part in (stage.timeline.main, "body")
    return color in stage.actor.split(" ") or (main and actor.category in stage.language.natural_looks)


def _natural_deeds(stage: AnimatedContext) -> frozenset[str]:
    """Return the actions that go without saying of an actor that does nothing else: fish swim."""
    words = {n.split(" ")[-1] for n in stage.timeline.visibility.limbs_of(0)}
    words.add(stage.scene.objects[0].category)
    return frozenset(v for w in words for v in stage.language.natural_deeds.get(w, ()))


def _in_its_jump(stage: AnimatedContext, fills: Mapping[str, Fill], answer: str) -> bool:
    """Return whether what is asked is that a limb goes up and down as it jumps: all of it does."""
    named = fills["M"].key.removeprefix("while ")
    verbs = {h.key for h in stage.actions} if named == "whole" else {named}
    return answer == LINES[2] and bool(verbs & stage.language.jumps)


def _as_its_action(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], limb: str) -> bool:
    """Return whether how a limb moves goes without saying of the action that is named, or of all."""
    language, named = stage.language, fills["M"].key.removeprefix("while ")
    verbs = {h.key for h in stage.actions} if named == "whole" else {named}
    if form.asks == "courses" and verbs & (language.falls | language.jumps):
        return True
    last = limb.split(" ")[-1]
    words = {last, last.removesuffix("s")}
    return bool(verbs) and all(words & {*language.obvious_limbs.get(v, ())} for v in verbs)


REACH = {"above": ("highest", "lowest"), "front": ("farthest forward", "farthest back")}
"""What a limb is of another one → where it would be among all, and where the other one would."""


def _in_its_place(language: Language, limb: str, other: str, answer: str) -> bool:
    """Return whether a limb is where it is on nearly every body: a left arm to the left of anything, a tail
    behind a head, a leg below it.
    """
    if answer in ("below", "behind"):
        return _in_its_place(language, other, limb, {"below": "above", "behind": "front"}[answer])
    if answer not in REACH:
        return answer in limb.split(" ") or opposite_of(answer) in other.split(" ")
    top, end = REACH[answer]
    known = limb.split(" ")[-1] in language.obvious_reach[top]
    return known or other.split(" ")[-1] in language.obvious_reach[end]


def opposite_of(side: str) -> str:
    """Return the other one of left and right, "" for any other word."""
    return {"left": "right", "right": "left"}.get(side, "")
