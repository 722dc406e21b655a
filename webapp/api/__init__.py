"""The JSON API: one table of calls, from which the routes, the checks and the document in OpenAPI come."""
