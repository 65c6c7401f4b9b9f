"""How well someone with fresh eyes recognises the built-in vehicles on single crops.

    python perf/recognition.py make --out DIR --px 60 --count 84 --seed 1
    python perf/recognition.py score --dir DIR --answers answers.json

`make` paints crops of one vehicle each as pictures of a scene show them: the paper's camera (640×480 pixels,
f = 700, about 11 m away and 28° above, shaken by up to 0.5 m an axis), a sky and a ground by chance, and a
vehicle so large that the longer side of its outline's box is PX pixels. Subtypes are balanced; colours and
headings (eight directions, each ± 10°) go round in an order by chance for each subtype. DIR holds the crops,
numbered contact sheets, instructions.md for whoever answers, and key.json, which they must not open.

`score` prints the accuracy of class, facing and subtype with 95 % Wilson intervals, and what was taken for
what.

Ref: PulseCheck457 §3.2 (classes, subtypes, colours) and its camera.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.libraries import VEHICLES
from fathom.assets.loading import built_in_model
from fathom.assets.model import Model, painted, scaled
from fathom.assets.palette import BODY_COLORS
from fathom.geometry.cameras import look_at, project
from fathom.geometry.poses import rotation_matrix, to_world, yaw_quaternion
from fathom.records import AssetRef, Camera, DataError, Environment, FathomError, Pose, Scene, SceneObject
from fathom.store.files import read_json, write_bytes, write_json, write_text
from fathom.store.seeds import rng

FACINGS = (
    "away", "away and right", "right", "towards and right",
    "towards", "towards and left", "left", "away and left",
)  # fmt: skip
"""Where the front points in the picture, clockwise seen from above, 45° apart; "away" is from the camera."""

CLASSES = tuple(dict.fromkeys(m.category for m in VEHICLES.values()))
EYE_M = (7.4811, -6.5076, 5.3437)
FOCAL_PX = 700.0
JITTER_DEG = 10.0
ROOM = 1.6
"""How much wider than the vehicle a crop is."""


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a crop shows: `turn_deg` is clockwise from "away", the jitter included."""

    category: str
    subtype: str
    color: str
    facing: str
    turn_deg: float
    environment: str


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What someone made of a crop; an empty text is a pass."""

    category: str = msgspec.field(name="class", default="")
    facing: str = ""
    subtype: str = ""


def plan(count: int, seed: int) -> list[Key]:
    """Return what each crop shows, in an order by chance."""
    from fathom.render.grounds import GROUNDS
    from fathom.render.sky import SKIES

    keys = []
    for i, subtype in enumerate(VEHICLES):
        facings = rng(seed, "facing", subtype).permutation(len(FACINGS))
        colors = rng(seed, "color", subtype).permutation(list(BODY_COLORS))
        share = count // len(VEHICLES) + (i < count % len(VEHICLES))
        for k in range(share):
            chance = rng(seed, "crop", subtype, k)
            facing = int(facings[k % len(FACINGS)])
            keys.append(
                Key(
                    category=VEHICLES[subtype].category,
                    subtype=subtype,
                    color=str(colors[k % len(colors)]),
                    facing=FACINGS[facing],
                    turn_deg=45.0 * facing + float(chance.uniform(-JITTER_DEG, JITTER_DEG)),
                    environment=f"{chance.choice(list(SKIES))} {chance.choice(list(GROUNDS))}",
                )
            )
    return [keys[i] for i in rng(seed, "order").permutation(len(keys))]


def placed(key: Key, px: int, seed: int, number: int) -> tuple[Scene, Model]:
    """Return the scene of one crop, and the vehicle's model at its size and in its colour."""
    chance = rng(seed, "view", number)
    eye = np.array(EYE_M) + chance.uniform(-0.5, 0.5, 3)
    view = look_at((float(eye[0]), float(eye[1]), float(eye[2])), (0.0, 0.0, 0.0))
    forward = rotation_matrix(view.rotation_wxyz)[:, 2]
    heading = math.atan2(forward[1], forward[0]) - math.radians(key.turn_deg)
    pose = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=yaw_quaternion(heading))
    whole = Camera(width=640, height=480, fx=FOCAL_PX, fy=FOCAL_PX, cx=320, cy=240, poses=(view,))
    model = painted(built_in_model("vehicles", key.subtype), BODY_COLORS[key.color])
    for _ in range(4):
        low, high = outline(whole, pose, model)
        model = scaled(model, px / float((high - low).max()))
    # The window is centred on the optical axis; `picture` trims it to the vehicle.
    low, high = outline(whole, pose, model)
    half = math.ceil(max(np.abs(low - (320, 240)).max(), np.abs(high - (320, 240)).max()) + ROOM * px / 2)
    camera = msgspec.structs.replace(whole, width=2 * half, height=2 * half, cx=half, cy=half)
    sky, ground = key.environment.split(" ")
    scene = Scene(
        id=f"{number:03d}",
        generator="recognition",
        version="1",
        seed=str(seed),
        objects=(
            SceneObject(
                id="it",
                category=key.category,
                subtype=key.subtype,
                size_m=model.extents,
                poses=(pose,),
                asset=AssetRef(name=key.subtype, sha256=""),
                attributes={"color": key.color},
            ),
        ),
        cameras=(camera,),
        environment=Environment(
            name=f"sky:{sky}",
            rotation_rad=float(chance.uniform(0, 2 * math.pi)),
            ground=ground,
            detail={"ground_angle_rad": float(chance.uniform(0, 2 * math.pi))},
        ),
    )
    return scene, model


