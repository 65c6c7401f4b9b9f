"""Digests of the questions and scenes of larger builds, compared with those recorded.

    python perf/digests.py                       # all sets; about an hour of one core
    python perf/digests.py sti-bench --write     # one set, recorded again

The sets stand in tests/digests/sets.py. Builds carry on in --at where they stopped; give a new folder after a
change of code. A set that takes third-party models is left out, with a word, where FATHOM_ASSETS has none.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.digests.content import Digests, differing, digests_by_scene
from tests.digests.sets import LARGE, built

from fathom.store.files import write_json

RECORDS = Path(__file__).parent / "digests"


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [s.name for s in LARGE]
    words.add_argument("sets", nargs="*", metavar="SET", help=f"which of {', '.join(names)}; default: all")
    words.add_argument("--at", type=Path, default=Path("digests"), help="where the sets are built")
    words.add_argument("--workers", type=int, default=1, help="processes of a build")
    words.add_argument("--write", action="store_true", help="record what is found")
    given = words.parse_args()
    unknown = sorted(set(given.sets) - set(names))
    if unknown:
        print(f"digests: there is no set {', '.join(unknown)}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    wrong = 0
    for wanted in (s for s in LARGE if not given.sets or s.name in given.sets):
        assets = wanted.assets()
        if assets and not assets.is_dir():
            print(f"{wanted.name}: left out, there is no folder {assets}")
            continue
        start = time.process_time()
        found = digests_by_scene(built(wanted, given.at / wanted.name, given.workers))
        took = f"{time.process_time() - start:.0f} CPU s in this process"
        file = RECORDS / f"{wanted.name}.json"
        if given.write:
            RECORDS.mkdir(exist_ok=True)
            write_json(file, found)
        if not file.is_file():
            print(
                f"{wanted.name}: nothing is recorded; give --write to record what was found", file=sys.stderr
            )
            wrong += 1
            continue
        said = differing(found, msgspec.json.decode(file.read_bytes(), type=Digests))
        wrong += bool(said)
        counted = f"{len(found['scenes'])} scenes, {len(found['questions'])} of them asked about"
        print(f"{wanted.name}: {counted}, {took}: {'; '.join(said) or 'as recorded'}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
