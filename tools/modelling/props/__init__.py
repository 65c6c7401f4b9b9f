"""How props and screens are modelled."""
