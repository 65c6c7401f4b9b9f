"""How the furniture of rooms is modelled."""
