"""`fathom review`: people check, answer, describe, label and compare, on pages that this serves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from fathom.cli.console import say, warn

if TYPE_CHECKING:
    from fathom.review.results import Rule


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("review")(review)


def review(
    source: Annotated[
        Path,
        typer.Argument(
            help="A dataset, a run, a folder of photographs, or the work of fathom write-questions; or the "
            "folder of a review, to go on."
        ),
    ],
    task: Annotated[
        str,
        typer.Option(
            help="What people do: verify, answer, caption, revise, quality, forms, write, compare (of a "
            "dataset), errors (of a run), drafts, descriptions (of the work of fathom write-questions), or "
            "module:attribute."
        ),
    ] = "verify",
    out: Annotated[Path | None, typer.Option(help="The folder to make; it keeps the review.")] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="The name of somebody who takes part; repeat it.")
    ] = None,
    overlap: Annotated[
        float, typer.Option(min=1, help="How many people judge each item; 1.2: one in five by two.")
    ] = 1,
    sample: Annotated[int, typer.Option(min=0, help="Draw so many items; 0: all of them.")] = 0,
    adjudicate: Annotated[bool, typer.Option(help="Ask one more person where people disagree.")] = False,
    checks: Annotated[
        float,
        typer.Option(
            min=0, max=0.5, help="Show this share of a person's items a second time; for verify and answer."
        ),
    ] = 0,
    planted: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.5,
            help="Attention checks: put in so many further items, as a share of a person's, with a planted "
            "mistake that they should notice: a wrong answer of the dataset (verify), or a text that says "
            "what to choose (answer).",
        ),
    ] = 0,
    only: Annotated[
        list[str] | None, typer.Option(metavar="<task>", help="Only questions of this task.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="How questions are put, for --task answer.")] = "default",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="<name=value>", help="Of the protocol.")
    ] = None,
    benchmark: Annotated[
        str, typer.Option(help="Of photographs: whose kinds of questions are written.")
    ] = "",
    instances: Annotated[
        Path | None,
        typer.Option(
            help="Of photographs: COCO's instances (JSON), whose boxes and categories are offered to people.",
            dir_okay=False,
        ),
    ] = None,
    extractor: Annotated[
        str, typer.Option(help="Of a run: how answers are extracted; the benchmark's own if not given.")
    ] = "",
    seed: Annotated[str, typer.Option(help="Of every draw.")] = "0",
    host: Annotated[
        str, typer.Option(help="Where to listen; others than this computer reach only 0.0.0.0.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8600,
    name: Annotated[
        list[str] | None, typer.Option("--host-name", help="A further name of this computer in links.")
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Print how far it is and how far people agree; end.")
    ] = False,
    export: Annotated[Path | None, typer.Option(help="Write what people said into this folder; end.")] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help="Of --export and --import: fathom (files of other verbs), label-studio, argilla."
        ),
    ] = "fathom",
    take: Annotated[
        Path | None,
        typer.Option(
            "--import",
            help="Take over what people said in Label Studio (its JSON export), or with --format argilla in "
            "Argilla (its records.json); end.",
        ),
    ] = None,
    apply: Annotated[
        Path | None, typer.Option(help="Make the next version of the dataset in this folder; end.")
    ] = None,
    rule: Annotated[
        str, typer.Option(help="When people agree: all, majority or adjudicated; for --apply.")
    ] = "majority",
    edits: Annotated[bool, typer.Option(help="Take over people's wordings too; for --apply.")] = False,
    backup: Annotated[
        Path | None, typer.Option(help="Copy the review to this file, while it is in use; end.")
    ] = None,
    renew: Annotated[
        list[str] | None, typer.Option(metavar="<name>", help="Print a new link for somebody; end.")
    ] = None,
    serve: Annotated[bool, typer.Option(help="Serve the pages after preparing them.")] = True,
) -> None:
    """Let people check, answer, describe, label or compare, on web pages.

    Prints a link for each person, and one for the manager, who sees progress and agreement. Links
    are printed once: only their hashes are kept. Everything that somebody says is on the disk before
    it is acknowledged, and nothing is ever deleted. To go on: fathom review FOLDER.
    """
    from fathom import api
    from fathom.cli.settings import read_options
    from fathom.records import InputError
    from fathom.review.server import links_text

    links: dict[str, str] = {}
    if api.is_review(source):
        found = api.open_review(source)
        links = {who: found.add(who) for who in person or ()}
    else:
        if out is None:
            raise InputError("review: expected the folder that keeps the review; say it with --out")
        if api.is_review(out):
            raise InputError(f"{out}: keeps a review already; go on with it: fathom review {out}")
        plan = api.ReviewPlan(
            source=source, task=task, work=out, people=tuple(person or ("person 1",)), overlap=overlap,
            sample=sample, adjudicate=adjudicate, checks=checks, planted=planted,
            tasks=tuple(only or ()), protocol=protocol,
            settings=read_options(settings or (), "--set"), benchmark=benchmark, extractor=extractor,
            instances=instances, seed=seed,
        )  # fmt: skip
        found, links = api.begin_review(plan, warn)
    links |= {who: found.renew(who) for who in renew or ()}
    if status:
        say(found.status())
    if backup is not None:
        say(f"{found.backup(backup)}: a copy of the review")
    if form not in ("fathom", "label-studio", "argilla"):
        raise InputError(f"--format {form}: expected fathom, label-studio or argilla")
    if take is not None:
        say(found.take_argilla(take) if form == "argilla" else found.take_label_studio(take))
    if export is not None and form == "label-studio":
        files = found.export_label_studio(export)
        say(f"{export}: config.xml, tasks.json and {len(files) - 2:,} pictures for Label Studio")
    elif export is not None and form == "argilla":
        say("\n".join(map(str, found.export_argilla(export))))
    elif export is not None:
        say("\n".join(map(str, found.export(export))))
    if apply is not None:
        if rule not in ("all", "majority", "adjudicated"):
            raise InputError(f"--rule {rule}: expected all, majority or adjudicated")
        say(found.apply(apply, cast("Rule", rule), edits))
    files_only = (backup, export, take, apply)
    ends = status or any(path is not None for path in files_only) or bool(renew)

    def ready(address: str) -> None:
        if links:
            say(f"{found.work}: the links; each is for one person, and is not shown again")
            say(links_text(links, address))
        else:
            say(
                f"{found.work}: at {address}; a new link for somebody: "
                f"fathom review {found.work} --renew NAME"
            )

    if ends or not serve:
        if links:
            ready(f"http://{'localhost' if host == '127.0.0.1' else host}:{port}")
        return

    def serving(address: str) -> None:
        ready(address)
        say(
            f"Serving the pages at {address} until Ctrl+C. Nothing is lost by stopping; go on with: "
            f"fathom review {found.work}"
        )

    found.serve(host, port, tuple(name or ()), serving)
