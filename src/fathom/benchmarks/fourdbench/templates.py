"""The forms of built questions as data, for the five subtasks of 4D-Bench.

Sentences are Fathom's own. What each operator means: docs/benchmarks/4d-bench-questions.md.

Ref: 4D-Bench §3.1.
"""

from __future__ import annotations

from fathom.build.questions.stories.forms import Form

ACTION, TEMPORAL, COUNTING = "action", "temporal_relationship", "object_counting"
SPATIAL, APPEARANCE = "spatial_relationship", "appearance"

ACTION_FORMS = (
    Form(
        "action.when",
        ACTION,
        "verb the around actions while the pick:$H events",
        (
            "What is the {actor} doing when {H}?",
            "In which action is the {actor} caught at the moment when {H}?",
            "{H}. What is the {actor} doing right then?",
        ),
        "verbs",
        {"H": "event"},
        weight=3.0,
    ),
    Form(
        "action.before",
        ACTION,
        "verb last earlier actions the pick:$H events",
        (
            "What is the last thing that the {actor} has finished doing before {H}?",
            "Which action has the {actor} finished most recently when {H}?",
        ),
        "verbs",
        {"H": "event"},
    ),
    Form(
        "action.after",
        ACTION,
        "verb next actions the pick:$H events",
        (
            "What does the {actor} turn to next, after {H}?",
            "Which action does the {actor} begin first once {H}?",
        ),
        "verbs",
        {"H": "event"},
    ),
    Form(
        "action.between",
        ACTION,
        "verb the earlier later actions the pick:$G events the pick:$H events",
        (
            "What does the {actor} do from beginning to end after {G} and before {H}?",
            "First {G}, later {H}. Which action of the {actor} lies wholly between the two?",
        ),
        "verbs",
        {"G": "event", "H": "event"},
        weight=3.0,
    ),
    Form(
        "action.nth",
        ACTION,
        "verb nth:2 actions",
        (
            "What is the second thing that the {actor} does?",
            "The {actor} does one thing after the other. Which action comes second?",
        ),
        "verbs",
    ),
    Form(
        "action.shown",
        ACTION,
        "actions",
        (
            "Which of these is the {actor} seen doing?",
            "One of these actions is carried out by the {actor}. Which one?",
            "Which action does the {actor} perform at some time in the film?",
        ),
        "absent verbs",
        weight=1.5,
    ),
    Form(
        "action.not_shown",
        ACTION,
        "actions",
        (
            "Which of these is the {actor} never seen doing?",
            "Three of these actions are carried out by the {actor}. Which one is not?",
        ),
        "other verbs",
        other=True,
    ),
    Form(
        "action.limb",
        ACTION,
        "limb_most while the filter_verb:$V actions",
        (
            "Which part of the {actor}'s body moves the most while it is {V.ing}?",
            "While the {actor} is {V.ing}, which of these parts of its body covers the longest way?",
        ),
        "limbs",
        {"V": "verb"},
    ),
    Form(
        "action.limb_way",
        ACTION,
        "limb_first:$L while the filter_verb:$V actions",
        (
            "When the {actor} starts {V.ing}, which way does its {L} go first, from its own point of view?",
            "The {actor} begins {V.ing}: in which of its own directions does its {L} move first?",
        ),
        "ways",
        {"V": "verb", "L": "limb"},
    ),
    Form(
        "action.repeats",
        ACTION,
        "repeats while the filter_verb:$V actions",
        (
            "While it is {V.ing}, how many times does the part of the {actor} that moves most go out and "
            "back?",
            "While the {actor} is {V.ing}, how often does the part of it that moves most swing out and back?",
        ),
        "numbers",
        {"V": "verb"},
        weight=0.15,
    ),
    Form(
        "action.goes",
        ACTION,
        "goes while the filter_verb:$V actions",
        (
            "Which way does the {actor} go while it is {V.ing}, from its own point of view?",
            "As the {actor} is {V.ing}, which way does it head, from its own point of view?",
        ),
        "goes",
        {"V": "verb"},
        weight=2.0,
    ),
)

