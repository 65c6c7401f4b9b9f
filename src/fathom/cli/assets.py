"""`fathom assets`: folders of models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say

app = typer.Typer(help="Folders of glTF/GLB models.", no_args_is_help=True, rich_markup_mode=None)

Lexicon = Annotated[
    Path | None,
    typer.Option(
        help="A file of further verbs for clips; else fathom-lexicon.json in the folder.", dir_okay=False
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]


@app.callback()
def _group() -> None:
    pass


@app.command("index")
def index(
    folder: Annotated[Path, typer.Argument(help="A folder of glTF/GLB files.", file_okay=False)],
    out: Annotated[
        Path | None, typer.Option(help="Where to write the proposal; the folder itself if not given.")
    ] = None,
    animated: Annotated[
        bool | None,
        typer.Option(
            "--animated/--still",
            help="Whether the models are animated; found out if not given.",
        ),
    ] = None,
    lexicon: Lexicon = None,
    quiet: Quiet = False,
) -> None:
    """Propose a manifest for a folder of models and draw its contact sheets.

    What can be measured is measured (size, the axis that is probably the front; triangles and symmetry, or
    clips, what of them moves, and the verb that their names suggest). Look at the sheets, correct the
    proposal, and save it as fathom-assets.json, or as fathom-cast.json where the models move. Files may lie
    in folders of their own; those named by a uid of 32 hex digits are called by it.
    """
    from fathom import api

    with progress.shown(quiet) as show:
        said = api.index_assets(folder, out, animated=animated, lexicon=lexicon, progress=show)
    say(said)


@app.command("review")
def review(
    folder: Annotated[Path, typer.Argument(help="An indexed folder of animated models.", file_okay=False)],
    out: Annotated[
        Path | None,
        typer.Option(help="Where to write the pages and the table; the folder itself if not given."),
    ] = None,
    lexicon: Lexicon = None,
    quiet: Quiet = False,
) -> None:
    """Show what is believed of animated models: pages on which every clip plays, and one table.

    Each verb stands there with how sure it is and what told it; what nothing tells is marked. Corrections are
    made on the page, which saves them as a table, or in the table itself.
    """
    from fathom import api

    with progress.shown(quiet) as show:
        said = api.review_assets(folder, out, lexicon=lexicon, progress=show)
    say(said)


@app.command("accept")
def accept(
    folder: Annotated[Path, typer.Argument(help="An indexed folder of animated models.", file_okay=False)],
    table: Annotated[
        Path, typer.Option(help="The table, as it was saved by the page or by a spreadsheet.", dir_okay=False)
    ],
    lexicon: Lexicon = None,
) -> None:
    """Write fathom-cast.json: what is believed of animated models, corrected by a reviewed table."""
    from fathom import api

    say(api.accept_assets(folder, table, lexicon=lexicon))
