"""`fathom assets`: folders of models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Folders of glTF/GLB models.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    pass


@app.command("index")
def index(
    folder: Annotated[Path, typer.Argument(help="A folder of glTF/GLB files.", file_okay=False)],
    out: Annotated[
        Path | None, typer.Option(help="Where to write the proposal; the folder itself if not given.")
    ] = None,
) -> None:
    """Propose a manifest for a folder of models and draw its contact sheet.

    What can be measured is measured (size, triangles, symmetry, the axis that is probably the front). Look
    at the sheet, correct the proposal, and save it as fathom-assets.json.
    """
    from fathom import api

    print(api.index_assets(folder, out))
