"""Which worker runs which tests: all of a folder go to one."""

from __future__ import annotations

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling


class ByFolder(LoadScopeScheduling):  # type: ignore[misc]
    """Gives the tests of a folder to one worker, folders of many tests first.

    What tests share is mostly a fixture of their folder: a dataset, a run, a set of scenes. Dealt out one by
    one, tests would have it made by every worker.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = PurePosixPath(nodeid.partition("::")[0])
        return str(path if len(path.parts) <= 2 else PurePosixPath(*path.parts[:2]))
