"""`fathom upgrade`: folders of the format before, brought over to that of today."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("upgrade")(upgrade)


def upgrade(
    folders: Annotated[list[Path], typer.Argument(help="Datasets and runs.", file_okay=False)],
) -> None:
    """Convert datasets and runs of the previous format to the present one, in place.

    Only names of files and fields change. Questions, answers and scores stay what they are. Example:

        fathom upgrade my-set my-run
    """
    from fathom import api

    for folder in folders:
        changed = api.upgrade_folder(folder)
        say(f"{folder}: {'converted to the current format' if changed else 'already has the current format'}")