def outline(camera: Camera, pose: Pose, model: Model) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the (2,) least and greatest pixel positions of a model's outline."""
    pixels, _ = project(camera, to_world(pose, np.concatenate([p.vertices for p in model.parts])))
    return pixels.min(axis=0), pixels.max(axis=0)


@cache
def _engine() -> Any:
    from fathom.render.variants import engine

    return engine()


def picture(scene: Scene, model: Model) -> NDArray[np.uint8]:
    """Return the crop as datasets show it, (side, side, 3) sRGB."""
    from fathom.render.lights import light_of
    from fathom.render.paint import paint

    whole = paint(scene, {"it": model}, light_of(scene.environment), _engine(), "final")
    low, high = outline(scene.cameras[0], scene.objects[0].poses[0], model)
    side = round(ROOM * float((high - low).max()))
    left, top = np.round((low + high - side) / 2).astype(int)
    return np.ascontiguousarray(whole[top : top + side, left : left + side])


def make(out: Path, px: int, count: int, seed: int) -> None:
    """Write the crops, the sheets, the instructions and the key into `out`."""
    started = time.process_time()
    keys = plan(count, seed)
    crops = []
    for number, key in enumerate(keys):
        crops.append(picture(*placed(key, px, seed, number)))
        write_bytes(out / f"{number:03d}.png", _png(crops[-1]))
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{count}", end="", file=sys.stderr)
    per_sheet = 42
    for first in range(0, count, per_sheet):
        write_bytes(
            out / f"sheet_{first // per_sheet}.png", _png(_sheet(crops[first : first + per_sheet], first))
        )
    write_text(out / "instructions.md", _instructions(count))
    write_json(out / "key.json", {f"{n:03d}": key for n, key in enumerate(keys)})
    print(f"{count} crops of {px} px in {out}: {time.process_time() - started:.0f} CPU s")


def _png(pixels: NDArray[np.uint8]) -> bytes:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "png")
    return buffer.getvalue()


