"""Small files in exactly the shapes in which the benchmarks and other kits publish theirs."""

from __future__ import annotations

import base64
import csv
import io
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

UIDS = tuple(f"{i:032x}" for i in (0xA1, 0xB2, 0xC3))
VIEWS = (0, 1, 8, 16)


def png(shade: int = 0, width: int = 6, height: int = 4) -> bytes:
    """Return a picture whose left half is dark and whose right half is of one shade."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    row = b"\0" + bytes((10, 10, shade % 256)) * (width // 2) + bytes((200, 90, shade % 256)) * (width // 2)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def base64_png(shade: int = 0) -> str:
    return base64.b64encode(png(shade)).decode()


def write(path: Path, data: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def table(path: Path, rows: Sequence[Mapping[str, object]], delimiter: str | None = None) -> Path:
    """Write rows as pandas does: quoted where needed, lines ended with a line feed."""
    out = io.StringIO(newline="")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    sep = delimiter or ("\t" if path.suffix == ".tsv" else ",")
    writer = csv.DictWriter(out, columns, delimiter=sep, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return write(path, out.getvalue())


def parquet(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([dict(r) for r in rows]), path)
    return path


def fourd_questions() -> dict[str, dict[str, object]]:
    def record(category: str, answer: int) -> dict[str, object]:
        return {
            "Question": "Which way does the lid turn?",
            "Choice 1": "(A) Left",
            "Choice 2": "(B) Right",
            "Choice 3": "(C) It does not",
            "Choice 4": "(D) Both ways",
            "Answer index": answer,
            "Category": category,
        }

    return {
        f"{UIDS[0]}_motion": record("Action", 3),
        f"{UIDS[0]}_object_counting": record("Object Counting", 1),
        f"{UIDS[1]}_temporal_relationship": record("Temporal Relationship", 4),
        f"{UIDS[2]}_appearance": record("Appearance", 2),
        f"{UIDS[2]}_spatial_relationship": record("Spatial Relationship", 2),
    }


def fourd(folder: Path, video: bytes) -> Path:
    write(folder / "data" / "4d_qa.json", json.dumps(fourd_questions(), indent=2))
    for uid in UIDS:
        for k in VIEWS:
            write(folder / "4d_object_multi_view_videos" / uid / f"view_{k}_rgb_white_bg.mp4", video)
    return folder


def fourd_captions(folder: Path, video: bytes) -> Path:
    fourd(folder, video)
    (folder / "data" / "4d_qa.json").unlink()
    rows = [
        {"folder_name": uid, **{f"caption_{i}": f"A lid, {i} times,\nthat turns." for i in range(1, 6)}}
        for uid in UIDS
    ]
    table(folder / "data" / "human_annotations.csv", rows)
    return folder


SEED_TYPES = {"Scene Understanding": 1, "Instances Counting": 5, "Action Recognition": 10}


def seed_questions() -> list[dict[str, object]]:
    def one(number: str, kind: int, data_id: str, answer: str = "B", **more: object) -> dict[str, object]:
        return {
            "answer": answer,
            "choice_a": "One",
            "choice_b": "Two",
            "choice_c": "Three",
            "choice_d": "Four",
            "data_id": data_id,
            "data_type": "video" if kind > 9 else "image",
            "question": "How many cups are there?",
            "question_id": number,
            "question_type_id": kind,
            **more,
        }

    return [
        one("7", 5, "12_34"),
        one("8", 1, "12_34", "A"),
        one("v10", 10, "77.webm", "D"),
        one("v11", 11, "P03/P03_24.MP4", "C", segment=[1.5, 2.5]),
        one("v12", 12, "P06/cam01/x.avi", "C", segment=[12, 80]),
    ]


def seed(folder: Path, video: bytes) -> Path:
    questions = {"questions": seed_questions(), "question_type": SEED_TYPES}
    write(folder / "SEED-Bench.json", json.dumps(questions))
    write(folder / "images" / "12_34", png(1))
    for name in ("ssv2/77.webm", "epic/P03/P03_24.MP4", "breakfast/P06/cam01/x.avi"):
        write(folder / name, video)
    return folder


def seed2(folder: Path) -> Path:
    base = seed_questions()[0]
    base |= {"level": "L1", "subpart": "Single-Image", "version": "v2", "data_source": "cc3m"}
    questions = [
        base | {"question_id": "5_1", "data_type": "Single Image", "data_id": "cc3m/12_34"},
        base
        | {
            "question_id": "17_2", "data_type": "Multiple Images", "question_type_id": 17, "level": "L1",
            "data_id": ["task17/a.png", "task17/b.png"], "question": "What differs? <img><img>",
        },
        base | {"question_id": "25_3", "data_type": "Image Generation", "question_type_id": 25},
        base | {"question_id": "27_4", "data_type": "Image & Text Generation", "question_type_id": 27},
    ]  # fmt: skip
    write(folder / "SEED-Bench_v2_level1_2_3.json", json.dumps({"questions": questions}))
    for number, name in enumerate(("cc3m/12_34", "task17/a.png", "task17/b.png")):
        write(folder / name, png(number))
    return folder


SPATIAL_ANSWERS: dict[str, list[object]] = {
    "L1_single": ["suv", 3, True],
    "L4_pose": ["left", "double bus", False],
}


def spatial457(folder: Path) -> Path:
    for level, answers in SPATIAL_ANSWERS.items():
        start = 100_001 if level == "L1_single" else 450_001
        records = [
            {
                "image_filename": f"superCLEVR_new_00{i:04d}.png",
                "question": "What shape is the large red thing?",
                "answer": answer,
                "program": [{"type": "scene", "inputs": [], "_output": [0, 1]}],
                "question_index": start + i,
            }
            for i, answer in enumerate(answers)
        ]
        write(folder / "questions" / f"{level}.json", json.dumps({"info": {}, "questions": records}))
    for i in range(3):
        write(folder / "images" / f"superCLEVR_new_00{i:04d}.png", png(i))
    write(folder / "spatial457_scenes_21k.json", json.dumps({"scenes": [{"objects": []}]}))
    return folder


def sti_rows() -> list[dict[str, object]]:
    videos = (
        ("scene0001_00.mp4", "ScanNet"),
        ("segment-1_camera.mp4", "Waymo"),
        ("000123.mp4", "Omni6DPose"),
    )
    return [
        {
            "Video": video,
            "Source": source,
            "Task": task,
            "ID": 12 + i,
            "Question": "What is the average speed?",
            "Candidates": {letter: f"0.{n} m/s" for n, letter in enumerate("ABCDE", 1)},
            "Answer": "CADEB"[i],
            "time_start": 2.0,
            "time_end": 6.5,
            "Scene": "",
        }
        for i, ((video, source), task) in enumerate(
            zip(videos, ("Speed & Acceleration", "3D Video Grounding", "Pose Estimation"), strict=True)
        )
    ]


def sti(folder: Path, video: bytes) -> Path:
    parquet(folder / "qa.parquet", sti_rows())
    for row in sti_rows():
        write(folder / "video" / str(row["Video"]), video)
    return folder


def sti_kit(folder: Path, video: bytes) -> Path:
    rows = [
        {
            "index": i,
            "video": row["Video"],
            "question": row["Question"],
            "options": repr([f"0.{n} m/s" for n in range(1, 6)]),
            "answer": row["Answer"],
            "task_type": row["Task"],
            "time_start": row["time_start"],
            "time_end": row["time_end"],
        }
        for i, row in enumerate(sti_rows())
    ]
    table(folder / "STIBench.tsv", rows)
    for row in sti_rows():
        write(folder / "video" / str(row["Video"]), video)
    return folder


def threed_rows() -> list[dict[str, object]]:
    """The rows of the plain table, mirrored ones among them; two options where there are two."""
    two = {"A": "lamp", "B": "cup", "C": "", "D": ""}
    four = {"A": "front", "B": "left", "C": "back", "D": "right"}
    return [
        {"index": 0, "qid": "AB12CD34", "question": "Which object is higher?", **two, "answer": "B",
         "category": "height_higher", "image_source": "coco", "image_url": URL.format("000000000001")},
        {"index": 1, "qid": "AB12CD34-flip", "question": "Which object is higher?", **two, "answer": "B",
         "category": "height_higher", "image_source": "coco", "image_url": URL.format("000000000001")},
        {"index": 2, "qid": "EF56GH78", "question": "Which side faces the camera?", **four, "answer": "A",
         "category": "orientation_viewpoint", "image_source": "coco",
         "image_url": URL.format("000000000002")},
    ]  # fmt: skip


URL = "http://images.cocodataset.org/train2017/{}.jpg"


def threed(folder: Path) -> Path:
    table(folder / "3dsrbench_v1.csv", threed_rows())
    for i in (1, 2):
        write(folder / "coco" / "train2017" / f"{i:012d}.jpg", png(i))
    return folder


def turned(row: Mapping[str, object], places: int) -> dict[str, object]:
    """Return the circular copy of a row with its options turned by so many places."""
    letters = [x for x in "ABCD" if row[x]]
    texts = [str(row[x]) for x in letters]
    new = texts[places:] + texts[:places]
    right = str(row[str(row["answer"])])
    return {
        **row,
        **dict(zip(letters, new, strict=True)),
        "answer": letters[new.index(right)],
        "qid": f"{row['qid']}-{places}",
        "index": int(str(row["index"])) + 100 * places,
    }


def threed_kit(folder: Path, circular: bool = False) -> Path:
    """Write VLMEvalKit's table; circular copies name the row whose picture they share."""
    rows: list[dict[str, object]] = []
    for i, row in enumerate(threed_rows()):
        base = {k: v for k, v in row.items() if k != "image_url"} | {"image": base64_png(i)}
        rows.append(base)
        options = sum(bool(row[x]) for x in "ABCD")
        if circular:
            rows += [turned(base, k) | {"image": str(row["index"])} for k in range(1, options)]
    name = "3dsrbench_v1_vlmevalkit_circular.tsv" if circular else "3dsrbench_v1_vlmevalkit.tsv"
    table(folder / name, rows)
    return folder


def lmms_rows() -> list[dict[str, object]]:
    """SEED-Bench as lmms-eval has it: a list of pictures in each row, of a video eight frames."""
    rows = []
    for n, question in enumerate(seed_questions()):
        frames = range(8 if question["data_type"] == "video" else 1)
        segment = question.get("segment")
        rows.append(
            {
                "image": [{"bytes": png(10 * n + k), "path": None} for k in frames],
                **{k: v for k, v in question.items() if k not in ("data_id", "segment")},
                "segment": [float(v) for v in segment] if isinstance(segment, list) else None,
            }
        )
    return rows
