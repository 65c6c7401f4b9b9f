"""The exceptions that Fathom raises on purpose.

    FathomError                 anything a user can fix; the command line prints it and exits with 2
    ├── InputError              a file, folder or value from outside is not what was expected
    │   ├── DataError           a Fathom folder holds a line or file that does not validate
    │   └── AssetError          a model, texture or light probe cannot be used
    ├── MissingExtraError       an optional package is not installed
    ├── UnfitError              what was asked for cannot be met (no scene fits, nothing left to ask)
    └── EndpointError           a hosted model cannot be reached, or refuses every request

Every message is one sentence with the subject, what was expected, what was found, the place, and the remedy.
"""


class FathomError(Exception):
    """Anything a user can fix."""


class InputError(FathomError):
    """A file, folder or value from outside is not what was expected."""


class DataError(InputError):
    """A Fathom folder holds a line or a file that does not validate."""


class AssetError(InputError):
    """A model, a texture or a light probe cannot be used."""


class MissingExtraError(FathomError):
    """An optional package is not installed."""


class UnfitError(FathomError):
    """What was asked for cannot be met."""


class EndpointError(FathomError):
    """A hosted model cannot be reached, or refuses every request."""


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """Return the error that names the extra which brings `package`."""
    return MissingExtraError(
        f"{purpose} needs the package {package}, which is not installed: "
        f"pip install 'fathom-bench[{extra}]' brings it"
    )


def printable(text: str) -> str:
    """Return a text as it can go to a terminal: what would steer it (escapes, bells) is written out."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def printable_line(text: str) -> str:
    """Return a text as it can go into one line: line breaks and tabs are written out, too."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")