TEMPORAL_FORMS = (
    Form(
        "temporal.first",
        TEMPORAL,
        "verb first actions",
        ("What does the {actor} do first?", "Which action does the film of the {actor} open with?"),
        "verbs",
    ),
    Form(
        "temporal.last",
        TEMPORAL,
        "verb last actions",
        ("What does the {actor} do last?", "Which action does the film of the {actor} close with?"),
        "verbs",
    ),
    Form(
        "temporal.next",
        TEMPORAL,
        "verb next actions the filter_verb:$V actions",
        (
            "What does the {actor} do right after it has been {V.ing}?",
            "The {actor} is seen {V.ing}. What comes next?",
        ),
        "verbs",
        {"V": "verb"},
    ),
    Form(
        "temporal.previous",
        TEMPORAL,
        "verb previous actions the filter_verb:$V actions",
        (
            "What does the {actor} do right before it begins {V.ing}?",
            "Which action of the {actor} is followed by {V.ing}?",
        ),
        "verbs",
        {"V": "verb"},
    ),
    Form(
        "temporal.longest",
        TEMPORAL,
        "verb longest actions",
        (
            "On which action does the {actor} spend the most time?",
            "Which of the things that the {actor} does takes longest?",
        ),
        "verbs",
    ),
    Form(
        "temporal.order",
        TEMPORAL,
        "order $O",
        (
            "In which order do these things happen?",
            "Which of these is the right order of what happens around the {actor}?",
        ),
        "orders",
        {"O": "three"},
        weight=2.5,
    ),
    Form(
        "temporal.during",
        TEMPORAL,
        "happened the within events while the filter_verb:$V actions",
        (
            "Which of these happens while the {actor} is {V.ing}?",
            "What changes during the time that the {actor} is {V.ing}?",
        ),
        "happenings",
        {"V": "verb"},
        weight=2.0,
    ),
    Form(
        "temporal.earlier",
        TEMPORAL,
        "earlier events the pick:$H events",
        ("Which of these has already happened when {H}?", "What takes place before {H}?"),
        "happenings",
        {"H": "event"},
    ),
    Form(
        "temporal.later",
        TEMPORAL,
        "later events the pick:$H events",
        ("Which of these is still to come when {H}?", "What takes place after {H}?"),
        "happenings",
        {"H": "event"},
    ),
    Form(
        "temporal.first_event",
        TEMPORAL,
        "happened first events",
        ("Which of these changes comes first?", "What is the first change to be seen around the {actor}?"),
        "happenings",
    ),
    Form(
        "temporal.last_event",
        TEMPORAL,
        "happened last events",
        ("Which of these changes comes last?", "What is the last change to be seen around the {actor}?"),
        "happenings",
    ),
    Form(
        "temporal.becomes",
        TEMPORAL,
        "happened the of events $T",
        (
            "What becomes of {T} in the course of the film?",
            "What happens to {T} as time goes by?",
        ),
        "own happenings",
        {"T": "thing"},
    ),
    Form(
        "temporal.turns_into",
        TEMPORAL,
        "name $T end",
        ("What has {T} turned into by the end?", "What stands in the place of {T} when the film is over?"),
        "names",
        {"T": "changing"},
    ),
)

