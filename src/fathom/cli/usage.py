"""Errors of usage (an option that there is not, a number that is none) as one sentence."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:

    class UsageError(Exception):
        """What the parser of the command line raises for words that it does not understand."""

        ctx: Any
        param: Any

        def format_message(self) -> str:
            """Return what is wrong."""

        def show(self) -> None:
            """Write what is wrong to standard error, in several lines."""

else:
    # Typer brings its own copy of click, or the package, depending on its version: this is the one it raises.
    UsageError = typer.BadParameter.__mro__[1]


def shows_help(error: UsageError) -> bool:
    """Return whether nothing is wrong but that no verb was given, so that help is the answer."""
    return type(error).__name__ == "NoArgsIsHelpError"


def sentence(error: UsageError) -> str:
    """Return what is wrong, what was found, and where help is, in one line."""
    if moved := _moved(error):
        return moved
    said = " ".join(error.format_message().split()).rstrip(".")
    for theirs, ours in _PLAIN_WORDS.items():
        said = re.sub(theirs, ours, said)
    found = _given(error, sys.argv[1:])
    if found and found not in said:
        said += f", found {found!r}"
    return f"{_small(said)}; `{_command(error)} --help` says what there is"


_PLAIN_WORDS = {
    r"Input should be a valid integer(, unable to parse string as an integer)?": "expected a whole number",
    r"Input should be a valid number(, unable to parse string as a number)?": "expected a number",
    r"Input should be a valid boolean(, unable to interpret input)?": "expected yes or no",
    r"Input should be greater than or equal to (\S+)": r"expected \1 or more",
    r"Input should be less than or equal to (\S+)": r"expected \1 or less",
    r"Input should be (a valid )?": "expected ",
}
"""What parsers of values say → what is said here."""

RENAMED = {("curate train", "--clip"): "--clip-model"}
"""Verb and option of before → the option of today."""


def _moved(error: UsageError) -> str:
    """Return what stands in the place of an option of before, "" where it is no such option."""
    from fathom.settings import MOVED

    option = str(getattr(error, "option_name", ""))
    for (verb, before), now in RENAMED.items():
        if option == before and _command(error).endswith(f" {verb}"):
            return f"{option}: is called {now} now; use that (`fathom {verb} --help` says what there is)"
    setting = MOVED.get(option.removeprefix("--"))
    if setting is None or not _command(error).endswith(" build"):
        return ""
    return (
        f"{option}: is a setting now; use --set {setting}=VALUE (`fathom build BENCHMARK --help` lists the "
        "settings of a benchmark)"
    )


def _command(error: UsageError) -> str:
    """Return the command at fault; where the parser does not know yet, the first word is the verb."""
    if getattr(error, "ctx", None) is not None:
        return str(error.ctx.command_path)
    verb = next((word for word in sys.argv[1:2] if not word.startswith("-")), "")
    return f"fathom {verb}".rstrip()


def _given(error: UsageError, words: list[str]) -> str:
    """Return the value that the option at fault was given on the command line, "" where that is not known."""
    for option in getattr(getattr(error, "param", None), "opts", ()):
        for k, word in enumerate(words):
            if word == option and k + 1 < len(words):
                return words[k + 1]
            if word.startswith(f"{option}="):
                return word.removeprefix(f"{option}=")
    return ""


def _small(said: str) -> str:
    """Return the sentence begun in small letters, as those of other errors are, names left alone."""
    return re.sub(r"^(Invalid|Missing|No|Option|Got|Could|Too)\b", lambda word: word[0].lower(), said)
