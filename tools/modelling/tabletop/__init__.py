"""How things for tables are modelled."""
