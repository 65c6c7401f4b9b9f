"""Which questions about one scene are nearly the same, or tell one another's answer."""
