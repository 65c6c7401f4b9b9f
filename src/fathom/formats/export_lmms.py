"""lmms-eval: a task in a folder of its own.

OUT/NAME.yaml   the task: where the table is, and which functions of utils.py put and mark a question
OUT/utils.py    those functions, the same for every dataset
OUT/data/       the table, as Parquet
OUT/videos/
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from fathom.formats import export_lmms_utils
from fathom.formats.export_media import MediaShelf
from fathom.formats.export_parquet import TABLE, write_parquet
from fathom.formats.export_plan import ExportPlan, Progress, Survey, slug
from fathom.records import Setting, UnfitError

_TASK = """\
task: {task}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {table}
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: answer
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 1024
  temperature: 0
  do_sample: false
metric_list:
  - metric: accuracy
    aggregation: !function utils.mean
    higher_is_better: true
  - metric: unreadable
    aggregation: !function utils.mean
    higher_is_better: false
metadata: {metadata}
"""


def export_lmms(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write the task and return what is to be known about it. Raises UnfitError for captions."""
    if found.captions:
        raise UnfitError(
            f"{plan.dataset.path}: has {found.captions:,} captions, which a task of lmms-eval cannot mark; "
            "export questions with answers, or captions for huggingface"
        )
    write_parquet(plan, found, shelf, progress)
    manifest = plan.dataset.manifest
    task = f"fathom_{slug(manifest.benchmark)}"
    metadata: dict[str, Setting] = {
        "version": manifest.benchmark_version,
        "dataset": manifest.identity,
        "tool": f"{manifest.tool} {manifest.tool_version}",
    }
    # A JSON value is a YAML value, whatever stands in it.
    written = _TASK.format(
        task=_json(task), table=_json(TABLE), metadata=_json({k: str(v) for k, v in metadata.items()})
    )
    (shelf.out / f"{task}.yaml").write_text(written, encoding="utf-8")
    utils = Path(export_lmms_utils.__file__).read_text(encoding="utf-8")
    (shelf.out / "utils.py").write_text(utils, encoding="utf-8")
    notes = [f"lmms-eval finds it with --include_path, as the task {task}"]
    if found.videos:
        notes.append("videos go to the model by their paths, whole; segments stand in the table")
    return notes


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
