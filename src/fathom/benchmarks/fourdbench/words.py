"""The words of built questions: sides, ways, moments and events, as data.

Left and right are always the actor's own.
"""

from __future__ import annotations

from fathom.programs.state import HARDLY_SHOWS
from fathom.questions.contexts.animated_words import ActionWords, Language

LANGUAGE = Language(
    moments={
        "start": ("at the beginning", "at the start"),
        "end": ("at the end",),
        "before": ("just before {H}", "immediately before {H}", "right before {H}"),
        "after": ("just after {H}", "immediately after {H}", "right after {H}"),
        "while": ("while the {actor} is {V}",),
        "begun": ("when the {actor} starts {V}",),
    },
    events={
        "appears": "appears",
        "vanishes": "disappears",
        "recolours": "turns {detail}",
        "swaps": "turns into {detail}",
    },
    any_change={
        "": "appears, disappears, or changes",
        "appears": "appears",
        "vanishes": "disappears",
        "recolours": "changes color",
        "swaps": "turns into something else",
    },
    any_changes={
        "": "appear, disappear, change color, or turn into something else",
        "appears": "appear",
        "vanishes": "disappear",
        "recolours": "change color",
        "swaps": "turn into something else",
    },
    ranks={"first": "first", "last": "last", "second": "second"},
    sides={
        "front": "in front of it",
        "left": "on its left",
        "behind": "behind it",
        "right": "on its right",
    },
    sides_in_text={
        "front": "in front of the {actor}",
        "left": "on the {actor}'s own left",
        "behind": "behind the {actor}",
        "right": "on the {actor}'s own right",
    },
    views={
        "front": "from the front",
        "left": "from its left",
        "behind": "from behind",
        "right": "from its right",
    },
    ways={
        "forward": "forward",
        "backward": "backward",
        "left": "to its left",
        "right": "to its right",
        "up": "up",
        "down": "down",
    },
    goes={
        "forward": "straight ahead",
        "backward": "backward",
        "left": "in a curve to its left",
        "right": "in a curve to its right",
    },
    shifts={
        "forward": "farther forward",
        "backward": "farther back",
        "left": "farther to its left",
        "right": "farther to its right",
        "up": "higher up",
        "down": "lower down",
    },
    limb_places={
        "front": "farther forward",
        "behind": "farther back",
        "left": "farther to its left",
        "right": "farther to its right",
        "above": "higher up",
        "below": "lower down",
    },
    lines={
        "lengthwise": "forward and back",
        "sideways": "from side to side",
        "vertical": "up and down",
        "still": "hardly at all",
    },
    courses={
        "rises": "raises it and keeps it up",
        "sinks": "lowers it and keeps it down",
        "rises back": "raises it and lowers it again",
        "sinks back": "lowers it and raises it again",
    },
    seen_ways={
        "towards": "towards the camera",
        "away": "away from the camera",
        "left": "to the viewer's left",
        "right": "to the viewer's right",
    },
    places_reached={
        "towards": "closer to the camera",
        "away": "farther from the camera",
        "left": "farther to the viewer's left",
        "right": "farther to the viewer's right",
    },
    places_in_text={
        "head": "on its head",
        "back": "on its back",
        "belly": "under its belly",
        "left hand": "in its left hand",
        "right hand": "in its right hand",
    },
    growing_places={
        "left side": "on its left side",
        "right side": "on its right side",
        "back": "on its back",
        "head": "on its head",
        "chest": "on its chest",
        "belly": "under its belly",
    },
    machine_places={"back": "top", "belly": "underside"},
    headless_places={"chest": "front"},
    growth_changes={
        "appears": "{plural} appear on the {actor}",
        "appears besides": "new {plural} appear on the {actor}",
        "vanishes": "{plural} disappear from the {actor}",
    },
    growth_times={
        "appears the": {
            "said": "{a} appears",
            "that": "the {name} that appears on the {actor}",
            "where": "does {a} appear",
        },
        "appears ranked": {
            "said": "the {rank} {name} appears",
            "that": "the {rank} {name} to appear on the {actor}",
            "where": "does the {rank} {name} appear",
        },
        "appears besides the": {
            "said": "a new {name} appears",
            "that": "the new {name} that appears on the {actor}",
            "where": "does a new {name} appear",
        },
        "appears besides ranked": {
            "said": "the {rank} new {name} appears",
            "that": "the {rank} {name} to appear on the {actor}",
            "where": "does the {rank} new {name} appear",
        },
        "vanishes the": {
            "said": "{a} disappears",
            "that": "the {name} that disappears from the {actor}",
            "where": "is the {name} that disappears",
        },
        "vanishes ranked": {
            "said": "the {rank} {name} disappears",
            "last said": "{a} disappears for the last time",
            "that": "the {rank} {name} to disappear from the {actor}",
            "where": "is the {rank} {name} to disappear",
        },
    },
    plurals={
        "box": "boxes",
        "cactus": "cacti",
        "wings": "wings",
        "wheels": "wheels",
        "legs": "legs",
        "fish": "fish",
    },
    vowels={"unicorn": False, "one": False, "hourglass": True},
    unsaid_verbs=frozenset(("idle", "look_around")) | HARDLY_SHOWS,
    unsaid_parts=frozenset(("stripes", "lure")),
    mostly={"mostly hidden": "hidden", "mostly out of sight": "out of sight"},
    falls=frozenset(("fall", "fall_over", "die", "flop", "tip", "turn_over")),
    jumps=frozenset(("jump", "jump_up", "leap", "hop", "bounce", "bob", "flip", "land")),
    gaits=frozenset(("walk", "run", "gallop", "trot", "sneak", "limp", "stagger", "crawl", "climb")),
    seldom=frozenset(
        ("fall", "fall_over", "die", "tip", "turn_over", "sit", "open", "close", "jump_up", "land", "flinch")
    ),
    obvious_limbs={
        **dict.fromkeys(
            (
                "eat",
                "drink",
                "chew",
                "bite",
                "nod",
                "shake_head",
                "headbutt",
                "lower_head",
                "look_around",
                "roar",
                "bend_down",
                "bow",
            ),
            ("head", "neck", "mouth", "tongue"),
        ),
        **dict.fromkeys(("punch", "wave", "thumbs_up", "slash"), ("arm", "hand", "sword")),
        **dict.fromkeys(("walk", "run", "gallop", "kick"), ("leg", "legs", "foot")),
        "swim": ("tail", "fin", "flipper"),
        **dict.fromkeys(("wag_tail", "whip_tail"), ("tail",)),
        "fly": ("wing",),
        "flap": ("fin", "wing", "flipper"),
        "turn_blades": ("blades",),
        "open": ("lid",),
        "close": ("lid",),
        "tip": ("handle",),
        "sting": ("abdomen", "tail"),
    },
    obvious_numbers=frozenset(
        (
            "eyes",
            "ears",
            "horns",
            "hooves",
            "paws",
            "hands",
            "feet",
            "legs",
            "arms",
            "wings",
            "boots",
            "shoes",
        )
    ),
    obvious_colors={
        "eyes": ("black",),
        "horns": ("brown", "gray", "white"),
        "hooves": ("black", "brown", "gray"),
        "teeth": ("white",),
        "nose": ("black",),
        "muzzle": ("black",),
        "mouth": ("red", "pink"),
        "throat": ("red", "pink"),
        "tongue": ("red", "pink"),
        "claws": ("black", "gray", "white"),
        "wheels": ("black", "gray"),
        "wood": ("brown",),
        "coins": ("yellow",),
        "boots": ("brown", "black"),
        "metal": ("gray",),
        "sword": ("gray",),
        "coil": ("gray",),
    },
    natural_looks=frozenset(("animal", "fish", "dinosaur", "insect")),
    natural_deeds={
        "fish": ("swim", "swim_fast"),
        "flipper": ("swim", "swim_fast"),
        "insect": ("fly", "hover"),
        "track": ("drive", "reverse"),
    },
    obvious_reach={
        "farthest forward": ("head", "neck", "mouth", "nose", "beak", "jaw", "tongue", "snout", "trunk"),
        "farthest back": ("tail",),
        "highest": ("head", "hat", "ear", "neck"),
        "lowest": ("leg", "legs", "foot", "paw", "hoof", "wheel", "wheels"),
    },
    next_forms=frozenset(
        (
            "action.after",
            "action.after_change",
            "action.nth",
            "action.between",
            "temporal.next",
            "temporal.last",
        )
    ),
    close_colors=frozenset(
        frozenset(pair)
        for pair in (
            ("brown", "red"),
            ("brown", "orange"),
            ("gray", "black"),
            ("gray", "white"),
            ("orange", "red"),
            ("orange", "yellow"),
        )
    ),
    alike_colors=frozenset(
        frozenset(pair)
        for pair in (
            ("orange", "yellow"),
            ("orange", "brown"),
            ("orange", "red"),
            ("brown", "red"),
            ("brown", "yellow"),
            ("gray", "white"),
            ("gray", "black"),
            ("brown", "black"),
            ("brown", "gray"),
            ("blue", "cyan"),
            ("blue", "purple"),
            ("green", "cyan"),
            ("gray", "blue"),
            ("gray", "purple"),
        )
    ),
)

