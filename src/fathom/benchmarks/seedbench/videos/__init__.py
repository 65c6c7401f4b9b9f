"""Questions about actions in videos, written by rule from published annotations.

Action recognition is written from Something-Something-v2, action prediction from EPIC-KITCHENS-100, procedure
understanding from Breakfast. Rules write the wrong options, and the shortcuts that they could leave are
measured and levelled. As in the paper a model can write them instead: authoring/.

Ref: SEED-Bench §3.2, §3.3.
"""

from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.writing import write_video_questions
from fathom.formats.annotated import AnnotationImport

ANNOTATED = AnnotationImport(settings=VideoQuestionSettings(), make=write_video_questions)
