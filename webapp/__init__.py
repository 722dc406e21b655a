"""The web application: it reads links, asks the solver, and passes frozen view objects to the templates."""
