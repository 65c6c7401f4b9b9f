"""What is done, from its words: "shaking its head" and "shakes its head" are one verb.

Most verbs are called by their key, inflected; those that are not are listed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fathom.benchmarks.fourdbench.sentences.meaning import UNKNOWN

CALLED_OTHERWISE = {
    "jump into the air": "jump_up",
    "fall to the ground": "fall",
    "turn onto its back": "turn_over",
    "flop about": "flop",
    "stay still": "idle",
    "swing its sword": "slash",
    "lunge forward": "lunge",
    "give a thumbs-up": "thumbs_up",
    "do a flip": "flip",
    "turn a somersault": "flip",
    "spin around": "spin",
    "sit down": "sit",
    "swing over to the other side": "tip",
    "tip to the other side": "tip",
    "drive forward": "drive",
    "drive backward": "reverse",
    "rise and sink in a wave": "ripple",
    "nod its head": "nod",
    "roll over": "roll",
    "flap its fins": "flap",
    "bob up and down": "bob",
}
"""Words → key, where the key is not the words themselves."""

CALLED_SO = frozenset(
    (
        *("walk", "run", "gallop", "swim", "swim_fast", "fly", "hover", "slither", "hop", "jump", "leap"),
        *("land", "die", "fall_over", "look_around", "lower_head", "eat", "drink", "chew", "bite", "roar"),
        *("attack", "headbutt", "kick", "punch", "sting", "whip_tail", "flinch", "duck", "bend_down"),
        *(
            "crawl",
            "climb",
            "sneak",
            "limp",
            "stagger",
            "step_sideways",
            "trot",
            "glide",
            "turn_around",
            "ride",
        ),
        *(
            "stand_up",
            "crouch",
            "kneel",
            "lie_down",
            "sleep",
            "pray",
            "stretch",
            "dodge",
            "block",
            "carry_something",
        ),
        *(
            "clap",
            "cheer",
            "salute",
            "point",
            "laugh",
            "talk",
            "bark",
            "type",
            "play_instrument",
            "dig",
            "cast_spell",
        ),
        *(
            "throw",
            "catch",
            "pick_something_up",
            "put_something_down",
            "push",
            "pull",
            "lift",
            "aim",
            "shoot",
        ),
        *("flap_wings", "shake_itself", "scratch_itself"),
        *(
            "nod",
            "roll",
            "flap",
            "wave",
            "shake_head",
            "dance",
            "bow",
            "wag_tail",
            "bounce",
            "open",
            "close",
            "turn_blades",
        ),
    )
)
"""Keys that are the words themselves."""

SMALL = frozenset(("its", "the", "a", "an"))
"""Words that keys leave out."""


@lru_cache(maxsize=4096)
def verb_of(phrase: str, keys: frozenset[str]) -> str:
    """Return which of some keys a phrase in the -ing form, or after "it", stands for.

    Any other verb that is known here has its own key; what is not known is marked so.
    """
    bases = list(_bases(phrase))
    for base in bases:
        if base in CALLED_OTHERWISE:
            return CALLED_OTHERWISE[base]
    named = ["_".join(w for w in base.replace("-", " ").split(" ") if w not in SMALL) for base in bases]
    return next((key for key in named if key in keys or key in CALLED_SO), UNKNOWN + phrase)


def _bases(phrase: str) -> Iterator[str]:
    """Yield what a phrase may be when nothing is inflected; of "rising and sinking" both words are."""
    first, *rest = phrase.split(" ")
    if rest[:1] == ["and"]:
        ends = [" ".join(["and", other, *rest[2:]]) for other in _stems(rest[1])]
    else:
        ends = [" ".join(rest)]
    for stem in _stems(first):
        for end in ends:
            yield f"{stem} {end}".rstrip()


def _stems(word: str) -> Iterator[str]:
    """Yield what a word may be an -ing form, or the form after "it" or "does", of."""
    if word.endswith("ing"):
        stem = word[:-3]
        yield stem
        yield stem + "e"
        if stem[-2:-1] == stem[-1:]:
            yield stem[:-1]
        if stem.endswith("y"):
            yield stem[:-1] + "ie"
    elif word.endswith("s"):
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-2]
        if word.endswith("ies"):
            yield word[:-3] + "y"
    yield word