def _sheet(crops: Sequence[NDArray[np.uint8]], first: int, columns: int = 7) -> NDArray[np.uint8]:
    """Return the crops as numbered tiles, enlarged to about 290 pixels each."""
    from PIL import Image, ImageDraw, ImageFont

    side = len(crops[0]) * max(1, round(290 / len(crops[0])))
    rows = -(-len(crops) // columns)
    sheet = Image.new("RGB", (columns * (side + 6) + 6, rows * (side + 6) + 6), (250, 250, 250))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(22)
    for k, crop in enumerate(crops):
        x, y = 6 + (k % columns) * (side + 6), 6 + (k // columns) * (side + 6)
        sheet.paste(Image.fromarray(crop).resize((side, side), Image.Resampling.LANCZOS), (x, y))
        draw.rectangle((x, y, x + 46, y + 28), fill=(250, 250, 250))
        draw.text((x + 4, y + 1), f"{first + k:03d}", fill=(20, 20, 20), font=font)
    return np.asarray(sheet)


def _instructions(count: int) -> str:
    kinds = "\n".join(
        f"- {c}: {', '.join(s for s, m in VEHICLES.items() if m.category == c)}" for c in CLASSES
    )
    return f"""# What is on these {count} pictures?

Each shows one vehicle. Name its class, its subtype, and where its front points. Do not open key.json.

Classes and their subtypes:

{kinds}

Facing is one of: {", ".join(FACINGS)}. "towards" is towards the camera, "left" the left of the picture;
"towards and left" is half-way between the two.

Write answers.json: {{"000": {{"class": "car", "subtype": "sedan", "facing": "towards and left"}}, …}}.
An answer left out counts as wrong.
"""


def facing_index(text: str) -> int | None:
    """Return which of the eight directions a text names, in words or in degrees clockwise from "away"."""
    words = text.lower().replace("-", " ").replace("/", " ").split()
    if len(words) == 1 and words[0].removesuffix("°").replace(".", "", 1).isdigit():
        return round(float(words[0].removesuffix("°")) / 45) % len(FACINGS)
    said = {"towards" if w in ("toward", "towards", "front", "camera") else w for w in words}
    if "away" in said:
        said.discard("towards")  # "away from the camera"
    if "back" in said:
        said.add("away")
    said &= {"away", "towards", "left", "right"}
    for index, name in enumerate(FACINGS):
        if said and said == set(name.split()) - {"and"}:
            return index
    return None


def steps_off(key: Key, answer: Answer) -> int | None:
    """Return by how many steps of 45° an answer misses the direction that was drawn, None without one."""
    said = facing_index(answer.facing)
    if said is None:
        return None
    off = abs(said - FACINGS.index(key.facing)) % len(FACINGS)
    return min(off, len(FACINGS) - off)


def wilson(right: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the 95 % interval of a share. Ref: Wilson 1927."""
    if n == 0:
        return 0.0, 1.0
    share = right / n
    middle, reach = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, (middle - reach) / (1 + z * z / n)), min(1.0, (middle + reach) / (1 + z * z / n))


def _said(text: str, known: Iterable[str]) -> str:
    word = text.strip().lower().removesuffix(" bike").removesuffix(" bus").strip()
    word = {"airplane": "aeroplane", "plane": "aeroplane", "motorcycle": "motorbike"}.get(word, word)
    return word if word in known else (text.strip().lower() or "(none)")


def report(keys: dict[str, Key], answers: dict[str, Answer]) -> str:
    """Return the accuracies and the tables of who was taken for whom, as Markdown.

    Raises DataError where an answer belongs to no crop.
    """
    if strange := sorted(set(answers) - set(keys)):
        raise DataError(f"answers: {strange[0]!r} is none of the {len(keys)} crops; name them as in the key")
    rows = [(key, answers.get(name, Answer())) for name, key in keys.items()]
    steps = [steps_off(k, a) for k, a in rows]
    category = [(k.category, _said(a.category, CLASSES)) for k, a in rows]
    subtype = [(k.subtype, _said(a.subtype, VEHICLES)) for k, a in rows]
    facing = [(k.facing, _named(facing_index(a.facing))) for k, a in rows]
    both = sum(x == y and s in (0, 1) for (x, y), s in zip(category, steps, strict=True))
    lines = [
        "| what | right | of | accuracy | 95 % interval |",
        "|---|--:|--:|--:|---|",
        _line("class", sum(x == y for x, y in category), len(rows)),
        _line("facing, within 45°", sum(s in (0, 1) for s in steps), len(rows)),
        _line("facing, exact of 8", sum(s == 0 for s in steps), len(rows)),
        _line("class, and facing within 45°", both, len(rows)),
        _line("subtype", sum(x == y for x, y in subtype), len(rows)),
        "",
        "Facing is right where the direction named is the one drawn or next to it among the eight. "
        f"{sum(s == 4 for s in steps)} were named the wrong way round, "
        f"{sum(n not in answers for n in keys)} not answered.",
        *_confusion("Class", CLASSES, category),
        *_confusion("Facing", FACINGS, facing),
        *_confusion("Subtype", tuple(VEHICLES), subtype),
        *_misses(keys, answers),
    ]
    return "\n".join(lines)


def _named(index: int | None) -> str:
    return "(none)" if index is None else FACINGS[index]


def _line(what: str, right: int, n: int) -> str:
    low, high = wilson(right, n)
    return (
        f"| {what} | {right} | {n} | {100 * right / max(n, 1):.1f} % | {100 * low:.1f}–{100 * high:.1f} % |"
    )


def _confusion(title: str, labels: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return a table with a row for each truth and a column for each answer that was given."""
    count = Counter(pairs)
    given = [*labels, *sorted({b for _, b in pairs} - set(labels))]
    given = [b for b in given if any(count[a, b] for a in labels)]
    lines = ["", f"## {title}", "", "| shown \\ named | " + " | ".join(given) + " |"]
    lines.append("|---|" + "--:|" * len(given))
    lines += [
        f"| {a} | " + " | ".join(str(count[a, b] or "") for b in given) + " |"
        for a in labels
        if any(count[a, b] for b in given)
    ]
    return lines


def _misses(keys: dict[str, Key], answers: dict[str, Answer]) -> list[str]:
    lines = ["", "## Misses", "", "| crop | shown | named |", "|---|---|---|"]
    for name, k in keys.items():
        a = answers.get(name, Answer())
        off = steps_off(k, a)
        same = k.category == _said(a.category, CLASSES) and k.subtype == _said(a.subtype, VEHICLES)
        if not same or off is None or off > 1:
            shown = f"{k.color} {k.category}, {k.subtype}, {k.facing} ({k.turn_deg % 360:.0f}°)"
            lines.append(f"| {name} | {shown} | {a.category}, {a.subtype}, {a.facing} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two commands; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    making = verbs.add_parser("make", help="paint the crops")
    making.add_argument("--out", type=Path, required=True)
    making.add_argument("--px", type=int, default=60)
    making.add_argument("--count", type=int, default=84)
    making.add_argument("--seed", type=int, default=0)
    scoring = verbs.add_parser("score", help="mark answers against the key")
    scoring.add_argument("--dir", type=Path, required=True)
    scoring.add_argument("--answers", type=Path, required=True)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.verb == "make":
            make(chosen.out, chosen.px, chosen.count, chosen.seed)
        else:
            keys = read_json(chosen.dir / "key.json", dict[str, Key])
            print(report(keys, read_json(chosen.answers, dict[str, Answer])))
    except FathomError as e:
        print(e, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
