"""`fathom run` as a whole program: from its start to its end, against an endpoint that takes its time.

    python perf/whole.py [--questions 1000] [--delay-ms 50] [--in-flight 32] [--repeat 3]

The endpoint is a process of its own on this machine, which answers every request after the delay, and knows
when the first and the last came. The dataset has one picture a question, many questions about one picture.
CPU seconds are the program's own, from `python -m fathom run` on.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIRST_S, RATE, CPU_S = 1.5, 400.0, 3.0


def measure(work: Path, dataset: Path, questions: int, delay_ms: float, in_flight: int) -> dict[str, float]:
    """Return seconds to the first request, requests a second from then on, CPU and wall seconds."""
    runner = Path(__file__).resolve().with_name("runner.py")
    server = subprocess.Popen(
        [sys.executable, str(runner), "--serve", str(delay_ms / 1000)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    words = ["run", str(dataset), "--model", f"openai:m@{url}", "--concurrency", str(in_flight), "--quiet"]
    with tempfile.TemporaryDirectory(dir=work) as out:
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        subprocess.run(
            [sys.executable, "-m", "fathom", *words, "--out", f"{out}/run"],
            check=True,
            stdout=subprocess.DEVNULL,
            env={k: v for k, v in os.environ.items() if not k.startswith("OPENAI")},
        )
        ended, after = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    seen = json.loads(server.communicate("")[0].splitlines()[-1])
    assert seen["count"] == questions, seen
    return {
        "first_s": seen["first"] - begun,
        "rate": questions / (ended - seen["first"]),
        "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall_s": ended - begun,
    }


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("--questions", type=int, default=1000)
    words.add_argument("--delay-ms", type=float, default=50.0)
    words.add_argument("--in-flight", type=int, default=32)
    words.add_argument("--repeat", type=int, default=3)
    given = words.parse_args()
    from runner import make_dataset  # beside this script

    print(
        f"{given.questions:,} questions, replies after {given.delay_ms:g} ms, {given.in_flight} in flight; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    most = 1000 * given.in_flight / given.delay_ms if given.delay_ms else float("inf")
    print(f"{'':>6} {'first request s':>15} {'requests/s':>10} {'CPU s':>6} {'wall s':>7}")
    with tempfile.TemporaryDirectory() as folder:
        dataset = Path(folder) / "dataset"
        make_dataset(dataset, given.questions, 1)
        about = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
        (dataset / "manifest.json").write_text(json.dumps(about | {"benchmark": "pulsecheck457"}), "utf-8")
        for k in range(given.repeat):
            f = measure(Path(folder), dataset, given.questions, given.delay_ms, given.in_flight)
            print(
                f"{k + 1:>6} {f['first_s']:>15.2f} {f['rate']:>10.0f} {f['cpu_s']:>6.2f} {f['wall_s']:>7.2f}",
                flush=True,
            )
    print(f"{'limit':>6} {FIRST_S:>15.2f} {RATE:>10.0f} {CPU_S:>6.2f} (at most {most:.0f} requests/s)")


if __name__ == "__main__":
    main()
