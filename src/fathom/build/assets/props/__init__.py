"""Built-in props: things that stand about, are worn, held or carried, made by code in one body colour."""
