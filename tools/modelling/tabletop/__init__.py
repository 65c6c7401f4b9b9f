"""How objects for tables are modelled."""
