"""Question programs: typed operators, execution, tracing, degeneracy."""
