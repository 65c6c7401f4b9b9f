"""The built-in vehicles, made from lofts, extrusions and lathes."""
