"""Five captions of one object, each in another style: order, wording and level of detail differ.

Ref: 4D-Bench §3.3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from fathom.authoring.captions.changing import coming
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.english import CaptionLexicon, sentence
from fathom.authoring.captions.facts import facts_of
from fathom.authoring.captions.phrases import NEAR, Speaker
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.pronouns import personal
from fathom.records import Scene, UnfitError
from fathom.store.seeds import rng

CAPTIONS = 5

Style = Callable[[Speaker], str]
"""Says one caption, without capital and full stop; "" where the object has not what the style needs."""


def _plain(say: Speaker) -> str:
    return f"{say.actor(1)} {say.third()}{_way_of_one(say)}"


def _continuous(say: Speaker) -> str:
    if len(say.facts.acts) > 1:
        return ""
    who, act = say.actor(2), say.facts.acts[0]
    if act.times > 1 and not act.backwards:
        say.does()
        return f"{who} keeps {say.lexicon.forms(act.verb).ing}{say.way()}{_with(say)}"
    return f"{who} is {say.ing()}{say.way(' and')}{_with(say)}"


def _detailed(say: Speaker) -> str:
    return "; ".join([f"{say.actor(3)} {say.third(turning=True)}{say.way()}", *say.clauses()])


def _sentences(say: Speaker) -> str:
    first = [f"this is {say.actor(3)}", f"{say.it} {say.third(turning=True)}{say.way()}"]
    limbs = [words for words in [say.moving_limbs()] if words]
    return " ".join(sentence(s) for s in [*first, *say.clauses(), *limbs])


def _props_first(say: Speaker) -> str:
    if not say.still:
        return ""
    props = say.props()
    return f"{say.pick(f'with {props} nearby', f'near {props}')}, {say.actor(1)} {say.third()}"


def _step_by_step(say: Speaker) -> str:
    acts = say.facts.acts
    if len(acts) < 2:
        return ""
    who = say.actor(2)
    verbs = say.turning(say.verbs(acts, lambda verb: say.lexicon.forms(verb).third))
    say.does()
    steps = [f"{who} first {verbs[0]}", *(f"then {v}" for v in verbs[1:-1])]
    last = f"and {say.pick('then', 'finally' if len(acts) > 2 else 'then')} {verbs[-1]}"
    return f"{', '.join(steps)}{',' if len(acts) > 2 else ''} {last}{_with(say)}"


def _before(say: Speaker) -> str:
    if len(say.facts.acts) != 2:
        return ""
    first = say.verbs(say.facts.acts, lambda verb: say.lexicon.forms(verb).third)[0]
    then = say.verbs(say.facts.acts, lambda verb: say.lexicon.forms(verb).ing)[1]
    say.does()
    return f"{say.actor(2)} {first} before {then}"


def _limbs(say: Speaker) -> str:
    moving = say.moving_limbs()
    return f"{say.actor(1)} {say.third()}{_way_of_one(say)}; {moving}" if moving else ""


def _here(say: Speaker) -> str:
    return f"{say.actor(2)} {say.third()}{_way_of_one(say)}{_with(say)}"


def _shown(say: Speaker) -> str:
    return f"the video shows {say.actor(2)} as {say.it} {say.third()}{_way_of_one(say)}{_with(say)}"


def _in_the_video(say: Speaker) -> str:
    return f"in the video, {say.actor(2)} {say.third(turning=True)}{say.way()}{_with(say)}"


def _way_of_one(say: Speaker) -> str:
    """Return which way the actor goes where it does one thing alone."""
    return say.way() if len(say.facts.acts) == 1 else ""


def _with(say: Speaker) -> str:
    return f", with {say.props()} {NEAR.format('it')}" if say.still else ""


STYLES: Mapping[str, Style] = {
    "plain": _plain,
    "detailed": _detailed,
    "sentences": _sentences,
    "continuous": _continuous,
    "props first": _props_first,
    "step by step": _step_by_step,
    "before": _before,
    "here": _here,
    "shown": _shown,
    "limbs": _limbs,
    "in the video": _in_the_video,
}

RICH = ("detailed", "sentences")
"""The styles that say all; each object has at least one of them."""


def captions_of(
    scene: Scene,
    lexicon: CaptionLexicon,
    seed: str | int,
    parts: Collection[str] | None = None,
    visibility: VisibilityGrid | None = None,
) -> tuple[Caption, ...]:
    """Return five captions of an object, no two alike.

    `parts` are the parts of the actor that are large enough to be spoken of (None: all). Paint and limbs are
    spoken of where it is known what the film shows. Raises UnfitError where too little is known of the
    object, or a verb of it cannot be said.
    """
    order = [list(STYLES)[i] for i in rng(seed, "caption styles", scene.id).permutation(len(STYLES))]
    rich = [name for name in order if name in RICH]
    order.sort(key=lambda name: name != rich[0])
    found: dict[str, Caption] = {}
    for name in order:
        draws = rng(seed, "caption", scene.id, name)
        # Of a plainer caption, the colours of props are left out at times, and what differs in them is one.
        in_color = name in RICH or bool(draws.integers(3))
        say = Speaker(facts_of(scene, parts, in_color, visibility), lexicon, draws)
        if text := STYLES[name](say):
            text = personal(sentence(_with_growths(text, say)), say.facts.noun)
            caption = Caption(object=scene.id, text=text, claims=tuple(say.claims), style=name)
            found.setdefault(_plainly(caption.text), caption)
        if len(found) == CAPTIONS:
            # The rich one is not always the first, which is the one that stands as the answer.
            kept = list(found.values())
            return tuple(kept[i] for i in rng(seed, "caption order", scene.id).permutation(CAPTIONS))
    raise UnfitError(
        f"scene {scene.id}: {len(found)} captions could be told apart, and {CAPTIONS} are wanted"
    )


def _with_growths(text: str, say: Speaker) -> str:
    """Return a caption's text with what comes and goes on the actor: beside the one thing that it does, as it
    does that, unless how it does is told as well.
    """
    more = coming(say)
    if not more:
        return text
    simple = say.facts.at_one and not any(claim.kind == "moves" for claim in say.claims)
    if simple and " disappear" not in more and say.pick("while", "then") == "while":
        return f"{text.rstrip('.')} while {more}"
    # It happens as it does what it does, and not after that.
    when = say.pick("meanwhile", "over time")
    return f"{sentence(text)} {sentence(f'{when}, {more}')}"


def _plainly(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum() or c == " ")
