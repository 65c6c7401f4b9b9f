"""Light by few samples, for the compiled Mitsuba: what paths of so many bounces bring, with fewer rays.

At the last surface of a path only lamps and sky are looked at. Mitsuba's own integrator also follows the
surface's reflection there, which costs as much as the rest and hardly calms a picture of a few samples. And
rays are cast at several scenes as if they were one, so that what stands still is made ready for rays once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from fathom.render.variants import FAST, mitsuba_module


def lit(scenes: Sequence[Any], sensor: Any, depth: int, samples: int, seed: int) -> Any:
    """Return what a sensor sees of several scenes in one place, as Mitsuba's tensor.

    All lamps are in the first scene. `depth` counts as in Mitsuba's path integrator: 1 is what gives off
    light itself, 2 what is lit by that, and so on; at least 2.
    """
    mi = mitsuba_module()
    integrator = _integrator()(mi.Properties(), tuple(scenes), depth)
    return mi.render(scenes[-1], sensor=sensor, integrator=integrator, spp=samples, seed=seed)


@cache
def _integrator() -> Any:
    """Return the integrator's class, which can be made only when the variant is chosen."""
    mi = mitsuba_module()
    if mi.variant() != FAST:
        raise RuntimeError(f"light by few samples: expected Mitsuba's {FAST}, found {mi.variant()}")

    class FewSamples(mi.SamplingIntegrator):  # type: ignore[misc, name-defined]
        def __init__(self, properties: Any, scenes: tuple[Any, ...], depth: int) -> None:
            super().__init__(properties)
            self.scenes, self.depth = scenes, depth

        def sample(
            self, scene: Any, sampler: Any, ray: Any, medium: Any = None, active: Any = True
        ) -> tuple[Any, Any, list[Any]]:
            return (*_light(self.scenes, self.depth, sampler, ray, mi.Bool(active)), [])

    return FewSamples


def _light(scenes: tuple[Any, ...], depth: int, sampler: Any, ray: Any, active: Any) -> tuple[Any, Any]:
    """Return the light along rays, and whether they meet a surface."""
    mi = mitsuba_module()
    import drjit as dr

    at = _met(scenes, ray, active, first=True)
    light = at.emitter(scenes[0]).eval(at, active)
    seen = active & at.is_valid()
    surface, going, share = at.bsdf(ray), mi.Bool(seen), mi.Spectrum(1)
    for _ in range(depth - 2):
        found, share, at, going = _bounced(scenes, at, surface, sampler, share, going)
        light += found
        surface = at.bsdf()
    toward, found = _lamp(scenes, at, sampler, going)
    sent = surface.eval(mi.BSDFContext(), at, at.to_local(toward.d), going)
    return light + dr.select(going, share * sent * found, 0), seen


def _bounced(
    scenes: tuple[Any, ...], at: Any, surface: Any, sampler: Any, share: Any, going: Any
) -> tuple[Any, Any, Any, Any]:
    """Return the light of lamps and sky on a surface, found in two ways, and where paths go on from it: the
    share of light that they bring, the surface that they meet, and whether they do.
    """
    mi = mitsuba_module()
    import drjit as dr

    toward, found = _lamp(scenes, at, sampler, going)
    sent, likely, onward, weight = surface.eval_pdf_sample(
        mi.BSDFContext(), at, at.to_local(toward.d), sampler.next_1d(going), sampler.next_2d(going), going
    )
    light = dr.select(going, share * sent * found * _trust(toward.pdf, likely), 0)
    share = share * weight
    going = going & dr.any(share != 0)
    then = _met(scenes, at.spawn_ray(at.to_world(onward.wo)), going, first=False)
    lamp = then.emitter(scenes[0])
    here = going & (lamp != None)  # noqa: E711 (compares lanes)
    chance = scenes[0].pdf_emitter_direction(at, mi.DirectionSample3f(scenes[0], then, at), here)
    light += dr.select(here, share * lamp.eval(then, here) * _trust(onward.pdf, chance), 0)
    return light, share, then, going & then.is_valid()


def _met(scenes: tuple[Any, ...], ray: Any, active: Any, first: bool) -> Any:
    """Return where rays meet the nearest surface of all scenes."""
    mi = mitsuba_module()
    import drjit as dr

    nearest = scenes[0].ray_intersect_preliminary(ray, coherent=first, active=active)
    for other in scenes[1:]:
        found = other.ray_intersect_preliminary(ray, coherent=first, active=active)
        nearest = dr.select(found.t < nearest.t, found, nearest)
    return nearest.compute_surface_interaction(ray, mi.RayFlags.All, active)


def _lamp(scenes: tuple[Any, ...], at: Any, sampler: Any, active: Any) -> tuple[Any, Any]:
    """Return a way to a lamp or the sky, and its light over its likelihood; none where that is hidden."""
    import drjit as dr

    toward, weight = scenes[0].sample_emitter_direction(at, sampler.next_2d(active), False, active)
    asked = active & (toward.pdf != 0)
    way = at.spawn_ray_to(toward.p)
    for scene in scenes:
        asked &= ~scene.ray_test(way, asked)
    return toward, dr.select(asked, weight, 0)


def _trust(own: Any, other: Any) -> Any:
    """Return how much a way counts that was found with likelihood `own`, and could be with `other`.

    Ref: E. Veach, 1997, §9.2.4, the power heuristic.
    """
    import drjit as dr

    return dr.select(own > 0, own * own / (own * own + other * other), 0)
