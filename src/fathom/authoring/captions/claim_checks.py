"""Whether captions are true: each claim is held against the scene a second time, in another way.

The grammar reads times and events as they are written in the record. Here the scene is played: what is there,
of which colour and kind, and what each thing does, is worked out frame by frame; what changes is what differs
between two frames; and where objects stand is measured in the picture of the camera that faces the actor.
The words are checked too: no word of a caption may be without a claim, and no claim without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from fathom.authoring.captions.claims import IN_REVERSE, Caption, Claim
from fathom.authoring.captions.english import CaptionLexicon
from fathom.authoring.captions.own_checks import gets_back, grown, keeps_on, moves, painted, turns
from fathom.authoring.captions.played import Played
from fathom.authoring.captions.words import said_badly, words_without_claims
from fathom.english import NUMBERS
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene, SceneObject


def faults(
    caption: Caption, scene: Scene, lexicon: CaptionLexicon, visibility: VisibilityGrid | None = None
) -> list[str]:
    """Return what is wrong with a caption, in words; nothing where all that it says is so.

    With the play of a film the actor's colour is held against what shows of it in the pictures.
    """
    if unreadable := list(_unreadable(caption, scene, lexicon)):
        return unreadable
    played = Played(scene, visibility)
    wrong = [
        f"{claim.kind} {' / '.join(claim.words)!r} of {', '.join(claim.objects)} is not so"
        for claim in caption.claims
        if not _CHECKS[claim.kind](played, claim)
    ]
    return wrong + list(words_without_claims(caption, lexicon)) + list(said_badly(caption.text))


_WORDS: Mapping[str, tuple[int, int]] = {
    "noun": (1, 1), "color": (1, 1), "part": (2, 2), "worn": (3, 3), "held": (3, 3), "place": (2, 2),
    "limbs": (2, 2), "does": (1, 99), "group": (2, 99), "changes": (0, 99), "side": (1, 9), "during": (1, 1),
    "travel": (1, 1), "goes": (2, 2), "turn": (1, 2), "paint": (3, 3), "moves": (3, 3),
    "grown": (3, 3), "grows": (2, 2), "comes": (3, 3), "turned": (3, 3),
    "there": (2, 2), "order": (1, 1), "times": (2, 2),
}  # fmt: skip
"""Kind of claim → how many words it has at least and at most."""


_COUNT = re.compile(r"\d{1,3}\Z", re.ASCII)


def _unreadable(caption: Caption, scene: Scene, lexicon: CaptionLexicon) -> Iterator[str]:
    """Yield what is claimed in a way that no check can hold against the scene."""
    there = {t.id for t in scene.objects}
    for claim in caption.claims:
        said = f"{claim.kind} {' / '.join(claim.words)!r}"
        fewest, most = _WORDS.get(claim.kind, (0, -1))
        if not fewest <= len(claim.words) <= most or (
            claim.kind in ("limbs", "paint", "grows", "comes", "times") and not _COUNT.match(claim.words[-1])
        ):
            yield f"{said} is no claim"
        elif not claim.objects or not there.issuperset(claim.objects):
            yield f"{said} is claimed of {', '.join(claim.objects) or 'nothing'}, which is not there"
        elif claim.kind in ("does", "during"):
            unknown = [v for v in claim.words if v.removesuffix(IN_REVERSE) not in lexicon.verbs]
            yield from (f"{said} has a verb that is not in the lexicon: {verb!r}" for verb in unknown)


def _attribute(name: str) -> Callable[[Played, Claim], bool]:
    return lambda played, claim: played.obj(claim.objects[0]).attributes.get(name) == claim.words[0]


def _color(played: Played, claim: Claim) -> bool:
    """Return whether the actor has the colour, and no other colour shows much more of it as it begins."""
    if played.obj(claim.objects[0]).attributes.get("color") != claim.words[0]:
        return False
    shown = _shown_colors(played)
    if not shown or claim.objects != (played.scene.objects[0].id,):
        return True
    least = min(shown.get(color, 0.0) for color in claim.words[0].split(" and "))
    return least >= LEAST_SHOWN and max(shown.values()) <= least + MORE_SHOWN


LEAST_SHOWN, MORE_SHOWN = 0.2, 0.4
"""Which share of an actor's pixels its colour has at least, and by how much more another one may have."""


