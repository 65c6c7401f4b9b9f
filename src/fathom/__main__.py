"""`python -m fathom`: the command line, where its script is not on the path."""

from fathom.cli import main

if __name__ == "__main__":
    main()
