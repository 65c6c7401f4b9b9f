"""What the runner itself costs: CPU time a question, memory, and the whole program's start and rate.

    python perf/runner.py [--questions 1000 10000 50000] [--pictures 1] [--delay-ms 0] [--in-flight 64]
    python perf/runner.py --questions 400 --pictures 18 --side 138 --different
    python perf/runner.py --program

A child process answers every request at once (or after a delay), so that all the time of the measured
process is the client's own. Each size runs in a process of its own, whose memory is its own peak. Beside ours
stand, measured in the same minute: raw HTTP that posts one ready-made body and keeps nothing, and the
official client of the protocol where it is installed.

With --program, `fathom run` as a whole: 1,000 questions of one picture, 50 ms, 32 in flight.
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
from importlib.util import find_spec
from pathlib import Path

TARGET_MS = {(1, 28): 1.0, (18, 28): 5.5, (18, 1): 5.0}
"""By the pictures of a question, and how many questions share them."""
TARGET_MB = 150
PROGRAM = {"questions": 1000, "delay_ms": 50.0, "in_flight": 32}
PROGRAM_TARGETS = "first request within 1.5 s, 400 requests/s, 3 CPU s, 150 MB"


def png(seed: int, side: int = 64) -> bytes:
    """Return a small picture of noise, about 12 kB."""
    noise = hashlib.shake_128(str(seed).encode()).digest(3 * side * side)
    rows = b"".join(b"\0" + noise[3 * side * y : 3 * side * (y + 1)] for y in range(side))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def make_dataset(path: Path, questions: int, pictures: int, per_scene: int = 28, side: int = 64) -> None:
    """Write a dataset of counting questions; as many about one picture as the paper has."""
    from fathom.records import Manifest, Media, Question
    from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION
    from fathom.store.files import write_bytes, write_json, write_jsonl

    scenes = -(-questions // per_scene)
    media = []
    for k in range(scenes * pictures):
        data = png(k, side)
        write_bytes(path / "media" / f"{k}.png", data)
        digest = hashlib.sha256(data).hexdigest()
        media.append(Media(id=f"m{k}", path=f"media/{k}.png", kind="image", size=(side, side), sha256=digest))
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
        benchmark="pulsecheck457",
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
    first = last = 0.0
    count = open = most = received = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with nothing read."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.head = b""
        self.missing = -1

    def data_received(self, data: bytes) -> None:
        """Count bytes until the body is there."""
        Answering.received += len(data)
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
            Answering.open += 1
            Answering.most = max(Answering.most, Answering.open)
            if self.delay_s:
                asyncio.get_running_loop().call_later(self.delay_s, self.reply)
            else:
                self.reply()

    def reply(self) -> None:
        """Send the one reply there is."""
        Answering.open -= 1
        Answering.last = time.time()
        if not self.transport.is_closing():
            self.transport.write(HEAD + REPLY)


async def serve(delay_s: float) -> None:
    """Answer until standard input ends; then print what came."""
    Answering.delay_s = delay_s
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    seen = {name: getattr(Answering, name) for name in ("first", "last", "count", "most", "received")}
    print(json.dumps(seen), flush=True)


def measured(folder: str, url: str, out: str, in_flight: str) -> None:
    """Run the dataset once and print what this process used."""
    from fathom.benchmarks.pulsecheck457.protocol import DEFAULT
    from fathom.inference.plans import RunConfig, RunPlan
    from fathom.inference.start import run_plan
    from fathom.records import Benchmark
    from fathom.store.datasets import open_dataset

    imported = time.process_time()
    benchmark = Benchmark(
        name="perf",
        title="",
        version="1",
        paper="",
        tasks={},
        protocols={},
        extractors={},
        default_extractor="",
    )
    config = RunConfig(f"openai:m@{url}", Path(out), concurrency=int(in_flight))
    summary = run_plan(RunPlan(config, open_dataset(Path(folder)), benchmark, DEFAULT))
    assert summary.complete, summary
    told(imported, summary.seconds, summary.asked)


def told(since: float, loop_s: float, asked: int) -> None:
    """Print what this process used."""
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    used = {"cpu_s": time.process_time() - since, "all_cpu_s": time.process_time(), "mb": peak_mb}
    print(json.dumps(used | {"loop_s": loop_s, "asked": asked}))


def ready_made(folder: str) -> tuple[list[str], str]:
    """Return the data URLs and the text of one question."""
    pictures, side = map(int, Path(folder).name.split("-")[1:3])
    url = "data:image/png;base64," + base64.b64encode(png(0, side)).decode()
    return [url] * pictures, "x" * 1800


def floor(folder: str, url: str, questions: str, in_flight: str) -> None:
    """Post one ready-made body again and again and keep nothing: what no client can go below."""
    import aiohttp

    urls, text = ready_made(folder)
    parts: list[object] = [{"type": "image_url", "image_url": {"url": u}} for u in urls]
    parts.append({"type": "text", "text": text})
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": parts}]}).encode()
    places = iter(range(int(questions)))

    async def work() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def place() -> None:
                for _ in places:
                    async with session.post(f"{url}/chat/completions", data=body) as reply:
                        await reply.read()

            await asyncio.gather(*(place() for _ in range(int(in_flight))))

    begun, wall = time.process_time(), time.time()
    asyncio.run(work())
    told(begun, time.time() - wall, int(questions))


def official(folder: str, url: str, questions: str, in_flight: str) -> None:
    """Ask the same with the official client, which is given ready-made data URLs, and keep nothing."""
    import openai

    urls, text = ready_made(folder)
    places = iter(range(int(questions)))

    async def work() -> None:
        client = openai.AsyncOpenAI(base_url=url, api_key="none")

        async def place() -> None:
            for _ in places:
                parts: list[object] = [{"type": "image_url", "image_url": {"url": u}} for u in urls]
                parts.append({"type": "text", "text": text})
                messages: list[object] = [{"role": "user", "content": parts}]
                await client.chat.completions.create(model="m", messages=messages)

        await asyncio.gather(*(place() for _ in range(int(in_flight))))
        await client.close()

    begun, wall = time.process_time(), time.time()
    asyncio.run(work())
    told(begun, time.time() - wall, int(questions))


Figures = dict[str, float]
CLIENTS = ("ours", "raw", "official", "program")


def measure(
    work: Path,
    questions: int,
    pictures: int,
    delay_ms: float,
    in_flight: int,
    client: str = "ours",
    shape: tuple[int, int] = (28, 64),
) -> Figures:
    """Return the figures of one client for one size; `shape`: questions of one picture, and its side."""
    per_scene, side = shape
    folder = work / f"d{questions}-{pictures}-{side}"
    if not folder.exists():
        make_dataset(folder, questions, pictures, per_scene, side)
    me = [sys.executable, str(Path(__file__).resolve())]
    server = subprocess.Popen(
        [*me, "--serve", str(delay_ms / 1000)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stdin is not None
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    with tempfile.TemporaryDirectory(dir=work) as out:
        words = {
            "ours": [*me, "--client", str(folder), url, f"{out}/run", str(in_flight)],
            "raw": [*me, "--floor", str(folder), url, str(questions), str(in_flight)],
            "official": [*me, "--official", str(folder), url, str(questions), str(in_flight)],
            "program": [
                *[sys.executable, "-m", "fathom.cli", "run", str(folder), "--model", f"openai:m@{url}"],
                *["--out", f"{out}/run", "--concurrency", str(in_flight)],
            ],
        }[client]
        begun = time.time()
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=quiet()
        )
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, process.stderr and process.stderr.read()
    figures: Figures = {} if client == "program" else json.loads(said.splitlines()[-1])
    seen = json.loads(server.communicate("")[0].splitlines()[-1])
    assert seen["count"] == questions, seen
    whole = {"all_cpu_s": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024, "asked": questions}
    figures |= whole | {"wall_s": time.time() - begun, "first_s": seen["first"] - begun}
    return figures | {
        "rate": questions / (seen["last"] - seen["first"]),
        "most": seen["most"],
        "sent_mb": seen["received"] / 1e6,
    }


def quiet() -> dict[str, str]:
    """Return the environment without keys and addresses of real endpoints."""
    return {k: v for k, v in os.environ.items() if not k.startswith("OPENAI")}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=int, nargs="+", default=[1000, 10_000, 50_000])
    parser.add_argument("--pictures", type=int, default=1)
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--side", type=int, default=64, help="of each picture, in pixels; 138: 58 kB")
    parser.add_argument("--different", action="store_true", help="no two questions share a picture")
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--program", action="store_true")
    parser.add_argument("--serve", type=float)
    for child in ("--client", "--floor", "--official"):
        parser.add_argument(child, nargs=4)
    options = parser.parse_args()
    if options.serve is not None:
        asyncio.run(serve(options.serve))
    elif options.client:
        measured(*options.client)
    elif options.floor:
        floor(*options.floor)
    elif options.official:
        official(*options.official)
    elif options.program:
        show_program()
    else:
        shape = (1 if options.different else 28, options.side)
        show_runner(options.questions, options.pictures, options.delay_ms, options.in_flight, shape)


def show_runner(
    sizes: list[int], pictures: int, delay_ms: float, in_flight: int, shape: tuple[int, int]
) -> None:
    """Print the runner's figures for each size, and the peers' for the first."""
    kilobytes = len(png(0, shape[1])) / 1000
    print(
        f"{in_flight} in flight, {pictures} PNG of {kilobytes:.0f} kB a question, shared by {shape[0]}, "
        f"reply after {delay_ms} ms"
    )
    print(f"{'questions':>24} {'CPU ms each':>11} {'peak MB':>8} {'requests/s':>10} {'wall s':>7}")

    def show(name: str, f: Figures) -> float:
        each = 1000 * f["cpu_s"] / f["asked"]
        print(f"{name:>24} {each:>11.2f} {f['mb']:>8.0f} {f['rate']:>10.0f} {f['wall_s']:>7.1f}", flush=True)
        return each

    with tempfile.TemporaryDirectory() as work:

        def measured_as(client: str, questions: int) -> Figures:
            return measure(Path(work), questions, pictures, delay_ms, in_flight, client, shape)

        for questions in sizes:
            each = show(f"{questions:,}", measured_as("ours", questions))
        least = show("raw HTTP", measured_as("raw", sizes[0]))
        if find_spec("openai"):
            show("official client", measured_as("official", sizes[0]))
    print(f"target: {TARGET_MS.get((pictures, shape[0]), '–')} CPU ms each, {TARGET_MB} MB whatever the size")
    print(f"ours is {each / least:.2f} × raw HTTP")


def show_program() -> None:
    """Print the figures of `fathom run` as a whole, and of the peers."""
    questions, in_flight = int(PROGRAM["questions"]), int(PROGRAM["in_flight"])
    print(
        f"{questions:,} questions of one picture, reply after {PROGRAM['delay_ms']} ms, {in_flight} in flight"
    )
    print(f"{'':>16} wall s  CPU s    MB  first request s  requests/s  in flight at most  MB sent")
    with tempfile.TemporaryDirectory() as work:
        for name, client in (("fathom run", "program"), ("raw HTTP", "raw"), ("official client", "official")):
            if client == "official" and not find_spec("openai"):
                continue
            f = measure(Path(work), questions, 1, PROGRAM["delay_ms"], in_flight, client)
            print(
                f"{name:>16} {f['wall_s']:>6.1f} {f['all_cpu_s']:>6.2f} {f['mb']:>5.0f} "
                f"{f['first_s']:>16.2f} {f['rate']:>11.0f} {f['most']:>18.0f} {f['sent_mb']:>8.0f}",
                flush=True,
            )
    print(f"target: {PROGRAM_TARGETS}")


if __name__ == "__main__":
    main()
