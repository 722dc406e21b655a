"""HTTP connections: from bytes to whole requests, and from there to the application."""
