"""What another package adds to Fathom without touching it: each file is all that its extension takes."""
