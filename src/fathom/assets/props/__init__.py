"""Built-in props: objects that stand about, are worn, held or carried, in one body colour."""
