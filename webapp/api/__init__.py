"""The JSON API: one table of calls, from which the routes, the checks and the document in OpenAPI come."""

from webapp.api.routes import api

__all__ = ["api"]
