"""The files of `deploy` start the server with options that it knows, and agree with each other."""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.live_games import HERE, new_game
from webapp.config import ServerLimits
from webapp.pages.live.store import LiveStore
from webapp.serve import add_command

ROOT = Path(__file__).parent.parent
FILES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "deploy").iterdir()}


def found(pattern: str, name: str) -> str:
    """Return what a pattern's group matches in a file."""
    match = re.search(pattern, FILES[name], re.MULTILINE)
    assert match, f"{name} has no {pattern}"
    return match[1]


def options(*arguments: str) -> argparse.Namespace:
    """Parse the options of `noughts serve`; unknown ones end the test."""
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    return parser.parse_args(arguments)


def of_container(*more: str) -> argparse.Namespace:
    """Return the options of the container's entry point and these."""
    program, *arguments = json.loads(found("^ENTRYPOINT (.*)$", "Containerfile"))
    assert program == "noughts"
    return options(*arguments, *more)


def upstream() -> int:
    """Return the port at which the proxy looks for the server."""
    return int(found(r"^    server 127\.0\.0\.1:(\d+);$", "nginx.conf"))


def test_the_unit_starts_a_server_behind_one_proxy() -> None:
    _, *arguments = shlex.split(found("^ExecStart=(.*)$", "noughts.service"))
    started = options(*arguments)
    assert (started.proxies, started.allowed_hosts) == (1, "play.example.org")


def test_the_socket_listens_where_the_proxy_looks_for_the_server() -> None:
    assert found("^ListenStream=(.*)$", "noughts.socket") == f"127.0.0.1:{upstream()}"


def test_the_socket_and_the_service_admit_the_same_addresses() -> None:
    lists = [re.findall("^IPAddress.*$", FILES[name], re.MULTILINE) for name in ("noughts.socket", "noughts.service")]
    assert lists[0] == lists[1] != []


def test_systemd_knows_every_setting_of_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    paths = [tmp_path / name for name in ("noughts.socket", "noughts.service")]
    for path in paths:
        path.write_text(FILES[path.name].replace("/opt/noughts/bin/noughts", sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, paths)]
    verified = subprocess.run(command, capture_output=True, text=True, check=True)
    own = [line for line in verified.stderr.splitlines() if str(tmp_path) in line or "noughts" in line]
    assert own == []


def test_the_server_has_the_same_time_to_stop_everywhere() -> None:
    seconds = found(r"^TimeoutStopSec=(\d+)$", "noughts.service")
    assert set(re.findall(r"^ +stop_grace_period: (\d+)s$", FILES["compose.yaml"], re.MULTILINE)) == {seconds}
    assert f"--stop-timeout {seconds} " in FILES["README.md"]


def test_the_server_has_more_time_to_stop_than_it_takes() -> None:
    limits = ServerLimits()
    takes = limits.front.drain + 2 * limits.stop  # the pages, then the pool
    assert takes < int(found(r"^TimeoutStopSec=(\d+)$", "noughts.service"))
    assert f"for up to {limits.front.drain:.0f} seconds" in FILES["README.md"]


def test_the_server_reads_every_variable_that_it_is_given() -> None:
    given = re.findall(
        r"(NOUGHTS_\w+)=", found("^(Environment=.*)$", "noughts.service") + found("^(ENV PATH.*)$", "Containerfile")
    )
    sources = [
        path.read_text(encoding="utf-8") for name in ("solver", "webapp") for path in (ROOT / name).rglob("*.py")
    ]
    assert [name for name in set(given) if not any(f'"{name}"' in text for text in sources)] == []


def test_the_container_keeps_both_of_its_folders_in_volumes() -> None:
    folders = set(re.findall(r"NOUGHTS_(?:CACHE|DATA)=(\S+)", FILES["Containerfile"]))
    assert set(found("^VOLUME (.*)$", "Containerfile").split()) == folders
    volumes = re.findall(
        r"^      - \w+:(/var/\S+)$", found(r"  noughts:\n((?:    .*\n)*)", "compose.yaml"), re.MULTILINE
    )
    assert (len(folders), set(volumes)) == (2, folders)


@pytest.mark.parametrize("program", ["sqlite3", "python3"])
def test_a_backup_of_a_live_file_in_use_has_its_games(tmp_path: Path, program: str) -> None:
    if not shutil.which(program):
        pytest.skip(f"There is no {program}.")
    command = shlex.split(found(rf"^    ({program} (?:.|\\\n)*?/live\.sqlite\"?)$", "README.md").replace("\\\n", ""))
    places = {"/var/lib/noughts": str(tmp_path), "/var/backups": str(tmp_path / "copies")}
    (tmp_path / "copies").mkdir()
    with closing(LiveStore(tmp_path / "live.sqlite", 10)) as store:
        store.add(new_game("a" * 22), HERE)
        subprocess.run([re.sub("|".join(places), lambda place: places[place[0]], word) for word in command], check=True)
    with closing(LiveStore(tmp_path / "copies" / "live.sqlite", 10)) as copy:
        assert copy.find("a" * 22).live.id == "a" * 22


def test_images_of_others_are_pinned_by_their_digests() -> None:
    images = [
        found("^ARG PYTHON=(.*)$", "Containerfile"),
        *re.findall("^ +image: (.*/.*)$", FILES["compose.yaml"], re.M),
    ]
    assert len(images) == 2
    for image in images:
        assert re.fullmatch(r"docker\.io/library/\w+:[\w.-]+@sha256:[0-9a-f]{64}", image), image


def test_the_proxy_counts_everything_by_visitor() -> None:
    keys = re.findall(r"^limit_\w+_zone (\S+) ", FILES["nginx.conf"], re.MULTILINE)
    assert set(keys) == {"$noughts_visitor"}


def test_the_container_serves_at_the_port_that_it_exposes_and_checks() -> None:
    started = of_container()
    assert (started.host, started.port) == ("0.0.0.0", int(found(r"^EXPOSE (\d+)$", "Containerfile")))  # noqa: S104
    assert f"http://127.0.0.1:{started.port}/healthz" in FILES["Containerfile"]


def test_the_composition_starts_a_server_for_the_proxy_and_with_a_database() -> None:
    command = re.findall("^ +- (--.*)$", found("command:\n((?: +- .*\n)*)", "compose.yaml"), re.MULTILINE)
    started = of_container(*command)
    assert (started.proxies, started.database) == (1, "postgresql+psycopg://noughts@database/noughts")
    assert f"- 127.0.0.1:{upstream()}:{started.port}\n" in FILES["compose.yaml"]


def test_the_container_finds_its_database_driver_in_the_lock_file() -> None:
    if shutil.which("sed") is None:
        pytest.skip("there is no sed here")
    command = found("^RUN (sed .* requirements-dev.lock) >", "Containerfile")
    locked = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert re.findall("^([a-z-]+)==", locked, re.MULTILINE) == ["psycopg", "psycopg-binary"]
    assert locked.count("--hash=sha256:") >= 2
