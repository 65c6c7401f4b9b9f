"""A few pixels rendered with one LLVM library, in a process of its own: an unfit library aborts it.

`python -m fathom.render.prove` prints FIT where DRJIT_LIBLLVM_PATH names a library that works.
"""

from __future__ import annotations

import math
import sys
from contextlib import suppress

FIT = "fit"


def main() -> int:
    """Render the pixels and say that they came out; where the library is unfit the process ends here."""
    import mitsuba as mi
    import numpy as np

    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    mi.set_variant("llvm_ad_rgb")
    grey = np.full((4, 8, 3), 0.5, dtype=np.float32)
    paint = {
        "type": "principled",
        "base_color": {"type": "bitmap", "bitmap": mi.Bitmap(grey), "raw": True},
        "metallic": 0.5,
        "roughness": 0.3,
        "clearcoat": 0.5,
    }
    sensor = {
        "type": "perspective",
        "fov": 40,
        "to_world": mi.ScalarTransform4f().look_at([0, -4, 2], [0, 0, 0], [0, 0, 1]),
        "film": {"type": "hdrfilm", "width": 8, "height": 8, "rfilter": {"type": "gaussian"}},
        "sampler": {"type": "independent", "sample_count": 2},
    }
    scene = mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 4},
            "sensor": sensor,
            "light": {"type": "envmap", "bitmap": mi.Bitmap(grey)},
            "ball": {"type": "sphere", "bsdf": paint},
            "ground": {"type": "rectangle", "bsdf": {"type": "twosided", "of": {"type": "diffuse"}}},
        }
    )
    total = float(np.array(mi.render(scene, spp=2)).sum())
    if not math.isfinite(total) or total <= 0:
        return 1
    sys.stdout.write(FIT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
