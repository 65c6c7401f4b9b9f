"""Light: panoramas, skies, probes made fit to judge colours by, and those that are refused."""

import math
import struct
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.records import AssetError, Environment, InputError, UnfitError
from fathom.render.balance import AROUND, GLARE, fit_light, legibility
from fathom.render.color import LUMINANCE, linear, srgb
from fathom.render.environments import LEGIBLE, drawn, environments
from fathom.render.grounds import GROUNDS, Spot, ground_albedo
from fathom.render.lights import OWN_GROUND_M, Light, ground_seen, light_of
from fathom.render.noise import SIZE, averaged, pyramid, sampled, tile
from fathom.render.panorama import directions, irradiance, lookup, shrunk, solid_angles
from fathom.render.probes import read_probe
from fathom.render.sky import SKIES, sky_panorama
from fathom.render.variants import SLOW, Engine, mitsuba_module, prepare
from fathom.store.seeds import rng


def random_probe(seed: int, height: int = 32) -> np.ndarray:
    g = rng("probe", seed)
    probe = g.uniform(0.02, 1.0, (height, 2 * height, 3))
    row, column = int(g.integers(height // 2)), int(g.integers(2 * height))
    probe[row, column] = 10.0 ** g.uniform(0, 5) * g.uniform(0.5, 1, 3)
    return probe.astype(np.float32)


def write_hdr(path: Path, pixels: np.ndarray) -> Path:
    """A Radiance file without run lengths."""
    h, w, _ = pixels.shape
    peak = np.maximum(pixels.max(axis=-1), 1e-30)
    exponent = np.ceil(np.log2(peak)).astype(int)
    mantissa = (pixels / 2.0 ** exponent[..., None] * 256).clip(0, 255).astype(np.uint8)
    data = np.concatenate([mantissa, (exponent + 128).astype(np.uint8)[..., None]], axis=-1)
    path.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + f"-Y {h} +X {w}\n".encode() + data.tobytes())
    return path


def test_an_even_panorama_sheds_pi_on_every_side() -> None:
    even = np.ones((64, 128, 3), np.float32)
    for normal in ((0.0, 0.0, 1.0), *AROUND):
        assert irradiance(even, normal) == pytest.approx(math.pi, rel=2e-3)
    assert solid_angles(64).sum() * 128 == pytest.approx(4 * math.pi)


def test_looking_up_a_pixels_direction_gives_the_pixel() -> None:
    probe = random_probe(1)
    found = lookup(probe, directions(32).reshape(-1, 3)).reshape(probe.shape)
    assert np.allclose(found, probe, rtol=1e-3, atol=1e-3 * float(probe.max()))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_any_probe_becomes_white_on_level_ground_and_without_glare(seed: int) -> None:
    light, _ = fit_light(random_probe(seed))
    level = irradiance(light, (0, 0, 1)) / math.pi
    assert float(level @ LUMINANCE) == pytest.approx(1, abs=1e-3)
    assert max(float(irradiance(light, n) @ LUMINANCE) / math.pi for n in AROUND) < GLARE * 1.1
    assert light.min() >= 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([8, 16, 32]))
def test_a_smaller_panorama_holds_as_much_light(seed: int, height: int) -> None:
    probe = random_probe(seed)
    assert shrunk(probe, height).mean(axis=(0, 1)) == pytest.approx(probe.mean(axis=(0, 1)), rel=1e-4)


@pytest.mark.parametrize("name", SKIES)
def test_body_colours_stay_themselves_under_every_sky(name: str) -> None:
    light, _ = fit_light(shrunk(sky_panorama(name), 64), paler=0.25, balance=0.4)
    assert legibility(light)[0] > LEGIBLE


def test_every_probe_of_the_collection_is_fit_for_colours(assets_folder: Path) -> None:
    words: list[str] = []
    found = environments(assets_folder / "hdri", words.append)
    assert len(found) == len(list((assets_folder / "hdri").glob("*.hdr")))
    assert words == []


