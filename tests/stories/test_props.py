"""Props: enough of them, in one body colour, told apart."""

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import BODY
from fathom.assets.props.catalogue import BACK, GROUND, HAND, HEAD, PROPS, prop_hash, prop_model, props_for
from fathom.records import InputError
from fathom.scenes.actions import STILL, motion
from fathom.scenes.animated_assets import built_in_animated

ACTORS = built_in_animated().assets


def test_there_are_enough_to_stand_about_and_to_wear() -> None:
    assert len(props_for(GROUND)) >= 16
    assert len(set(props_for(HEAD)) | set(props_for(HAND)) | set(props_for(BACK))) >= 8


@pytest.mark.parametrize("name", PROPS)
def test_a_prop_is_a_metre_long_small_and_has_one_body_colour(name: str) -> None:
    model = prop_model(name)
    assert max(model.extents) == pytest.approx(1.0)
    assert 20 <= model.triangles <= 2100
    bodies = [p for p in model.parts if p.material.name == BODY]
    assert bodies
    for p in model.parts:
        assert p.normals is not None
        assert np.isfinite(p.vertices).all()
        assert np.linalg.norm(p.normals, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("name", [p.name for p in props_for(GROUND)])
def test_what_stands_is_centred_on_the_ground(name: str) -> None:
    points = np.concatenate([p.vertices for p in prop_model(name).parts])
    assert points[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    assert points.min(axis=0)[:2] + points.max(axis=0)[:2] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_no_two_props_have_one_shape() -> None:
    assert len({prop_hash(name) for name in PROPS}) == len(PROPS)


def test_an_unknown_prop_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no such prop; there are ball, cube"):
        prop_model("anvil")


@pytest.mark.parametrize("actor", ACTORS, ids=lambda r: r.name)
def test_a_creature_keeps_its_triangles_and_stands_on_the_ground(actor: AnimatedAsset) -> None:
    rest = actor.model_at("", 0.0)
    for clip in actor.clips:
        for share in (0.0, 0.4, 1.0):
            posed = actor.model_at(clip.name, share * clip.duration_s)
            assert [p.name for p in posed.parts] == [p.name for p in rest.parts]
            for p, q in zip(posed.parts, rest.parts, strict=True):
                assert np.array_equal(p.faces, q.faces)
            if actor.category != "fish":
                assert min(p.vertices[:, 2].min() for p in posed.parts) >= -2e-3


@pytest.mark.parametrize("actor", ACTORS, ids=lambda r: r.name)
def test_a_creature_moves_in_every_clip_and_knows_its_limbs(actor: AnimatedAsset) -> None:
    assert all(motion(actor, clip) >= STILL for clip in actor.clips)
    for part, limbs in zip(actor.model_at("", 0.0).parts, actor.limb_of_vertex(), strict=True):
        assert limbs.shape == (len(part.vertices),)
        assert limbs.min() >= 0
        assert limbs.max() < len(actor.limbs)


@pytest.mark.parametrize("actor", ACTORS, ids=lambda r: r.name)
def test_a_looping_clip_ends_as_it_begins(actor: AnimatedAsset) -> None:
    for clip in actor.clips:
        ends = [actor.model_at(clip.name, t) for t in (0.0, clip.duration_s)]
        first, last = (np.concatenate([p.vertices for p in m.parts]) for m in ends)
        assert (np.abs(first - last).max() < 1e-6) == clip.loops