def _shown_colors(played: Played) -> Mapping[str, float]:
    """Return the share of each colour in what shows of the actor in the first pictures, "" for no name."""
    if played.visibility is None or not len(played.visibility.part_px):
        return {}
    actor = played.scene.objects[0]
    found: Counter[str] = Counter()
    for k, (obj, name) in enumerate(played.visibility.parts):
        if not obj:
            found[actor.parts.get(name, {}).get("color", "")] += int(played.visibility.part_px[:, 0, k].sum())
    total = max(found.total(), 1)
    return {color: n / total for color, n in found.items()}


def _part(played: Played, claim: Claim) -> bool:
    word, color = claim.words
    actor = played.scene.objects[0]
    edited = dict(
        e.removeprefix("color:").split("=", 1)
        for e in actor.asset.edits
        if e.startswith("color:") and "=" in e
    )
    colors = {
        edited.get(name, part.get("color")) for name, part in actor.parts.items() if part.get("word") == word
    }
    return claim.objects == (actor.id,) and (colors == {color} if color else bool(colors))


def _carried(key: str) -> Callable[[Played, Claim], bool]:
    def check(played: Played, claim: Claim) -> bool:
        noun, color, where = claim.words
        said = played.obj(claim.objects[0]).attributes
        always = all(s.there for s in played.states[claim.objects[0]])
        return (
            always and key in said and said.get("name") == noun
            and color in ("", said.get("color", "")) and where in ("", said[key])
        )  # fmt: skip

    return check


def _limbs(played: Played, claim: Claim) -> bool:
    limb, many = claim.words
    said = played.scene.source
    gone = [e for e in played.scene.objects[0].asset.edits if e.startswith("remove:")]
    by_nature = NUMBERS.index(said["expected"]) if said.get("expected") in NUMBERS else -1
    return said.get("about", "").endswith(limb) and by_nature - len(gone) == int(many)


def _does(played: Played, claim: Claim) -> bool:
    """Return whether just that is done. What hardly shows may be passed over, and is stirring where that is
    all, as may resting beside anything else; that a clip plays in reverse need not be said.
    """

    def besides(done: Sequence[str], *faint: str) -> list[str]:
        return [v for v in done if v.removesuffix(IN_REVERSE) not in faint]

    return all(
        _follows(claim.words, done)
        or _follows(claim.words, besides(done, FAINT) or ["stir"])
        or (claim.words != () and _follows(claim.words, besides(done, FAINT, RESTING)))
        for done in (played.verbs(name) for name in claim.objects)
    )


FAINT, RESTING = "flinch", "idle"
"""What hardly shows in a few frames, and what nobody tells of who does anything else."""


def _follows(told: Sequence[str], done: Sequence[str]) -> bool:
    """Return whether the verbs told are those of what is done, where one may stand for several in a row."""
    k = 0
    for verb in done:
        plain = verb.removesuffix(IN_REVERSE)
        if k < len(told) and told[k] in (verb, plain):
            k += 1
        elif not k or told[k - 1] != plain:
            return False
    return k == len(told)


def _group(played: Played, claim: Claim) -> bool:
    noun, color, *changes = claim.words

    def fits(obj: SceneObject) -> bool:
        first = played.states[obj.id][0]
        return (
            first.kind == noun and color in ("", first.color)
            and [what for _, what in played.changes(obj.id)] == changes
            and played.verbs(obj.id) == played.verbs(claim.objects[0])
            and _carriers(obj) == _carriers(played.obj(claim.objects[0]))
        )  # fmt: skip

    return {t.id for t in played.scene.objects[1:] if fits(t)} == set(claim.objects)


def _carriers(obj: SceneObject) -> tuple[str | None, str | None]:
    return obj.attributes.get("worn_on"), obj.attributes.get("held_in")