def test_a_probe_in_whose_light_colours_are_lost_is_left_out_with_a_word(tmp_path: Path) -> None:
    red = np.zeros((32, 64, 3), np.float32)
    red[:16] = (1.0, 0.002, 0.002)
    red[4:8, :32] = (0.002, 0.002, 1.0)
    write_hdr(tmp_path / "stage.hdr", red)
    write_hdr(tmp_path / "day.hdr", np.ones((32, 64, 3), np.float32))
    words: list[str] = []
    assert [e.name for e in environments(tmp_path, words.append)] == ["day.hdr"]
    assert len(words) == 1
    assert words[0].startswith("stage.hdr: left out, because")
    (tmp_path / "day.hdr").unlink()
    with pytest.raises(UnfitError, match="cannot be told apart"):
        environments(tmp_path, words.append)


def test_an_environment_belongs_to_its_names() -> None:
    first = drawn(environments(None), 1, "scene", 3)
    assert first == drawn(environments(None), 1, "scene", 3)
    assert len({drawn(environments(None), 1, "scene", k).name for k in range(40)}) == len(SKIES)
    assert light_of(first).panorama.shape[2] == 3


def test_a_probe_is_found_again_by_its_hash(tmp_path: Path) -> None:
    write_hdr(tmp_path / "day.hdr", np.ones((32, 64, 3), np.float32))
    chosen = drawn(environments(tmp_path), 1, "scene", 1)
    assert light_of(chosen, tmp_path).photo is not None
    write_hdr(tmp_path / "day.hdr", np.full((32, 64, 3), 0.5, np.float32))
    with pytest.raises(AssetError, match="SHA-256 differs"):
        light_of(chosen, tmp_path)
    with pytest.raises(InputError, match="environment"):
        light_of(chosen)


def test_unknown_skies_grounds_and_folders_are_named(tmp_path: Path) -> None:
    for e in (
        Environment(name="sky:green", ground="asphalt"),
        Environment(name="sky:overcast", ground="lava"),
    ):
        with pytest.raises(InputError, match="there are the skies"):
            light_of(e)
    with pytest.raises(InputError, match="holds none"):
        environments(tmp_path)
    with pytest.raises(InputError, match="there is none"):
        environments(tmp_path / "nowhere")
    with pytest.raises(AssetError, match="none to draw from"):
        drawn([], 1)


HEAD = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"
EXR = b"\x76\x2f\x31\x01\x02\x00\x00\x00"
WINDOW = b"dataWindow\x00box2i\x00\x10\x00\x00\x00"


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.hdr", b"", "header is neither"),
        ("a.hdr", b"GIF89a", "header is neither"),
        ("a.hdr", HEAD + b"-Y 32 +X 48\n" + bytes(48 * 32 * 4), "twice as wide as high"),
        ("a.hdr", HEAD + b"-Y 90000 +X 180000\n", "twice as wide as high"),
        ("a.hdr", HEAD + b"-Y 999999999999 +X 1999999999998\n", "header is neither"),
        ("a.hdr", HEAD + b"-Y 32 +X 64\n" + bytes(100), "cannot be decoded"),
        ("a.hdr", HEAD + b"-Y 32 +X 64\n" + b"\x02\x02\x00\x40" + b"\xff" * 300, "cannot be decoded"),
        ("a.hdr", HEAD + b"-Y 32 +X 64\n" + bytes(64 * 32 * 4), "without any light"),
        ("a.exr", b"RIFF", "header is neither"),
        ("a.exr", EXR, "header is neither"),
        ("a.exr", EXR + WINDOW + struct.pack("<4i", 0, 0, 63, 31), "cannot be decoded"),
        ("a.exr", EXR + WINDOW + b"\xff" * 16, "twice as wide as high"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_probe_is_refused_in_one_sentence(
    tmp_path: Path, name: str, data: bytes, why: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(AssetError, match=why) as refused:
        read_probe(tmp_path / name)
    assert "\n" not in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000_000))
