"""What every HTML page is made of."""
