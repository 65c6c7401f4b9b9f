"""Serves the pages of a review until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

from fathom.records import InputError
from fathom.review.site.app import Site, app_of

LOOPBACK = "127.0.0.1"


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. Raises InputError where it is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except (OSError, OverflowError) as e:
        found.close()
        reason = getattr(e, "strerror", None) or str(e)
        raise InputError(f"--port {port}: cannot be used at {host} ({reason}); choose another") from e
    return found


def serve(site: Site, listening: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve the pages until the process is told to end; what was acknowledged is on the disk by then."""
    import uvicorn

    config = uvicorn.Config(
        app_of(site), log_level="warning", access_log=False, server_header=False, lifespan="off"
    )
    ready()
    uvicorn.Server(config).run(sockets=[listening])
    site.store.close()


def links_text(links: Mapping[str, str], address: str) -> str:
    """Return the links to hand out, a line a person."""
    width = max(map(len, links), default=0)
    return "\n".join(f"  {name:<{width}}  {address}/join/{token}" for name, token in links.items())
