"""`fathom tables`: what the papers published."""

from __future__ import annotations

from typing import Annotated

import typer

from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("tables")(tables)


def tables(
    benchmark: Annotated[
        str, typer.Argument(help="Which: 4d-bench, seed-bench, pulsecheck457, sti-bench or 3dsrbench.")
    ],
) -> None:
    """Print the published tables.

    And which of their cells can be derived from others.
    """
    from fathom import api

    say(api.published_tables(benchmark))
