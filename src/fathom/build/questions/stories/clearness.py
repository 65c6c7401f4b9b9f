"""What in a film is plain enough to be spoken of."""

from __future__ import annotations

from fathom.build.questions.stories.language import Language
from fathom.programs.stories.facts import ACTS, Happening, Story
from fathom.programs.stories.happening_sights import faint


def unclear_events(story: Story, language: Language) -> frozenset[Happening]:
    """Return the events that one could miss, or take for something else: hardly a pixel changes, one colour
    is hard to tell from the other, or what comes looks like what has gone.
    """
    events = [h for h in story.happenings if h.what != ACTS]
    return frozenset(h for h in events if not _is_plain(story, language, h))


def _is_plain(story: Story, language: Language, h: Happening) -> bool:
    if h.what in ("appears", "vanishes") and h.thing in story.mistakable:
        return False
    if faint(story, h):
        return False
    if h.what != "recolours":
        return True
    part, _, color = h.detail.rpartition("=")
    course = story.colors[h.thing] if h.thing else story.parts.get(part or story.main, ())
    alike = language.close_colors if h.thing else language.alike_colors
    return not course or frozenset((course[max(h.first - 1, 0)], color)) not in alike
