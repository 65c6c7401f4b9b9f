"""Which candidates of a build become questions, so that nothing can be guessed from what is asked."""
