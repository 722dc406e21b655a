"""The server: processes that answer pages, a pool that does what is dear for all of them, and who watches over both."""
