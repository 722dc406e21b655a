"""What search and pages cost: counts, and ratios measured side by side in one run. Run by `make bench`."""
