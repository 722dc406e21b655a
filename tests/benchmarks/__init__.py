"""The costs of search and pages, run by `make bench`: counts, and ratios measured side by side in one run."""