VERBS = {
    v.key: v
    for v in (
        ActionWords("walk", "walking", "walks", ("stroll", "walk_tall", "march")),
        ActionWords("run", "running", "runs", ("jog", "sprint", "gallop")),
        ActionWords("gallop", "galloping", "gallops", ("run",)),
        ActionWords("jump", "jumping", "jumps", ("hop", "leap", "bob"), True),
        ActionWords("wave", "waving", "waves", ()),
        ActionWords("nod", "nodding its head", "nods its head", ("eat", "bow"), True),
        ActionWords("shake_head", "shaking its head", "shakes its head", ()),
        ActionWords("spin", "spinning around", "spins around", ("roll", "turn")),
        ActionWords("kick", "kicking", "kicks", (), True),
        ActionWords("bow", "bowing", "bows", ("nod",), True),
        ActionWords("fall_over", "falling over", "falls over", ("die",)),
        ActionWords("sit", "sitting down", "sits down", ()),
        ActionWords("eat", "eating", "eats", ("nod",)),
        ActionWords("wag_tail", "wagging its tail", "wags its tail", ()),
        ActionWords("swim", "swimming", "swims", ("swim_fast",)),
        ActionWords("swim_fast", "swimming fast", "swims fast", ("swim",)),
        ActionWords("flip", "turning a somersault", "turns a somersault", ("roll", "spin"), True),
        ActionWords("roll", "rolling over", "rolls over", ("flip", "spin")),
        ActionWords("leap", "leaping", "leaps", ("jump",), True),
        ActionWords("flap", "flapping its fins", "flaps its fins", ()),
        ActionWords("attack", "attacking", "attacks", (), True),
        ActionWords("bob", "bobbing up and down", "bobs up and down", ("jump",)),
    )
}
"""The verbs of the built-in actors; those of other actors come from their lexicon."""