def test_a_damaged_probe_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = write_hdr(tmp_path_factory.mktemp("probe") / f"{seed}.hdr", random_probe(seed))
    g = rng("damage", seed)
    data = bytearray(path.read_bytes())
    for _ in range(int(g.integers(1, 30))):
        data[int(g.integers(len(data)))] = int(g.integers(256))
    path.write_bytes(bytes(data[: int(g.integers(len(data) // 2, len(data) + 1))]))
    with suppress(AssetError):
        assert np.isfinite(read_probe(path)).all()


def test_an_exr_probe_with_values_that_are_not_finite_is_refused(tmp_path: Path) -> None:
    prepare(Engine(SLOW))
    mi = mitsuba_module()
    pixels = np.ones((32, 64, 3), np.float32)
    mi.Bitmap(pixels).write(str(tmp_path / "fine.exr"))
    assert read_probe(tmp_path / "fine.exr").shape == (32, 64, 3)
    pixels[3, 3, 1] = np.inf
    mi.Bitmap(pixels).write(str(tmp_path / "hot.exr"))
    with pytest.raises(AssetError, match="not finite"):
        read_probe(tmp_path / "hot.exr")


def spot(pixel_m: float) -> Spot:
    x, y = np.meshgrid(np.linspace(-2, 2, 80), np.linspace(-2, 2, 80))
    return Spot(*(a.ravel().astype(np.float32) for a in (x, y, np.full_like(x, pixel_m))))


@pytest.mark.parametrize("name", GROUNDS)
def test_grounds_are_plausible_and_calm_down_far_away(name: str) -> None:
    near, far = ground_albedo(name, spot(0.005), 0.4), ground_albedo(name, spot(3.0), 0.4)
    assert 0.02 <= near.min() <= near.max() <= 0.8
    assert far.std() <= near.std()
    assert far.mean() == pytest.approx(near.mean(), rel=0.25)


def test_noise_repeats_without_a_seam() -> None:
    noise = tile("a", slope=1.0)
    assert noise.std() == pytest.approx(1, abs=1e-3)
    assert np.array_equal(noise, tile("a", slope=1.0))
    x = np.array([0.2, 0.999, 0.5], np.float32)
    assert np.allclose(sampled(noise, x, x), sampled(noise, x + 1, x - 2), atol=1e-3)
    steps = np.abs(np.diff(np.concatenate([noise, noise[:, :1]], axis=1), axis=1))
    assert steps[:, SIZE - 1].mean() < 1.3 * steps.mean()


def test_noise_is_averaged_over_what_a_pixel_covers() -> None:
    levels = pyramid("a", slope=0.5)
    g = rng("points")
    x, y = g.random((2, 400)).astype(np.float32)
    assert np.allclose(averaged(levels, x, y, np.zeros(400)), sampled(levels[0], x, y))
    spreads = [averaged(levels, x, y, np.full(400, w)).std() for w in (0.002, 0.01, 0.05, 0.25)]
    assert spreads == sorted(spreads, reverse=True)
    assert abs(averaged(levels, x, y, np.full(400, 1.0)).mean()) < 0.1


def test_smaller_levels_lie_where_the_larger_ones_do() -> None:
    step = np.zeros((SIZE, SIZE), np.float32)
    step[:, SIZE // 2 :] = 1
    half = step.reshape(SIZE // 2, 2, SIZE // 2, 2).mean(axis=(1, 3), dtype=np.float32)
    x = np.linspace(0.3, 0.7, 4001)
    rises = [float(x[np.argmax(sampled(t, x, np.full_like(x, 0.5)) >= 0.5)]) for t in (step, half)]
    assert rises[0] == pytest.approx(rises[1], abs=0.1 / SIZE)


def test_what_stands_on_a_probes_ground_is_not_smeared_over_the_far_ground() -> None:
    """A dark wall around a light floor, on the photograph from below the horizon to 40° under it."""
    photo = np.ones((64, 128, 3), np.float32)
    photo[32:46] = 0.3
    probe = Light(np.ones((4, 8, 3), np.float32), 0.0, "paper", 0.0, photo, np.full(3, 0.3, np.float32))
    near, far = (
        Spot(*(np.full(1, v, np.float32) for v in (x, 0.0, 0.02))) for x in (1.0, OWN_GROUND_M[1] + 1)
    )
    assert ground_seen(probe, far) == pytest.approx(ground_seen(probe, near), rel=1e-3)


@given(st.floats(0, 1))
def test_srgb_and_linear_undo_each_other(value: float) -> None:
    assert float(srgb(linear(value))) == pytest.approx(value, abs=1e-5)
