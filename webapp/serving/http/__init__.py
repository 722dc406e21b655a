"""HTTP as the application sees it: security headers, compression, caching, error pages, htmx and the log."""
