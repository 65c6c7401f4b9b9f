"""The web app of a review: pages, and what they fetch and send.

/join/TOKEN     takes somebody in by their link; a cookie holds the token from then on
/               the work
/api/next       the next items, with what was said of them
/api/entry      what was said of an item, kept before it is acknowledged
/api/undo       the last entry, taken back
/api/history    one's own entries
/api/wanted     what would be welcome from whoever has an item
/picture, /film what an item shows
/progress       for managers: how far it is, agreement, what is disputed
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import jinja2
import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from fathom.pages.html import visible
from fathom.records import DataError, FathomError, InputError
from fathom.review.forms import values_of
from fathom.review.live import LiveResults
from fathom.review.planted import planted_words
from fathom.review.records import ReviewItem
from fathom.review.site.guard import COOKIE, HEADERS, Guard, body_of, refused
from fathom.review.site.media import ItemMedia, kind_of
from fathom.review.site.sending import item_as_sent, words_of
from fathom.review.store import Given, Person, ReviewStore
from fathom.review.task import ReviewTask

AHEAD = 4
"""So many items a page has ready."""

MOST_HISTORY = 60
MOST_WANTED = 40

STATIC = {"review.js": "text/javascript", "review.css": "text/css", "htmx.min.js": "text/javascript"}


@dataclass(frozen=True)
class Site:
    """What the pages need: the task, its store, and the media that items show."""

    task: ReviewTask
    store: ReviewStore
    shown: ItemMedia
    title: str
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "::1")
    wait_s: float = 1.0


def app_of(site: Site) -> Starlette:
    """Return the web app of a review."""
    pages = _Pages(site)
    routes = [
        Route("/", pages.work),
        Route("/join/{token}", pages.join),
        Route("/static/{name}", pages.static),
        Route("/api/next", pages.next_items),
        Route("/api/history", pages.history),
        Route("/api/item/{item:int}", pages.one),
        Route("/api/wanted/{item:int}", pages.wanted),
        Route("/api/entry", pages.entry, methods=["POST"]),
        Route("/api/undo", pages.undo, methods=["POST"]),
        Route("/picture/{item:int}/{index:int}", pages.picture),
        Route("/film/{item:int}/{index:int}", pages.film),
        Route("/progress", pages.progress),
        Route("/progress/live", pages.progress_live),
        Route("/progress/item/{name:path}", pages.item_history),
    ]
    app = Starlette(routes=routes)
    app.add_middleware(BaseHTTPMiddleware, dispatch=pages.guarded)
    return app


class _Pages:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._live = LiveResults(site.store, site.task)
        self._guard = Guard(site.store, site.hosts, site.wait_s)
        self._seed = site.store.settings().get("seed", "0")
        self._jinja = jinja2.Environment(
            loader=jinja2.PackageLoader("fathom.review.site", "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            finalize=lambda value: visible(value) if isinstance(value, str) else value,
        )

    # --- every request -----------------------------------------------------------------------------

    async def guarded(self, request: Request, forward: RequestResponseEndpoint) -> Response:
        """Let through what names our host; add the headers that keep a page to itself."""
        if not self._guard.knows_host(request):
            return refused(421, "This address is not served here")
        try:
            response = await forward(request)
        except InputError as e:
            response = _json({"error": str(e)}, 422)
        except DataError as e:
            response = _json({"error": str(e)}, 507 if "cannot be written" in str(e) else 500)
        except FathomError as e:
            response = _json({"error": str(e)}, 500)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    async def _person(self, request: Request, changes: bool = False) -> Person | None:
        if changes and not self._guard.is_own(request):
            return None
        return await self._guard.person(request)

    def _render(self, template: str, **values: object) -> HTMLResponse:
        text = self._jinja.get_template(template).render(
            title=self._site.title, task=self._site.task, **values
        )
        return HTMLResponse(text, headers={"Cache-Control": "no-store"})

    # --- pages -----------------------------------------------------------------------------------------

    async def join(self, request: Request) -> Response:
        """Take somebody in by the token of their link."""
        token = str(request.path_params["token"])
        person = await self._guard.person(request, token)
        if person is None:
            return refused()
        response = self._render("join.html.j2", person=person)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, httponly=True, samesite="lax", secure=secure, max_age=180 * 86_400)
        return response

    async def work(self, request: Request) -> Response:
        """Show the page on which people work."""
        person = await self._person(request)
        if person is None:
            return refused(401, "Open the link that you were given.")
        return self._render("work.html.j2", person=person, data=self._page_data(person))

    def _page_data(self, person: Person) -> str:
        task = self._site.task
        # A JSON attribute, escaped like every other text.
        return msgspec.json.encode(
            {
                "task": task.name,
                "together": task.together,
                "stages": [msgspec.to_builtins(stage) for stage in task.stages],
                "guidelines": (*task.guidelines, *planted_words(self._site.store.settings())),
                "person": visible(person.name),
                "review": self._site.store.settings().get("id", ""),
            }
        ).decode()

    async def static(self, request: Request) -> Response:
        """Return a style sheet or a script of the pages."""
        name = str(request.path_params["name"])
        if name not in STATIC:
            return refused()
        data = (files("fathom.review.site") / "static" / name).read_bytes()
        return Response(data, media_type=STATIC[name], headers={"Cache-Control": "max-age=600"})

    # --- work ------------------------------------------------------------------------------------------

    async def next_items(self, request: Request) -> Response:
        """Return the next items of a person."""
        person = await self._person(request)
        if person is None:
            return refused(401)
        given = await run_in_threadpool(
            self._site.store.next_items, person, max(AHEAD, 2 * self._site.task.together)
        )
        counts, standing = self._site.store.counts(), self._standing(person)
        done = standing["done"]
        left = max(0, min(counts.items - done, counts.wanted - counts.judgements))
        return _json({
            "items": [self._as_sent(g, person) for g in given], **standing, "of": done + left,
            "settled": counts.settled, "items_in_all": counts.items,
        })  # fmt: skip

    def _standing(self, person: Person) -> dict[str, int]:
        done, newest = self._site.store.standing(person)
        return {"done": done, "newest": newest}

    async def one(self, request: Request) -> Response:
        """Return an item that was given to a person, as when it is looked at again."""
        person = await self._person(request)
        given = self._site.store.given(person, int(request.path_params["item"])) if person else None
        if person is None or given is None:
            return refused()
        return _json(self._as_sent(given, person))

    async def history(self, request: Request) -> Response:
        """Return a person's own last entries."""
        person = await self._person(request)
        if person is None:
            return refused(401)
        entries = self._site.store.entries_of(person, MOST_HISTORY)
        ids = self._site.store.numbers_of({e.item for e in entries})
        return _json([
            {"item": ids[e.item], "name": visible(e.item), "stage": e.stage, "at": e.at, "undone": e.undone,
             "said": visible(words_of(e))}
            for e in entries
        ])  # fmt: skip

    async def wanted(self, request: Request) -> Response:
        """Return what would be welcome from whoever has an item, in lines."""
        item, wanted = await self._item_of(request), self._site.task.wanted
        if item is None or wanted is None:
            return refused()
        lines = await run_in_threadpool(lambda: wanted(self._live.now().results, item))
        return _json([visible(line) for line in lines[:MOST_WANTED]])

    async def entry(self, request: Request) -> Response:
        """Keep what a person said of an item; what is acknowledged is on the disk."""
        person = await self._person(request, changes=True)
        if person is None:
            return refused(401)
        body = await body_of(request)
        if body is None:
            return _json({"error": "what was sent is too large; shorten it"}, 413)
        try:
            sent = msgspec.json.decode(body, type=_Sent)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            return _json({"error": f"what was sent cannot be read ({e}); load the page again"}, 400)
        stage, item = self._site.task.stage(sent.stage), self._site.store.item(sent.item)
        if stage is None or item is None:
            return _json({"error": "the item or its stage is not there; load the page again"}, 404)
        values = values_of(self._site.task, stage, item, sent.values)
        kept = await run_in_threadpool(
            self._site.store.add, person, sent.item, sent.stage, values, sent.client, sent.seconds
        )
        given = self._site.store.given(person, sent.item)
        assert given is not None
        return _json({
            "kept": kept.id, "next_stage": given.stage, "item": self._as_sent(given, person),
            **self._standing(person),
        })  # fmt: skip

    async def undo(self, request: Request) -> Response:
        """Take back the last entry of a person; return the item that it was about."""
        person = await self._person(request, changes=True)
        if person is None:
            return refused(401)
        body = await body_of(request)
        try:
            sent = msgspec.json.decode(body or b"", type=_Undo)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _json({"error": "what was sent cannot be read; load the page again"}, 400)
        taken = await run_in_threadpool(self._site.store.undo, person, sent.client)
        if taken is None:
            return _json({"item": None, **self._standing(person)})
        given = self._site.store.given(person, self._site.store.numbers_of({taken.item})[taken.item])
        return _json({"item": self._as_sent(given, person) if given else None, **self._standing(person)})

    def _as_sent(self, given: Given, person: Person) -> dict[str, Any]:
        return item_as_sent(self._site.task, self._seed, given, person)

    # --- media -------------------------------------------------------------------------------------------

    async def picture(self, request: Request) -> Response:
        """Return one picture of an item that was given to whoever asks."""
        item = await self._item_of(request)
        if item is None:
            return refused()
        data = await run_in_threadpool(self._site.shown.picture, item, int(request.path_params["index"]))
        if data is None:
            return refused()
        return Response(data, media_type=kind_of(data), headers={"Cache-Control": "private, max-age=3600"})

    async def film(self, request: Request) -> Response:
        """Return the video file of one of an item's clips."""
        item = await self._item_of(request)
        path = self._site.shown.film(item, int(request.path_params["index"])) if item else None
        if path is None:
            return refused()
        return FileResponse(path, media_type="video/mp4", headers={"Cache-Control": "private, max-age=3600"})

    async def _item_of(self, request: Request) -> ReviewItem | None:
        person = await self._person(request)
        number = int(request.path_params["item"])
        if person is None:
            return None
        if person.role == "manager":
            return self._site.store.item(number)
        given = self._site.store.given(person, number)
        return given.item if given else None

    # --- managers ------------------------------------------------------------------------------------------

    async def progress(self, request: Request) -> Response:
        """Show how far the review is."""
        return await self._managed(request, "progress.html.j2")

    async def progress_live(self, request: Request) -> Response:
        """Return the part of the progress page that is fetched again and again."""
        return await self._managed(request, "live.html.j2")

    async def _managed(self, request: Request, template: str) -> Response:
        person = await self._person(request)
        if person is None or person.role != "manager":
            return refused()
        found = await run_in_threadpool(self._live.now)
        return self._render(template, progress=found.progress, at=found.at)

    async def item_history(self, request: Request) -> Response:
        """Show everything that was said of one item, what was taken back too."""
        person = await self._person(request)
        name = str(request.path_params["name"])
        if person is None or person.role != "manager":
            return refused()
        item = next((i for i in self._site.store.items() if i.name == name), None)
        if item is None:
            return refused()
        entries = [e for e in self._site.store.entries() if e.item == name]
        rows = [(e.at, e.person, e.stage, words_of(e), e.undone) for e in entries]
        number = self._site.store.numbers_of({name})[name]
        return self._render("item.html.j2", item=item, rows=rows, number=number)


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    item: int
    stage: str
    values: dict[str, Any]
    client: str
    seconds: float = 0.0


class _Undo(msgspec.Struct, forbid_unknown_fields=True):
    client: str


def _json(value: object, status: int = 200) -> Response:
    data = msgspec.json.encode(value)
    return Response(data, status, media_type="application/json", headers={"Cache-Control": "no-store"})
