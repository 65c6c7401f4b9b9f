"""The command line: one thin verb a stage. Importing it loads none of the heavy packages."""

from __future__ import annotations

import sys
from functools import cache
from typing import Annotated, Any, NoReturn

import typer
import typer.main

from fathom.cli import (
    assets,
    authoring,
    build,
    check,
    compare,
    curate,
    errors,
    exporting,
    importing,
    quickstart,
    report,
    review,
    run,
    score,
    study,
    tables,
    upgrade,
    usage,
)
from fathom.cli.console import say, warn
from fathom.version import __version__

app = typer.Typer(
    name="fathom",
    help="Build, run, score and report benchmarks of what multimodal models understand of space and time.\n\n"
    "Stages are folders: build makes a dataset, run puts it to a model, score scores the run, report shows "
    "it. Start with: fathom quickstart",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"fathom {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for verb in (
    quickstart, build, importing, authoring, run, score, compare, study, report, review, errors, check,
    exporting, tables, upgrade,
):  # fmt: skip
    verb.add_to(app)
app.add_typer(assets.app, name="assets")
app.add_typer(curate.app, name="curate")


@cache
def command() -> Any:
    """Return all verbs as one command, of the click that Typer brings; read from their functions once."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line; what a user can fix becomes one sentence and exit code 2."""
    try:
        code = command()(standalone_mode=False, prog_name="fathom")
    except usage.UsageError as e:
        if usage.shows_help(e):
            e.show()
            sys.exit(2)
        _end(2, usage.sentence(e))
    except OSError as e:
        where = f"{e.filename}: " if e.filename else ""
        _end(2, f"{where}{e.strerror or e}; fix that, then start the same command again")
    except (KeyboardInterrupt, typer.Abort):
        code = _INTERRUPTED
    except Exception as e:
        # Only here, so that help does not wait for the records.
        from fathom.records.errors import FathomError

        if not isinstance(e, FathomError):
            raise
        _end(2, str(e))
    # Typer turns Ctrl-C inside a verb into this code, and says nothing.
    if code == _INTERRUPTED:
        _end(_INTERRUPTED, "interrupted; start the same command again to carry on where it stopped")
    sys.exit(code or 0)


_INTERRUPTED = 130


def _end(code: int, sentence: str) -> NoReturn:
    warn(sentence)
    sys.exit(code)
