"""Which Mitsuba runs: an LLVM library that is unfit is found out without harm, and said in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from fathom.records import InputError
from fathom.render import variants
from fathom.render.variants import FAST, SLOW, engine, llvm_libraries, proves_fit

OLD = [p for p in (f"/usr/lib/x86_64-linux-gnu/libLLVM-{v}.so.1" for v in (14, 15)) if Path(p).is_file()]


@pytest.fixture(autouse=True)
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("DRJIT_LIBLLVM_PATH", raising=False)
    variants._chosen.cache_clear()


@pytest.mark.parametrize(
    "old", OLD or [pytest.param("", marks=pytest.mark.skip("no LLVM older than 16 here"))]
)
def test_a_real_llvm_that_is_too_old_hands_over_to_the_scalar_variant(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRJIT_LIBLLVM_PATH", old)
    words: list[str] = []
    assert engine("mitsuba", words.append).variant == SLOW
    assert len(words) == 1
    assert old in words[0]
    assert "16 or later" in words[0]


def test_a_file_that_is_no_library_hands_over_to_the_scalar_variant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = tmp_path / "libLLVM-19.so"
    fake.write_bytes(b"not a library")
    monkeypatch.setenv("DRJIT_LIBLLVM_PATH", str(fake))
    assert engine("mitsuba").variant == SLOW
    assert str(fake) in capsys.readouterr().err


def test_with_no_llvm_the_word_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_PLACES", ())
    words: list[str] = []
    assert engine("mitsuba", words.append).variant == SLOW
    assert "apt install libllvm19" in words[0]


def test_a_library_that_works_is_proved_once_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = [p for p in llvm_libraries({}) if proves_fit(p, tmp_path / "known.json")]
    if not libraries:
        pytest.skip("no LLVM library that works with Mitsuba here")

    def never(library: str) -> bool:
        raise AssertionError("it was tried again")

    monkeypatch.setattr(variants, "_child_renders", never)
    assert proves_fit(libraries[0], tmp_path / "known.json")


def test_a_damaged_memory_is_no_harm(tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    known.write_text("{ not json")
    fake = tmp_path / "libLLVM.so"
    fake.write_bytes(b"")
    assert proves_fit(str(fake), known) is False
    assert proves_fit(str(tmp_path / "nowhere.so"), known) is False


def test_the_libraries_to_try_are_new_ones_newest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("libLLVM-15.so.1", "libLLVM-17.so.1", "libLLVM.so.20.1", "libLLVM-C.so"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setattr(variants, "_PLACES", (f"{tmp_path}/libLLVM*.so*",))
    names = [Path(p).name for p in llvm_libraries({})]
    assert names == ["libLLVM.so.20.1", "libLLVM-17.so.1", "libLLVM-C.so"]
    assert llvm_libraries({"DRJIT_LIBLLVM_PATH": "/mine.so"}) == ["/mine.so"]


def test_the_scalar_variant_can_be_asked_for_in_silence() -> None:
    words: list[str] = []
    assert engine("mitsuba-scalar", words.append).variant == SLOW
    assert words == []


def test_other_renderers_are_refused() -> None:
    for name in ("cycles", "none", ""):
        with pytest.raises(InputError, match="mitsuba"):
            engine(name)


def test_importing_the_renderer_loads_nothing_heavy() -> None:
    code = (
        "import sys, fathom.render.paint, fathom.render.sheet, fathom.render.environments, "
        "fathom.ground_truth.trace\n"
        "heavy = ('mitsuba', 'drjit', 'scipy', 'embreex', 'pyoidn', 'PIL')\n"
        "sys.exit(' '.join(m for m in heavy if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_the_fast_variant_is_named_as_such() -> None:
    assert FAST.startswith("llvm")
