"""The JSON API. One table of calls defines its routes, its checks and its OpenAPI document."""
