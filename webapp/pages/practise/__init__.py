"""The pages one practises on: drills of the solver, one by one, in runs and in sets."""