def _place(played: Played, claim: Claim) -> bool:
    how, where = claim.words
    wanted = (where, None) if how == "worn" else (None, where)
    return all(_carriers(played.obj(name)) == wanted for name in claim.objects)


def _changes(played: Played, claim: Claim) -> bool:
    return [what for _, what in played.changes(claim.objects[0])] == list(claim.words)


def _during(played: Played, claim: Claim) -> bool:
    does = played.states[played.scene.objects[0].id]
    frames = [i for name in claim.objects for i, _ in played.changes(name)]
    told = (claim.words[0], claim.words[0] + IN_REVERSE)
    return bool(frames) and all(does[i].verb in told for i in frames)


def _side(played: Played, claim: Claim) -> bool:
    actor = played.scene.objects[0]
    for name in claim.objects:
        places = {p.position_m for p in played.obj(name).poses if p.valid}
        found = set()
        for place in places:
            ahead, left = played.from_front(actor.poses[0].position_m, place)
            if abs(ahead) > abs(left):
                found.add("front" if ahead > 0 else "behind")
            else:
                found.add("left" if left > 0 else "right")
        if len(actor.poses) > 1 or found != set(claim.words):
            return False
    return True


def _travel(played: Played, claim: Claim) -> bool:
    poses = [p for p in played.scene.objects[0].poses if p.valid]
    ahead, left = played.from_front(poses[0].position_m, poses[-1].position_m)
    straight = abs(ahead) > abs(left) and keeps_on(played.scene)
    return straight and claim.words == ("forward" if ahead > 0 else "backward",)


def _is_all(played: Played, claim: Claim) -> bool:
    """Return whether the objects of a claim are all that are of their kind on the actor."""
    same = [o for o in played.scene.objects[1:] if o.subtype == claim.words[0] and _carriers(o)[0]]
    return {o.id for o in same} == set(claim.objects)


def _grows(played: Played, claim: Claim) -> bool:
    there = [played.states[name][0].there for name in claim.objects]
    return _is_all(played, claim) and sum(there) == int(claim.words[1])


def _comes(played: Played, claim: Claim) -> bool:
    wanted = claim.words[1] == "appears"
    courses = [[s.there for s in played.states[name]] for name in claim.objects]
    steps = [b for course in courses for a, b in pairwise(course) if a != b]
    return _is_all(played, claim) and steps.count(wanted) == int(claim.words[2])


def _turned(played: Played, claim: Claim) -> bool:
    noun, color, what = claim.words
    states = played.states[claim.objects[0]]
    seen = {(s.kind, s.color) for s in states if s.there}
    return seen == {(noun, color)} and [w for _, w in played.changes(claim.objects[0])] == [f"{what}:"]


def _there(played: Played, claim: Claim) -> bool:
    now = played.states[claim.objects[0]][0]
    return now.there and (now.kind, now.color) == claim.words


def _order(played: Played, claim: Claim) -> bool:
    """Return whether the one change of each comes after that of the one before."""
    changes = [played.changes(name) for name in claim.objects]
    frames = [course[0][0] for course in changes if len(course) == 1]
    return len(frames) == len(changes) and all(a < b for a, b in pairwise(frames))


_CHECKS: Mapping[str, Callable[[Played, Claim], bool]] = {
    "noun": _attribute("name"),
    "color": _color,
    "part": _part,
    "worn": _carried("worn_on"),
    "held": _carried("held_in"),
    "limbs": _limbs,
    "place": _place,
    "does": _does,
    "group": _group,
    "changes": _changes,
    "during": _during,
    "side": _side,
    "travel": _travel,
    "goes": lambda played, claim: claim.words[1] == "backward" and gets_back(played, claim.words[0]),
    "turn": lambda played, claim: turns(played.scene, claim),
    "paint": lambda played, claim: painted(played.scene, played.visibility, claim),
    "grown": lambda played, claim: grown(played.scene, claim),
    "grows": _grows,
    "comes": _comes,
    "turned": _turned,
    "there": _there,
    "order": _order,
    "times": lambda played, claim: played.times(claim.objects[0], claim.words[0]) == int(claim.words[1]),
    "moves": lambda played, claim: moves(played.scene, played.visibility, claim),
}
