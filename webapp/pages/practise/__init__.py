"""The pages of drills: one by one, in runs, and in sets."""
