"""Pictures: they show what the truth says, in colours that can be told, the same every time."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.modelling.vehicles.materials import PAINT

from fathom.assets.model import Material, Model, Part
from fathom.assets.palette import BODY_COLORS
from fathom.ground_truth.trace import Truth, trace
from fathom.records import Camera, Environment, Scene
from fathom.render.color import linear, oklab
from fathom.render.guides import OFFSETS
from fathom.render.lights import Light, light_of
from fathom.render.paint import QUALITIES, paint
from fathom.render.sheet import sheet
from fathom.render.sky import SKIES
from fathom.render.tone import exposed, picture, png
from fathom.render.variants import SLOW, Engine
from tests.truth.street import at, block, camera, lorry, world

SCALAR = Engine(SLOW)
PROBES = (
    "adams_place_bridge", "dikhololo_night", "empty_warehouse_01", "forest_slope", "immenstadter_horn",
    "kiara_1_dawn", "lebombo", "potsdamer_platz", "rooitou_park", "st_fagans_interior", "studio_small_03",
    "venice_sunset",
)  # fmt: skip


@pytest.fixture(scope="module")
def light() -> Light:
    return light_of(Environment(name="sky:veiled-sun", ground="concrete", rotation_rad=1.0))


def painted_blocks() -> tuple[Scene, dict[str, Model]]:
    """Eight blocks in the eight body colours, in two rows."""
    placed = {}
    for k, (name, color) in enumerate(BODY_COLORS.items()):
        row, column = divmod(k, 4)
        placed[name] = (block((0.9, 0.9, 0.7), color), at(1.6 * column - 2.4, 2.4 * row - 1.2, 0.5))
    return world(placed, camera(160, 120))


def mean_colors(truth: Truth, pixels: np.ndarray) -> np.ndarray:
    """The (n, 3) mean linear colour of what is seen of each object, its rim left out."""
    found = []
    for k in range(len(truth.objects)):
        mask = np.pad(truth.ids == k, 1)
        inner = mask[1:-1, 1:-1] & mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
        found.append(linear(pixels[inner] / 255).mean(axis=0))
    return np.array(found)


def told_apart(seen: np.ndarray) -> None:
    """Each colour is nearest to its own name, in OKLab, once brightness over all of them is evened out."""
    names = list(BODY_COLORS)
    own = linear(np.array([BODY_COLORS[n] for n in names])).astype(float)
    best = np.linalg.lstsq(seen.reshape(-1, 1), own.reshape(-1), rcond=None)[0][0]
    apart = np.linalg.norm(oklab(seen * best)[:, None] - oklab(own)[None], axis=-1)
    wrong = {names[k]: names[int(apart[k].argmin())] for k in range(8) if apart[k].argmin() != k}
    assert wrong == {}
    hue = np.arctan2(oklab(seen)[:, 2], oklab(seen)[:, 1])
    meant = np.arctan2(oklab(own)[:, 2], oklab(own)[:, 1])
    off = np.abs(np.angle(np.exp(1j * (hue - meant))))
    assert off[1:].max() < np.radians(25), dict(zip(names[1:], np.degrees(off[1:]).round(), strict=True))


@pytest.mark.parametrize("sky", SKIES)
def test_the_eight_body_colours_can_be_told_under_every_sky(sky: str) -> None:
    scene, models = painted_blocks()
    lit = light_of(Environment(name=f"sky:{sky}", ground="asphalt", rotation_rad=1.0))
    told_apart(mean_colors(trace(scene, models), paint(scene, models, lit, SCALAR, "preview")))


@pytest.mark.parametrize("probe", PROBES)
def test_the_eight_body_colours_can_be_told_under_every_probe(probe: str, assets_folder: Path) -> None:
    scene, models = painted_blocks()
    lit = light_of(Environment(name=f"{probe}_1k.hdr", ground="probe"), assets_folder / "hdri")
    pixels = paint(scene, models, lit, SCALAR, "preview")
    told_apart(mean_colors(trace(scene, models), pixels))
    assert 60 < pixels.mean() < 200


@pytest.mark.parametrize("quarter", range(4))
def test_gray_paint_stays_gray_wherever_a_low_sun_stands(quarter: int) -> None:
    """Facing the sun over a roof is where glossy paint of any colour turns white."""
    plain = block((2.0, 2.0, 0.1), BODY_COLORS["gray"])
    polished = replace(plain.parts[0], material=replace(PAINT, color=BODY_COLORS["gray"]))
    roof = {"gray": (replace(plain, parts=(polished,)), at(0, 0, 0.2))}
    scene, models = world(roof, camera(96, 72, (8.0, 0.0, 5.0)))
    sun = Environment(name="sky:late-afternoon", ground="asphalt", rotation_rad=quarter * np.pi / 2)
    seen = mean_colors(trace(scene, models), paint(scene, models, light_of(sun), SCALAR, "preview"))[0]
    gray = linear(np.array(BODY_COLORS["gray"]))
    assert (seen / gray < 4).all()
    assert (seen / gray > 0.5).all()


def test_exposure_never_darkens() -> None:
    bright, dim = np.full((4, 4, 3), 0.6, np.float32), np.full((4, 4, 3), 0.15, np.float32)
    assert np.array_equal(exposed(bright), bright)
    assert (exposed(dim) > dim).all()


def test_objects_are_painted_where_the_truth_sees_them(light: Light) -> None:
    straight = camera(160, 120)
    # The principal point is off the middle, so that a sign mistaken anywhere moves the picture.
    bent = Camera(width=160, height=120, fx=170.0, fy=170.0, cx=64.0, cy=77.0, poses=straight.poses)
    scene, models = world({"red": (lorry(3.0, (0.9, 0.05, 0.05)), at(0.3, -0.4, 0.7))}, bent)
    truth, pixels = trace(scene, models), paint(scene, models, light, SCALAR, "preview").astype(int)
    body = np.zeros(truth.ids.shape, dtype=bool)
    s = truth.objects[0]
    body[s.window[1] : s.window[3], s.window[0] : s.window[2]] = s.part != 1
    body &= truth.ids == 0
    red = pixels[..., 0] > 1.6 * np.maximum(pixels[..., 1], pixels[..., 2]) + 10
    assert (red & body).sum() / (red | body).sum() > 0.9


def test_a_picture_comes_out_the_same_again(light: Light) -> None:
    scene, models = world({"lorry": (lorry(3.0), at(0, 0, 0.7))})
    first, again = (paint(scene, models, light, SCALAR, "preview").astype(int) for _ in range(2))
    assert first.shape == (120, 160, 3)
    assert np.abs(first - again).max() <= 1


def test_objects_cast_shadows(light: Light) -> None:
    scene, models = world({"lorry": (lorry(3.0), at(0, 0, 0.7))})
    bare, _ = world({})
    with_it = paint(scene, models, light, SCALAR, "preview", gain=1.0).astype(int)
    without = paint(bare, {}, light, SCALAR, "preview", gain=1.0).astype(int)
    ground = trace(scene, models).ids < 0
    darker = (without - with_it).mean(axis=-1)[ground]
    assert (darker > 25).sum() > 100
    assert (np.abs(darker) < 12).mean() > 0.6


def test_a_draft_of_one_sample_has_edges_as_soft_as_the_guides_tell(
    light: Light, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = block((1.6, 1.6, 1.6), (0.01, 0.01, 0.01))
    scene, models = world({"dark": (dark, at(0, 0, 0.4))}, camera(160, 120))
    final, draft = (paint(scene, models, light, SCALAR, q).astype(int) for q in ("final", "draft"))
    monkeypatch.setattr("fathom.render.paint.OFFSETS", OFFSETS[:1])
    hard = paint(scene, models, light, SCALAR, "draft").astype(int)
    body = trace(scene, models).ids == 0
    around = np.lib.stride_tricks.sliding_window_view(np.pad(body, 1), (3, 3))
    rim = around.any(axis=(2, 3)) & ~around.all(axis=(2, 3))
    off, hard_off = (float(np.sqrt(((p - final)[rim] ** 2).mean())) for p in (draft, hard))
    assert rim.sum() > 200
    assert off < 0.9 * hard_off


def test_the_horizon_and_a_picture_without_ground_can_be_painted(light: Light) -> None:
    level = camera(96, 72, eye_m=(12.0, 0.0, 0.5))
    scene, models = world({"lorry": (lorry(3.0), at(0, 0, 0.7))}, level)
    pixels = paint(scene, models, light, SCALAR, "preview")
    assert pixels[:20].mean() > pixels[-20:].mean() - 40
    assert pixels.std() > 5


def test_textures_stand_upright(light: Light) -> None:
    """A wall whose picture is white above and red below."""
    wall = np.array([(0.0, -2.0, 0.0), (0.0, 2.0, 0.0), (0.0, 2.0, 2.0), (0.0, -2.0, 2.0)])
    uv = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    picture_of = np.zeros((8, 8, 3), np.uint8)
    picture_of[:4] = (230, 230, 230)
    picture_of[4:] = (220, 10, 10)
    part = Part("wall", wall, np.array([(0, 1, 2), (0, 2, 3)], np.int32),
                Material("sign", (1.0, 1.0, 1.0), roughness=0.9, texture=picture_of), uv=uv)  # fmt: skip
    scene, models = world({"w": (Model("w", "car", "w", (part,)), at(0, 0))}, camera(96, 72, (9.0, 0.0, 1.5)))
    truth, pixels = trace(scene, models), paint(scene, models, light, SCALAR, "preview").astype(int)
    x0, y0, x1, y1 = truth.objects[0].window
    upper = pixels[y0 + 2 : (y0 + y1) // 2 - 3, x0 + 4 : x1 - 4]
    lower = pixels[(y0 + y1) // 2 + 3 : y1 - 2, x0 + 4 : x1 - 4]
    assert (upper[..., 0] - upper[..., 1]).mean() < 25
    assert (lower[..., 0] - lower[..., 1]).mean() > 80


def test_tone_keeps_order_and_hue() -> None:
    ramp = np.linspace(0, 4, 200, dtype=np.float32)[:, None, None] * np.array([1.0, 0.5, 0.2], np.float32)
    shown = picture(ramp).astype(int)
    assert (np.diff(shown[:, 0, 0]) >= 0).all()
    assert (shown[1:, 0, 0] >= shown[1:, 0, 1]).all()


def test_png_is_the_same_every_time() -> None:
    pixels = np.arange(48 * 64 * 3, dtype=np.uint32).reshape(48, 64, 3).astype(np.uint8)
    assert png(pixels) == png(pixels)
    assert png(pixels).startswith(b"\x89PNG")


def test_a_sheet_has_a_row_a_model_and_a_column_an_azimuth() -> None:
    models = [lorry(1.0), block((0.5, 0.5, 0.5))]
    page = sheet(models, SCALAR, (0.0,), tile=60, arrows=True, notes=("12 triangles", ""), title="Two")
    more = sheet(models[1:], SCALAR, (0.0, 90.0), tile=60)
    assert page.dtype == np.uint8
    assert more.shape[1] - page.shape[1] == 60 and more.shape[0] < page.shape[0]
    assert page.std() > 10


def test_final_is_more_work_than_preview() -> None:
    assert QUALITIES["final"].samples > QUALITIES["preview"].samples
