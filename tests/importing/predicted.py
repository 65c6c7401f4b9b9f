"""Predictions in the shapes in which other kits write them, with the datasets that they are for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from fathom import api
from fathom.api.exchange import layouts_named
from fathom.formats.imported_media import Inspection
from fathom.formats.importing import ImportPlan, import_files
from tests.importing import shapes
from tests.importing.breaking import Files, workbook

FORMS = (
    "vlmevalkit-tsv", "vlmevalkit-xlsx", "vlmevalkit-json", "lmms-eval", "seed-bench", "4d-bench",
    "4d-bench-captions", "columns",
)  # fmt: skip


def vlmevalkit_rows(circular: bool = False) -> list[dict[str, object]]:
    """Return the rows of a result: what the table holds but the picture, and the prediction."""
    rows = []
    for row in shapes.threed_rows():
        turns = range(sum(bool(row[x]) for x in "ABCD") if circular else 1)
        for k in turns:
            one = shapes.turned(row, k) if k else dict(row)
            rows.append({**one, "prediction": f"{one['answer']}. It is plain to see.\nSo it is."})
    return rows


def lmms_lines() -> list[dict[str, object]]:
    return [
        {
            "doc_id": i,
            "doc": {k: v for k, v in q.items() if k in ("question_id", "question", "answer", "data_type")},
            "target": q["answer"],
            "arguments": {},
            "resps": [[f"{q['answer']}"]],
            "filtered_resps": [str(q["answer"])],
        }
        for i, q in enumerate(shapes.seed_questions())
    ]


def seed_lines() -> str:
    """Return SEED-Bench's submission format: a comma after each object, and no brackets."""
    return "\n".join(
        json.dumps({"question_id": q["question_id"], "prediction": "A ", "gt_answer": f" {q['answer']}"})
        + ","
        for q in shapes.seed_questions()
    ).rstrip(",")


def files_of(form: str) -> tuple[str, Files, str]:
    """Return the benchmark, the files, and what --columns says."""
    if form.startswith("vlmevalkit"):
        rows = vlmevalkit_rows()
        if form.endswith("xlsx"):
            return "3dsrbench", {"model_3DSRBench.xlsx": workbook(rows)}, ""
        if form.endswith("json"):
            return "3dsrbench", {"model_3DSRBench.json": json.dumps(rows).encode()}, ""
        folder = Path(api.__file__).parent  # only a name; the table is made in memory below
        return "3dsrbench", {"model_3DSRBench.tsv": _tsv(rows, folder)}, ""
    if form == "lmms-eval":
        text = "".join(json.dumps(line) + "\n" for line in lmms_lines())
        return "seed-bench", {"samples_seedbench.jsonl": text.encode()}, ""
    if form == "seed-bench":
        return "seed-bench", {"GPT-4V.json": seed_lines().encode()}, ""
    if form == "4d-bench":
        answers = {
            key: {"answer": 1 + i % 4, "correctness": 0} for i, key in enumerate(shapes.fourd_questions())
        }
        return "4d-bench", {"model_results.json": json.dumps(answers, indent=1).encode()}, ""
    if form == "4d-bench-captions":
        said = {uid: {"model_caption_4d_baseline": "A lid that turns."} for uid in shapes.UIDS}
        return "4d-bench captions", {f"{u}.json": json.dumps(v).encode() for u, v in said.items()}, ""
    rows = [{"which": q["question_id"], "said": "B"} for q in shapes.seed_questions()]
    return "seed-bench", {"mine.csv": _tsv(rows, Path(), ",")}, "question=which,text=said"


def _tsv(rows: list[dict[str, object]], folder: Path, delimiter: str = "\t") -> bytes:
    import csv
    import io

    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def start(form: str, folder: Path, inspect: Inspection, video: bytes) -> tuple[Path, Files, str]:
    """Return the dataset that predictions are for, the files, and what --columns says."""
    benchmark, files, columns = files_of(form)
    source = folder / "source"
    if benchmark == "3dsrbench":
        shapes.threed(source)
    elif benchmark == "seed-bench":
        shapes.seed(source, video)
    elif benchmark == "4d-bench":
        shapes.fourd(source, video)
    else:
        shapes.fourd_captions(source, video)
    plan = ImportPlan(source, folder / "dataset", layouts_named(benchmark.partition(" ")[0]), inspect)
    import_files(plan, lambda *said: None)
    shutil.rmtree(source)
    return folder / "dataset", files, columns
