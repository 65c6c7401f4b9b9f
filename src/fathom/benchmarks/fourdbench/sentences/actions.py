"""The sentences that ask what is done, what happens, and in which order."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node, narrowed, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.benchmarks.fourdbench.sentences.verbs import verb_of
from fathom.records import UnreadableError

ACTION, TEMPORAL, COUNTING = "action", "temporal_relationship", "object_counting"

EVENT = r"<(?:event|change)>"
OWN_VIEW = r"(?:, from its own point of view)?"


def _actions(*filters: Node) -> Node:
    return set_of("actions", *filters)


def _events(*filters: Node) -> Node:
    return set_of("events", *filters)


def _done(act: Node) -> Node:
    return ("verb", act)


def _happened(event: Node) -> Node:
    return ("happened", event)


def _while(a: ParsedSentence) -> Node:
    """Return the moment of a question that is about the course of an action. Raises UnreadableError."""
    if a.moment[0] != "while":
        raise UnreadableError("asked of an action, and no action is named")
    return a.moment


def _begun(a: ParsedSentence) -> Node:
    """Return the action at whose beginning a question is asked. Raises UnreadableError."""
    if a.moment[0] != "before" or not isinstance(a.moment[1], tuple):
        raise UnreadableError("asked of the beginning of an action, and no action is named")
    return a.moment[1]


def _at_that_time(a: ParsedSentence) -> Node:
    """Return the event that happens while something is done, or right before or after another one."""
    place = {"before": "previous", "after": "next"}.get(str(a.moment[0]))
    if place and a.moment[1][1][1] == "events":
        return _happened((place, _events(), a.moment[1]))
    return _happened(("the", _events(("within", _while(a)))))


def _times(a: ParsedSentence) -> Node:
    """Return how many times the verb in the gap is done, which may be never."""
    return ("times", ("acts", verb_of(a.gaps["verb"], a.keys)), _actions())


def _at_an_end(a: ParsedSentence) -> str:
    """Return whether a question is about the first or the last action. Raises UnreadableError."""
    if a.moment[0] not in ("start", "end"):
        raise UnreadableError("asked of what is done at the start or the end, and neither is named")
    return {"start": "first", "end": "last"}[str(a.moment[0])]


def _rank(word: str) -> tuple[str, ...]:
    return ("nth", "2") if word == "second" else (word,)


ACTIONS = (
    *ask(
        ACTION,
        r"what is <actor> (?:in the middle of )?doing (?:when <event>|<change>)\?",
        r"<event>\. what is <actor> doing right then\?",
        build=lambda a: _done(("the", _actions(("around", ("while", a.then))))),
    ),
    *ask(
        ACTION,
        r"what is <actor> doing\?",
        build=lambda a: _done(("the", _actions(("around", a.moment)))),
        moments=(1,),
    ),
    *ask(
        ACTION,
        rf"what is the last thing that <actor> finishes doing before {EVENT}\?",
        r"which action has <actor> finished most recently when <event>\?",
        r"which action has <actor> finished most recently, just before <change>\?",
        build=lambda a: _done(("last", _actions(("earlier", a.then)))),
    ),
    *ask(
        ACTION,
        rf"what does <actor> (?:start to do|start doing|do) next, after {EVENT}\?",
        r"which action does <actor> start next once <event>\?",
        r"which action does <actor> start next, following <change>\?",
        build=lambda a: _done(("next", _actions(), a.then)),
    ),
    *ask(
        ACTION,
        r"which action does <actor> both start and finish after <event> and before <event>\?",
        r"first <event>, later <event>\. which action does <actor> start and finish in between\?",
        r"what does <actor> start and finish doing after <event> and before <event>\?",
        build=lambda a: _done(("the", _actions(("later", a.event(0)), ("earlier", a.event(1))))),
    ),
    *ask(
        ACTION,
        r"what (?:does <actor> do|is <actor> doing) between (?P<first>.+) and (?P<second>.+)\?",
        build=lambda a: _done(("the", _actions(("later", a.doing("first")), ("earlier", a.doing("second"))))),
    ),
    *ask(
        ACTION,
        r"what is the second thing that <actor> does\?",
        r"what is the second action of <actor>\?",
        build=lambda a: _done(("nth", "2", _actions())),
    ),
    *ask(
        ACTION,
        r"which of these is <actor> seen doing\?",
        r"which of these does <actor> do in the video\?",
        r"which of these actions does <actor> perform in the video\?",
        build=lambda a: _actions(),
    ),
    *ask(
        ACTION,
        r"which of these is <actor> never seen doing\?",
        r"which of these does <actor> not do in the video\?",
        r"which of these actions does <actor> not perform in the video\?",
        build=lambda a: _actions(),
        other=True,
    ),
    *ask(
        ACTION,
        r"which (?:of these|part of <actor>) moves the most\?",
        r"which of these travels farthest\?",
        build=lambda a: ("limb_most", _while(a)),
        moments=(1,),
    ),
    *ask(
        ACTION,
        rf"which way does its (?P<limb>.+) (?:go|move) first{OWN_VIEW}\?",
        build=lambda a: ("limb_first", a.gaps["limb"], ("while", _begun(a))),
        moments=(1,),
    ),
    *ask(
        ACTION,
        r"<actor> starts (?P<verb>.+)\. from its own point of view, "
        r"which way does its (?P<limb>.+) move first\?",
        build=lambda a: ("limb_first", a.gaps["limb"], ("while", a.act)),
    ),
    *ask(
        ACTION,
        r"how many times in a row does <actor> go through the motion of (?P<verb>.+)\?",
        r"<actor> is seen (?P<verb>.+)\. how many times does it go through that motion\?",
        build=lambda a: ("repeats", ("while", a.act)),
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> (?P<verb>(?!move its |raise its ).+) in the video\?",
        build=_times,
    ),
    *ask(
        ACTION,
        rf"which way does <actor> go{OWN_VIEW}\?",
        rf"which way does it move{OWN_VIEW}\?",
        build=lambda a: ("goes", _while(a)),
        moments=(1,),
    ),
    *ask(
        ACTION,
        rf"which way does <actor> go in the video{OWN_VIEW}\?",
        r"from its own point of view, which way does <actor> move from beginning to end\?",
        build=lambda a: ("goes", WHOLE),
    ),
)

ORDERS = (
    *ask(
        TEMPORAL,
        r"what does <actor> do (?P<rank>first|last)\?",
        r"what is the (?P<rank>first|last) thing that <actor> does(?: in the video)?\?",
        build=lambda a: _done((a.gaps["rank"], _actions())),
    ),
    *ask(
        TEMPORAL,
        r"what is <actor> doing\?",
        build=lambda a: _done((_at_an_end(a), _actions())),
        moments=(1,),
    ),
    *ask(
        TEMPORAL,
        r"what does <actor> do right after it finishes (?P<verb>.+)\?",
        r"what is <actor> doing right after (?P<verb>.+)\?",
        build=lambda a: _done(("next", _actions(), a.act)),
    ),
    *ask(
        TEMPORAL,
        r"what does <actor> do right before it starts (?P<verb>.+)\?",
        r"what is <actor> doing right before (?P<verb>.+)\?",
        r"after which action does <actor> start (?P<verb>.+)\?",
        build=lambda a: _done(("previous", _actions(), a.act)),
    ),
    *ask(
        TEMPORAL,
        r"on which action does <actor> spend the most time\?",
        r"which of the things that <actor> does takes longest\?",
        build=lambda a: _done(("longest", _actions())),
    ),
    *ask(
        TEMPORAL,
        r"in which order do these things happen\?",
        r"in which order does the video show these things\?",
        # Which objects these are, the choices say.
        build=lambda a: ("order", set_of("happenings")),
    ),
    *ask(
        TEMPORAL,
        r"which of these happens\?",
        r"what changes\?",
        build=_at_that_time,
        moments=(1,),
    ),
    *ask(
        TEMPORAL,
        r"which of these has already happened when <event>\?",
        r"(?:what takes place|which of these happens) before <event>\?",
        build=lambda a: _events(("earlier", a.event())),
    ),
    *ask(
        TEMPORAL,
        r"which of these is still to come when <event>\?",
        r"(?:what takes place|which of these happens) after <event>\?",
        build=lambda a: _events(("later", a.event())),
    ),
    *ask(
        TEMPORAL,
        r"which of these changes comes (?P<rank>first|last|second)\?",
        r"what is the (?P<rank>first|last|second) of the changes that the video shows\?",
        r"which of these happens (?P<rank>first|last)\?",
        r"which of these is the (?P<rank>second) change in the video\?",
        build=lambda a: _happened((*_rank(a.gaps["rank"]), _events())),
    ),
    *ask(
        TEMPORAL,
        r"<event>\. which of these is the next change after that\?",
        r"which of these changes is the first to follow after <event>\?",
        r"what is the next (?:change|thing that happens) after <event>\?",
        build=lambda a: _happened(("next", _events(), a.event())),
    ),
    *ask(
        TEMPORAL,
        r"<event>\. which of these is the last change before that\?",
        r"which of these changes is the last one before <event>\?",
        r"what is the last (?:change|thing that happens) before <event>\?",
        build=lambda a: _happened(("previous", _events(), a.event())),
    ),
    *ask(
        TEMPORAL,
        r"which of these is <thing>\?",
        r"one of these is <thing>\. which one\?",
        build=lambda a: a.obj,
    ),
    *ask(
        TEMPORAL,
        r"which of these happens to <thing>\?",
        r"what happens to <thing> in the video\?",
        build=lambda a: _happened(("the", narrowed(_events(), ("of", a.obj)))),
    ),
    *ask(
        TEMPORAL,
        r"(?:what has|what have) <thing> turned into by the end of the video\?",
        build=lambda a: ("name", a.obj, ("end",)),
    ),
    *ask(
        TEMPORAL,
        r"what stands in the place of <thing>\?",
        build=lambda a: ("name", a.obj, a.moment),
        moments=(1,),
    ),
)

DEEDS = (*ACTIONS, *ORDERS)
