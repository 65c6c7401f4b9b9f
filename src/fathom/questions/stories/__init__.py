"""Questions about films: what each story offers, which of it is asked, and in which words."""
