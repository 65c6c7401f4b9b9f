"""`python -m fathom.cli` is the same as `fathom`."""

from fathom.cli import main

if __name__ == "__main__":
    main()
