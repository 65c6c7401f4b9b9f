"""Reference captions of built objects: written from what is known, checked, and written by people."""
