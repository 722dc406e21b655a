"""The server: processes that answer pages, a pool that does the long work for all of them, and their supervisor."""
