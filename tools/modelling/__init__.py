"""The code that modelled the built-in assets: `python tools/make_assets.py` writes their files again."""
