"""A chat-completions endpoint on this machine that does what a test tells it to."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web

Reply = tuple[int, dict[str, object] | str, dict[str, str]]
Behaviour = Callable[[int, str], Reply]
"""From (how many requests came before, the body as JSON) to (status, body, headers)."""


def completion(text: str | None, finish: str = "stop", **message: object) -> dict[str, object]:
    """Return a reply's body."""
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "served-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
    }


def right(before: int, asked: str) -> Reply:
    """Answer every question with 1."""
    return 200, completion('{"Reasoning": "", "Answer": "1"}'), {}


@dataclass
class Server:
    """What came in, and how to answer it."""

    behave: Behaviour = right
    delay_s: float = 0.0
    url: str = ""
    bodies: list[dict[str, object]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    def sent(self) -> list[tuple[int, str]]:
        """Return the number of each question that was asked, and the key it came with."""
        return list(zip(self.asked, self.keys, strict=True))

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        before = len(self.bodies)
        body = json.loads(await request.read())
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        self.headers.append(dict(request.headers))
        self.paths.append(request.path_qs)
        text = json.dumps(body)
        found = re.search(r"sedan\? \((\d+)\)", text)
        self.asked.append(int(found.group(1)) if found else -1)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            status, reply, headers = self.behave(before, text)
        finally:
            self.in_flight -= 1
        if isinstance(reply, str):
            return web.Response(status=status, text=reply, headers=headers)
        return web.json_response(reply, status=status, headers=headers)


@contextmanager
def serving(
    behave: Behaviour = right, delay_s: float = 0.0, tls: ssl.SSLContext | None = None
) -> Iterator[Server]:
    """Yield a server that runs in a thread of its own until the block ends."""
    server = Server(behave=behave, delay_s=delay_s)
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        app = web.Application(client_max_size=1 << 30)
        app.router.add_post("/v1/chat/completions", server.handle)
        app.router.add_post("/v1/completions", server.handle)
        app.router.add_post("/openai/deployments/m/chat/completions", server.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
        await site.start()
        port = runner.addresses[0][1]
        server.url = f"http{'s' if tls else ''}://127.0.0.1:{port}/v1"
        ready.set()
        await stop.wait()
        await runner.cleanup()
        if tls:
            await asyncio.sleep(0.05)  # for handshakes whose client has gone

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(serve())
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
