"""Built-in props: things that stand about, are worn, held or carried, in one body colour."""
