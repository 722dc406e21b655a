"""What innocents get while nobody attacks: that the bars measure the server and not the clients."""

from tests.load import SECONDS, innocents
from tests.load.innocents import Innocents
from tests.load.processes import Server


def test_innocents_by_themselves_are_served_at_once(server: Server) -> None:
    records = Innocents(server.port, SECONDS).wait()
    print(f"\nnobody attacks: {innocents.figures(records)}")
    innocents.check(records)
