"""Hugging Face: a folder that `datasets.load_dataset` reads, with a card.

OUT/README.md   the card: what the set is, where its table is, what its columns hold
OUT/data/       the table, as Parquet, pictures in it
OUT/videos/
"""

from __future__ import annotations

import msgspec

from fathom.formats.export_media import MediaShelf
from fathom.formats.export_parquet import TABLE, VIDEOS, write_parquet
from fathom.formats.export_plan import ExportPlan, Progress, Survey

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_CARD = """\
---
pretty_name: {title}
task_categories:
- visual-question-answering
size_categories:
- {size}
configs:
- config_name: default
  data_files:
  - split: test
    path: {table}
---

# {heading}

{questions:,} questions, exported with Fathom {version}. The dataset's identity is `{identity}`.
Its licence is that of the questions, pictures and videos which went into it.

| column | holds |
|---|---|
| `index` | the question's id |
| `question` | its text |
{options}| `answer` | {answer} |
| `answer_text`, `equivalents` | the answer in words, and other words that count as the same |
| `choices`, `possible` | the options in their order; the answers that a question of this form can have |
| `references` | what people wrote, where the task is a caption |
| `category` | the task |
{media}| `cluster`, `flip`, `pair` | what questions share: scene or medium; picture and mirror image; other |
| `tags` | what else is known, as JSON |

Accuracies of questions that share a `cluster` go together: an interval is to be clustered by it.
"""


def export_huggingface(plan: ExportPlan, found: Survey, shelf: MediaShelf, progress: Progress) -> list[str]:
    """Write table and card, and return what is to be known about them."""
    write_parquet(plan, found, shelf, progress)
    manifest = plan.dataset.manifest
    first, second = (c if plan.own.options == "{}" else c.lower() for c in "AB")
    letters = f"`{plan.own.options.format(first)}`, `{plan.own.options.format(second)}` …"
    media = ""
    if found.pictures:
        name = "`image` | the picture" if found.pictures == 1 else "`images` | the pictures, in their order"
        media += f"| {name}, bytes as they were |\n"
    if found.videos:
        media += f"| `video` | paths of videos, which lie in `{VIDEOS}` |\n"
    card = _CARD.format(
        title=msgspec.json.encode(manifest.benchmark).decode(),
        size=next((name for most, name in _SIZES if found.questions < most), "1M<n<10M"),
        table=TABLE,
        heading=f"{manifest.benchmark}, version {manifest.benchmark_version}",
        questions=found.questions,
        version=manifest.tool_version,
        identity=manifest.identity,
        options=f"| {letters} | the options |\n" if found.options else "",
        answer="the letter of the right option" if found.options else "the answer",
        media=media,
    )
    (shelf.out / "README.md").write_text(card, encoding="utf-8")
    if found.videos:
        return [f"videos are not in the table: its paths begin in the folder, and lie in {VIDEOS}/"]
    return []