COUNTING_FORMS = (
    Form(
        "counting.group",
        COUNTING,
        "count colored:$C named:$N there standing $M $M $M",
        (
            "How many {C} {N.pl} are there around the {actor} {M}?",
            "Count the {C} {N.pl} that are there {M}. How many are there?",
        ),
        "numbers",
        {"C": "color", "N": "name", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "counting.kind",
        COUNTING,
        "count named:$N there standing $M $M",
        (
            "How many {N.pl} are there around the {actor} {M}?",
            "Whatever their color, how many {N.pl} stand about {M}?",
        ),
        "numbers",
        {"N": "name", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "counting.color",
        COUNTING,
        "count colored:$C there standing $M $M",
        (
            "How many {C} objects stand around the {actor} {M}?",
            "Apart from the {actor} and what it wears, how many objects are {C} {M}?",
        ),
        "numbers",
        {"C": "color", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "counting.all",
        COUNTING,
        "count there standing $M",
        (
            "How many objects stand around the {actor} {M}?",
            "Not counting the {actor} and what it wears, how many objects are there {M}?",
        ),
        "numbers",
        {"M": "moment"},
        weight=2.0,
    ),
    Form(
        "counting.in_all",
        COUNTING,
        "count named:$N standing whole",
        (
            "How many {N.pl} are there in the whole film, those that come or go included?",
            "Counting each one that is there at any time, how many {N.pl} does the film show?",
        ),
        "numbers",
        {"N": "steady name"},
        weight=2.0,
    ),
    Form(
        "counting.ever",
        COUNTING,
        "count standing",
        (
            "How many different objects stand around the {actor} in the whole film, those that come or go "
            "included?",
            "Counting each object that stands around the {actor} at any time, how many does the film show?",
        ),
        "numbers",
        weight=1.5,
    ),
    Form(
        "counting.colored_ever",
        COUNTING,
        "count colored:$C standing whole",
        (
            "How many {C} objects stand around the {actor} in the film, those that come or go included?",
            "Counting each one that stands around the {actor} at any time, how many {C} objects are there?",
        ),
        "numbers",
        {"C": "steady color"},
        weight=2.0,
    ),
    Form(
        "counting.group_ever",
        COUNTING,
        "count colored:$C named:$N standing whole whole",
        (
            "How many {C} {N.pl} are there in the whole film, those that come or go included?",
            "Counting each one that is there at any time, how many {C} {N.pl} does the film show?",
        ),
        "numbers",
        {"C": "steady color", "N": "steady name"},
        weight=2.0,
    ),
    Form(
        "counting.side",
        COUNTING,
        "count side:$D standing $M",
        (
            "How many objects are {D} {M}?",
            "Count the objects {D} {M}. How many are there?",
        ),
        "numbers",
        {"D": "side", "M": "moment"},
    ),
    Form(
        "counting.hidden",
        COUNTING,
        "count hidden:front there standing $M $M",
        (
            "From the side that the {actor} faces at the start, how many objects are mostly hidden {M}?",
            "How many objects are mostly out of sight, {M}, for somebody who stands where the {actor} faces "
            "at the start?",
        ),
        "numbers",
        {"M": "moment"},
    ),
    Form(
        "counting.legs",
        COUNTING,
        "legs",
        (
            "How many legs has the creature or machine that the film is about?",
            "On how many legs does the main figure of the film get about?",
        ),
        "even numbers",
        once=True,
    ),
)

SPATIAL_FORMS = (
    Form(
        "spatial.where",
        SPATIAL,
        "side_of $T $M",
        (
            "From the {actor}'s own point of view, where {T.is} {M}?",
            "{M}, where {T.is}, as the {actor} itself would say?",
        ),
        "sides",
        {"T": "standing", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "spatial.hidden_from",
        SPATIAL,
        "hidden_from $T $M",
        (
            "Take the {actor}'s sides as they are at the start. From which of them {T.is} mostly hidden {M}?",
            "From which side of the {actor}, as it stands at the start, {T.is} mostly out of sight {M}?",
        ),
        "views",
        {"T": "standing", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "spatial.side",
        SPATIAL,
        "name only side:$D standing $M $M",
        ("What is {D} {M}?", "Which object is {D} {M}?"),
        "names",
        {"D": "side", "M": "moment"},
        weight=1.5,
    ),
    Form(
        "spatial.nearest",
        SPATIAL,
        "name nearest standing actor $M $M",
        ("Which object is nearest to the {actor} {M}?", "What stands closest to the {actor} {M}?"),
        "names",
        {"M": "moment"},
    ),
    Form(
        "spatial.farthest",
        SPATIAL,
        "name farthest standing actor $M $M",
        ("Which object is farthest from the {actor} {M}?", "What stands farthest from the {actor} {M}?"),
        "names",
        {"M": "moment"},
    ),
    Form(
        "spatial.nearest_to",
        SPATIAL,
        "name nearest standing $T $M $M",
        (
            "Which of the other objects is nearest to {T} {M}?",
            "Apart from the {actor}, what is closest to {T} {M}?",
        ),
        "names",
        {"T": "standing", "M": "moment"},
    ),
    Form(
        "spatial.opposite",
        SPATIAL,
        "name opposite standing $T $M $M",
        (
            "Which object is on the opposite side of the {actor} from {T} {M}?",
            "Looking from {T} straight across the {actor}, what is on the other side {M}?",
        ),
        "names",
        {"T": "standing", "M": "moment"},
        weight=1.5,
    ),
    Form(
        "spatial.on",
        SPATIAL,
        "name only on standing $T $M $M",
        ("What stands on top of {T} {M}?", "Which object is on {T} {M}?"),
        "names",
        {"T": "standing", "M": "moment"},
    ),
    Form(
        "spatial.hidden",
        SPATIAL,
        "hidden:front there standing $M $M",
        (
            "Which of these is mostly hidden from the side that the {actor} faces at the start, {M}?",
            "{M}, which of these is mostly out of sight for somebody who stands where the {actor} faces at "
            "the start?",
        ),
        "things",
        {"M": "moment"},
        weight=2.0,
    ),
)

APPEARANCE_FORMS = (
    Form(
        "appearance.part",
        APPEARANCE,
        "part_color:$P whole",
        (
            "What color {P.is} the {actor}'s {P}?",
            "Look at the {actor}'s {P} from a side that shows {P.it}. What is the color?",
        ),
        "colors",
        {"P": "part"},
        once=True,
    ),
    Form(
        "appearance.part_then",
        APPEARANCE,
        "part_color:$P $M",
        (
            "What color {P.is} the {actor}'s {P} {M}?",
            "{M}, which color {P.does} the {actor}'s {P} have?",
        ),
        "colors",
        {"P": "changing part", "M": "moment"},
    ),
    Form(
        "appearance.which_part",
        APPEARANCE,
        "part_colored:$C whole",
        (
            "Which of these parts of the {actor} is {C}?",
            "One of these parts of the {actor} is {C}. Which one?",
        ),
        "parts",
        {"C": "part color"},
        once=True,
    ),
    Form(
        "appearance.thing",
        APPEARANCE,
        "color $T $M",
        ("What color {T.is} {M}?", "{M}, which color {T.does} {T} have?"),
        "colors",
        {"T": "changing", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "appearance.side",
        APPEARANCE,
        "color only side:$D standing $M $M",
        (
            "What color is the object that is {D} {M}?",
            "{M}, which color does the object have that is {D}?",
        ),
        "colors",
        {"D": "side", "M": "moment"},
        weight=2.0,
    ),
    Form(
        "appearance.hidden",
        APPEARANCE,
        "color only hidden:front there standing $M $M $M",
        (
            "{M}, one object is mostly hidden from the side that the {actor} faces at the start. What color "
            "is it?",
            "What color is the object that is mostly out of sight, {M}, for somebody who stands where the "
            "{actor} faces at the start?",
        ),
        "colors",
        {"M": "moment"},
        weight=3.0,
    ),
    Form(
        "appearance.opposite",
        APPEARANCE,
        "color opposite standing $T $M $M",
        (
            "What color is the object on the opposite side of the {actor} from {T} {M}?",
            "Looking from {T} straight across the {actor} {M}, what color is the object on the other side?",
        ),
        "colors",
        {"T": "standing", "M": "moment"},
        weight=1.5,
    ),
    Form(
        "appearance.nearest",
        APPEARANCE,
        "color nearest standing actor $M $M",
        (
            "What color is the object that is nearest to the {actor} {M}?",
            "Which color does the object closest to the {actor} have {M}?",
        ),
        "colors",
        {"M": "moment"},
    ),
    Form(
        "appearance.carried",
        APPEARANCE,
        "name only place:$Q there carried $M $M",
        ("What does the {actor} have {Q} {M}?", "Which object is it that the {actor} has {Q} {M}?"),
        "names",
        {"Q": "place", "M": "moment"},
    ),
    Form(
        "appearance.carried_always",
        APPEARANCE,
        "name only place:$Q carried whole",
        ("What does the {actor} have {Q}?", "What is it that the {actor} carries {Q}?"),
        "names",
        {"Q": "steady place"},
    ),
    Form(
        "appearance.carried_color",
        APPEARANCE,
        "color only place:$Q there carried $M $M",
        (
            "What color is the thing that the {actor} has {Q} {M}?",
            "{M}, which color is what the {actor} carries {Q}?",
        ),
        "colors",
        {"Q": "place", "M": "moment"},
    ),
    Form(
        "appearance.carried_where",
        APPEARANCE,
        "place_of $T",
        ("Where does the {actor} have {T}?", "Where on the {actor} {T.is}?"),
        "places",
        {"T": "carried"},
    ),
    Form(
        "appearance.which",
        APPEARANCE,
        "colored:$C there things $M $M",
        ("Which of these is {C} {M}?", "{M}, which one of these objects is {C}?"),
        "things",
        {"C": "color", "M": "moment"},
    ),
)

FORMS = (*ACTION_FORMS, *TEMPORAL_FORMS, *COUNTING_FORMS, *SPATIAL_FORMS, *APPEARANCE_FORMS)
"""All of them."""
