"""The processes of the server: some answer pages, a pool does the long work for all, and a supervisor runs them."""
