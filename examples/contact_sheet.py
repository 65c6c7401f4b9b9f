"""Draw the built-in library at 8 azimuths: python examples/contact_sheet.py docs/pictures/vehicles.jpg."""

import sys
from itertools import cycle
from pathlib import Path

from PIL import Image

from fathom.assets.libraries import built_in_library
from fathom.assets.loading import unit_model
from fathom.assets.model import painted
from fathom.assets.palette import BODY_COLORS
from fathom.render.sheet import sheet
from fathom.render.variants import engine


def main(out: Path) -> None:
    """Write the contact sheet to `out`."""
    colors = cycle(BODY_COLORS.values())
    models = [painted(unit_model(spec), next(colors)) for spec in built_in_library().assets]
    picture = Image.fromarray(sheet(models, engine(), tile=150))
    picture.save(out, quality=85, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
