"""The JSON API: what each call takes and answers stands in one table, from which its document comes too."""

from webapp.api.routes import api

__all__ = ["api"]
