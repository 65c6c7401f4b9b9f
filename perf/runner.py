"""What the runner itself costs: CPU time a question, memory, and the whole program's start and rate.

    python perf/runner.py [--questions 1000 10000 50000] [--pictures 1] [--delay-ms 0]

A child process answers every request at once (or after a delay), so that all the time of the measured
process is the runner's own. Each size runs in a process of its own, whose memory is its own peak.
The figures to set beside ours were measured with 64 requests in flight and one small PNG a question.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

IN_FLIGHT = 64
RAW = "raw HTTP, nothing kept"
OTHERS_CPU_MS = {RAW: 0.6, "official openai client": 4.7, "Inspect AI eval()": 40.0}
OTHERS_MANY_CPU_MS = {
    "raw HTTP, nothing kept": 4.5,
    "official openai client": 19.0,
    "Inspect AI eval()": 85.0,
}
TARGET_MS = {1: 1.0, 18: 5.5}
TARGET_MB = 150


def png(seed: int, side: int = 64) -> bytes:
    """Return a small picture of noise, about 12 kB."""
    noise = hashlib.shake_128(str(seed).encode()).digest(3 * side * side)
    rows = b"".join(b"\0" + noise[3 * side * y : 3 * side * (y + 1)] for y in range(side))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def make_dataset(path: Path, questions: int, pictures: int, per_scene: int = 28) -> None:
    """Write a dataset of counting questions; as many about one picture as the paper has."""
    from fathom.records import Manifest, Media, Question
    from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION
    from fathom.store.files import write_bytes, write_json, write_jsonl

    scenes = -(-questions // per_scene)
    media = []
    for k in range(scenes * pictures):
        data = png(k)
        write_bytes(path / "media" / f"{k}.png", data)
        digest = hashlib.sha256(data).hexdigest()
        media.append(Media(id=f"m{k}", path=f"media/{k}.png", kind="image", size=(64, 64), sha256=digest))
    write_jsonl(path / MEDIA, media)
    rows = (
        Question(
            id=f"q{k}",
            task="L1_single",
            text=f"How many red buses are there in this picture? ({k})",
            answer="1",
            possible=("0", "1", "2", "3"),
            scene=f"s{k // per_scene}",
            media=tuple(f"m{k // per_scene * pictures + j}" for j in range(pictures)),
        )
        for k in range(questions)
    )
    write_jsonl(path / QUESTIONS, rows)
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="build",
        settings={},
        identity=f"{questions}-{pictures}",
        complete=True,
    )
    write_json(path / MANIFEST, manifest)


REPLY = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": "served",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": '{"Reasoning": "I see one.", "Answer": "1"}'},
            }
        ],
        "usage": {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720},
    }
).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(REPLY)


class Answering(asyncio.Protocol):
    """As little of a server as will do: reads by Content-Length, answers at once or after a delay."""

    delay_s = 0.0
    first = 0.0
    count = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with nothing read."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.head = b""
        self.missing = -1

    def data_received(self, data: bytes) -> None:
        """Count bytes until the body is there."""
        if self.missing < 0:
            if not Answering.first:
                Answering.first = time.time()
            self.head += data
            head, end, body = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            self.missing, self.head = int(length) - len(body), b""
        else:
            self.missing -= len(data)
        if self.missing <= 0:
            self.missing = -1
            Answering.count += 1
            if self.delay_s:
                asyncio.get_running_loop().call_later(self.delay_s, self.reply)
            else:
                self.reply()

    def reply(self) -> None:
        """Send the one reply there is."""
        if not self.transport.is_closing():
            self.transport.write(HEAD + REPLY)


async def serve(delay_s: float) -> None:
    """Answer until standard input ends; then print when the first request came, and how many came."""
    Answering.delay_s = delay_s
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    print(json.dumps({"first": Answering.first, "count": Answering.count}), flush=True)


def measured(folder: str, url: str, out: str) -> None:
    """Run the dataset once and print what this process used."""
    from fathom.benchmarks.pulsecheck457.protocol import DEFAULT
    from fathom.records import Benchmark
    from fathom.run.start import RunPlan, run_dataset
    from fathom.store.datasets import open_dataset

    imported = time.process_time()
    benchmark = Benchmark(
        name="perf", title="", version="1", paper="", tasks={}, protocols={}, policies={}, default_policy=""
    )
    plan = RunPlan(
        open_dataset(Path(folder)), benchmark, DEFAULT, f"openai:m@{url}", Path(out), concurrency=IN_FLIGHT
    )
    summary = run_dataset(plan)
    assert summary.complete, summary
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "cpu_s": time.process_time() - imported,
                "all_cpu_s": time.process_time(),
                "loop_s": summary.seconds,
                "mb": peak_mb,
                "asked": summary.asked,
            }
        )
    )


def floor(folder: str, url: str, questions: str) -> None:
    """Post one ready-made body again and again and keep nothing: what no client can go below."""
    import aiohttp

    pictures = int(Path(folder).name.partition("-")[2])
    part = b'{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}},' % base64.b64encode(png(0))
    text = b'{"type":"text","text":"' + b"x" * 1800 + b'"}'
    body = b'{"model":"m","messages":[{"role":"user","content":[' + part * pictures + text + b"]}]}"
    places = iter(range(int(questions)))

    async def work() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def place() -> None:
                for _ in places:
                    async with session.post(f"{url}/chat/completions", data=body) as reply:
                        await reply.read()

            await asyncio.gather(*(place() for _ in range(IN_FLIGHT)))

    begun, wall = time.process_time(), time.time()
    asyncio.run(work())
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    used = {"cpu_s": time.process_time() - begun, "all_cpu_s": time.process_time(), "mb": peak_mb}
    print(json.dumps(used | {"loop_s": time.time() - wall, "asked": int(questions)}))


def measure(
    work: Path, questions: int, pictures: int, delay_ms: float, raw: bool = False
) -> dict[str, float]:
    """Return the figures for one size."""
    folder = work / f"d{questions}-{pictures}"
    if not folder.exists():
        make_dataset(folder, questions, pictures)
    me = [sys.executable, str(Path(__file__).resolve())]
    server = subprocess.Popen(
        [*me, "--serve", str(delay_ms / 1000)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stdin is not None
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    begun = time.time()
    with tempfile.TemporaryDirectory(dir=work) as out:
        client = subprocess.run(
            [*me, "--floor", str(folder), url, str(questions)]
            if raw
            else [*me, "--client", str(folder), url, f"{out}/run"],
            capture_output=True,
            text=True,
            check=True,
            env={k: v for k, v in os.environ.items() if not k.startswith("OPENAI")},
        )
    wall = time.time() - begun
    seen = json.loads(server.communicate("")[0].splitlines()[-1])
    figures: dict[str, float] = json.loads(client.stdout.splitlines()[-1])
    assert seen["count"] == questions, seen
    figures |= {"wall_s": wall, "first_s": seen["first"] - begun}
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=int, nargs="+", default=[1000, 10_000, 50_000])
    parser.add_argument("--pictures", type=int, default=1)
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--serve", type=float)
    parser.add_argument("--client", nargs=3)
    parser.add_argument("--floor", nargs=3)
    options = parser.parse_args()
    if options.serve is not None:
        asyncio.run(serve(options.serve))
        return
    if options.client:
        measured(*options.client)
        return
    if options.floor:
        floor(*options.floor)
        return
    print(f"{IN_FLIGHT} in flight, {options.pictures} PNG a question, reply after {options.delay_ms} ms")
    print(
        f"{'questions':>16} {'CPU ms each':>11} {'peak MB':>8} {'whole CPU s':>11} {'wall s':>7} "
        f"{'first request s':>15} {'requests/s':>10}"
    )
    with tempfile.TemporaryDirectory() as work:
        for questions in options.questions:
            each = show(f"{questions:,}", measure(Path(work), questions, options.pictures, options.delay_ms))
        lowest = measure(Path(work), options.questions[-1], options.pictures, options.delay_ms, raw=True)
        least = show("raw HTTP, here", lowest)
    print(f"target: {TARGET_MS.get(options.pictures, '–')} CPU ms each, {TARGET_MB} MB whatever the size")
    print(f"ours is {each / least:.2f} × raw HTTP on this machine; measured elsewhere:")
    others = OTHERS_MANY_CPU_MS if options.pictures > 1 else OTHERS_CPU_MS
    for name, cpu in others.items():
        print(f"  {name}: {cpu} CPU ms, {cpu / others[RAW]:.1f} × raw HTTP there")


def show(name: str, f: dict[str, float]) -> float:
    """Print a row; return its CPU milliseconds a question."""
    each = 1000 * f["cpu_s"] / f["asked"]
    print(
        f"{name:>16} {each:>11.2f} {f['mb']:>8.0f} {f['all_cpu_s']:>11.2f} {f['wall_s']:>7.1f} "
        f"{f['first_s']:>15.2f} {f['asked'] / f['loop_s']:>10.0f}",
        flush=True,
    )
    return each


if __name__ == "__main__":
    main()
