"""Batches under early stop: full, and never two passes of one group together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fathom.inference.stopping import batches
from fathom.records import Prompt, Request, Response, UnansweredQuestion


def request(group: int, turn: int) -> Request:
    return Request(
        key=f"{group}-{turn}",
        asked=UnansweredQuestion(id=str(group), task="t", text="?"),
        prompt=Prompt(parts=()),
    )


class Groups:
    """Passes of a group are those with the same question."""

    def group(self, request: Request) -> str:
        return request.asked.id

    def later(self, question_id: str) -> bool:
        return False

    def needless(self, request: Request) -> bool:
        return False

    def hear(self, response: Response) -> None:
        pass


@given(st.lists(st.integers(1, 4), max_size=12), st.integers(1, 5), st.data())
def test_every_needed_request_comes_once_and_in_its_groups_order(
    turns: list[int], most: int, data: st.DataObject
) -> None:
    stream = [request(g, k) for g, n in enumerate(turns) for k in range(n)]
    dropped = set(data.draw(st.lists(st.sampled_from([r.key for r in stream] or ["none"]))))
    asked: list[str] = []

    def needed(r: Request) -> bool:
        asked.append(r.key)
        return r.key not in dropped

    found = list(batches(iter(stream), most, Groups(), needed))
    keys = [r.key for batch in found for r in batch]
    assert sorted(keys) == sorted(r.key for r in stream if r.key not in dropped)
    assert sorted(asked) == sorted(r.key for r in stream)
    for g in range(len(turns)):
        mine = [k for k in keys if k.startswith(f"{g}-")]
        assert mine == sorted(mine)
    for batch in found:
        groups = [r.asked.id for r in batch]
        assert 0 < len(batch) <= most and len(set(groups)) == len(groups)


def test_passes_that_follow_one_another_still_fill_the_batches() -> None:
    stream = [request(g, k) for g in range(64) for k in range(4)]
    sizes = [len(b) for b in batches(iter(stream), 16, Groups(), lambda r: True)]
    assert sizes == [16] * 16
