"""One public function a verb; what the command line does, a program can do with the same words."""

from fathom.api.authoring import ask_of_pictures, extract_information, take_captions, write_questions
from fathom.api.building import (
    Checked,
    accept_assets,
    build_dataset,
    check_dataset,
    index_assets,
    review_assets,
    train_classifier,
)
from fathom.api.exchange import export_dataset, import_dataset, import_run, import_settings, upgrade_folder
from fathom.api.first_steps import quickstart
from fathom.api.model_studies import run_model_study
from fathom.api.names import BENCHMARKS, Progress, benchmark_named
from fathom.api.photos import PhotosBuilt, build_from_photos
from fathom.api.reporting import read_error_labels, write_report
from fathom.api.review_sources import ReviewPlan
from fathom.api.reviewing import Review, begin_review, is_review, open_review
from fathom.api.running import Ran, Studied, run_model, run_study
from fathom.api.scoring import RunComparison, compare_runs, published_tables, score_run
from fathom.api.settings import build_settings, run_settings, training_settings, writing_settings

__all__ = [
    "BENCHMARKS",
    "Checked",
    "PhotosBuilt",
    "Progress",
    "Ran",
    "Review",
    "ReviewPlan",
    "RunComparison",
    "Studied",
    "accept_assets",
    "ask_of_pictures",
    "begin_review",
    "benchmark_named",
    "build_dataset",
    "build_from_photos",
    "build_settings",
    "check_dataset",
    "compare_runs",
    "export_dataset",
    "extract_information",
    "import_dataset",
    "import_run",
    "import_settings",
    "index_assets",
    "is_review",
    "open_review",
    "published_tables",
    "quickstart",
    "read_error_labels",
    "review_assets",
    "run_model",
    "run_model_study",
    "run_settings",
    "run_study",
    "score_run",
    "take_captions",
    "train_classifier",
    "training_settings",
    "upgrade_folder",
    "write_questions",
    "write_report",
    "writing_settings",
]
