"""Questions about videos with exact tracks: what each video offers, which of it is asked, and in which words.

sights = sights_of(scene, cells)                                # what the frames that are shown let one see
drafts = [d for s in scenes for d in drafted(s, sights[s.id], recipe)]
selection = chosen(drafts, wanted_of(recipe.mix, scenes), recipe)    # over the whole build
questions = written(selection.picked, recipe)
"""

from fathom.questions.tracks.asking import Draft, Mix, Picked, TrackRecipe, wanted_of
from fathom.questions.tracks.choosing import Selection, chosen
from fathom.questions.tracks.drafting import drafted
from fathom.questions.tracks.summary import tables_of
from fathom.questions.tracks.visibility import Seeing, Sights, sights_of
from fathom.questions.tracks.writing import written

__all__ = [
    "Draft",
    "Mix",
    "Picked",
    "Seeing",
    "Selection",
    "Sights",
    "TrackRecipe",
    "chosen",
    "drafted",
    "sights_of",
    "tables_of",
    "wanted_of",
    "written",
]
