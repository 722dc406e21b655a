"""The cache of bytes: its budget, its order of eviction, and the pages in it."""

from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from tests.in_thread import at_once
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.serving.http.answers import ByteCache, weight

KEYS = st.one_of(st.integers(0, 5), st.tuples(st.sampled_from("ab"), st.booleans()))


@given(st.lists(st.tuples(KEYS, st.binary(max_size=900))))
def test_the_cache_never_takes_more_than_its_budget_and_counts_what_it_holds(
    puts: list[tuple[int | tuple[str, bool], bytes]],
) -> None:
    cache, last = ByteCache(8000), {}
    for key, value in puts:
        cache.put(key, value)
        last[key] = value
        assert cache.size <= 8000
    held = {key: value for key, value in last.items() if cache.get(key) is not None}
    assert all(cache.get(key) == value for key, value in held.items())
    assert (len(cache), cache.size) == (len(held), sum(weight(key, value) for key, value in held.items()))


def test_what_was_used_longest_ago_makes_room() -> None:
    size = weight("a", bytes(100))
    cache = ByteCache(size * 10)
    for key in "abcdefghij":
        cache.put(key, bytes(100))
    assert cache.get("a") is not None
    cache.put("k", bytes(100))
    assert (len(cache), cache.get("b")) == (10, None)
    assert cache.get("a") is not None


def test_a_value_above_an_eighth_of_the_budget_is_not_kept_and_pushes_nothing_out() -> None:
    cache = ByteCache(80_000)
    cache.put("small", b"small")
    cache.put("large", bytes(10_000))
    assert cache.get("large") is None
    assert cache.get("small") == b"small"
    cache.put("small", bytes(10_000))
    assert cache.get("small") is None
    assert (len(cache), cache.size) == (0, 0)


def test_a_cache_without_a_budget_keeps_nothing() -> None:
    cache = ByteCache(0)
    cache.put("a", b"")
    assert len(cache) == 0


def test_threads_share_a_cache() -> None:
    cache = ByteCache(40_000)

    def use(_: int) -> None:
        for number in range(3000):
            cache.put(number % 70, bytes(number % 900))
            cache.get((number * 7) % 70)

    at_once(use, range(4))
    held = [(key, value) for key in range(70) if (value := cache.get(key)) is not None]
    assert cache.size == sum(weight(*entry) for entry in held) <= 40_000


def cache_of(app: Flask) -> ByteCache:
    cache = app.extensions["cache"]
    assert isinstance(cache, ByteCache)
    return cache


def test_pages_and_what_was_compressed_share_the_one_budget_of_a_process() -> None:
    app = create_app(config=AppConfig(cache_bytes=500_000))
    client, cache = app.test_client(), cache_of(app)
    for seed in range(60):
        client.get(f"/play/3x3x3?seed={seed}", headers={"Accept-Encoding": "gzip"})
        assert cache.size <= 500_000
    assert len(cache) > 20


def test_a_page_asked_for_again_takes_nothing_more() -> None:
    app = create_app()
    client, cache = app.test_client(), cache_of(app)
    for url, data in (("/play/3x3x3?moves=b2a1", None), ("/play/3x3x3?seed=1", {"cell": "b2"})):
        for _ in range(3):
            taken = cache.size
            client.open(url, method="POST" if data else "GET", data=data, headers={"HX-Request": "true"})
        assert cache.size == taken > 0


def test_a_page_says_the_same_whether_it_was_kept_or_not() -> None:
    kept, anew = create_app().test_client(), create_app(config=AppConfig(cache_bytes=0)).test_client()
    for url in ("/", "/play/3x3x3?moves=b2a1", "/play/3x3x3?moves=b2a1&hint=1&show=off"):
        for _ in range(2):
            answers = [client.get(url) for client in (kept, anew)]
            assert answers[0].data == answers[1].data
            assert answers[0].headers["ETag"] == answers[1].headers["ETag"]


def test_the_budget_is_the_setting() -> None:
    assert cache_of(create_app(config=AppConfig(cache_bytes=99))).max_bytes == 99
