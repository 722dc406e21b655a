"""The gate asked as a golden file has it: `gate.txt` beside this module has scenes of clients, pages and processes.

A scene has a title and a line for each act. Behind a colon stands what it comes to, with the answers that the gate then
gives, each with the number of its request. A client asks for a `short` or a `long` task, by page process 1 or `on 2`.
It `looks` at a position, `waits` for its first turn, or `needs` it for a reply, or `needs-and-waits`. Process 1 `takes`
work and comes to its end. `+2` puts the clock forward by two seconds. After a change, `make golden` writes the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from webapp.config import GateLimits
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.messages import Asker, Done, Failed, GateAnswer, Length

FILE = Path(__file__).with_name("gate.txt")
LIMITS = GateLimits(
    processes=2, provers=1, waiting=4, per_client=3, positions=3, positions_per_client=2, lease=10, seconds=1, turn=0.5
)


def words(answer: GateAnswer | None) -> str:
    """Return an answer in words."""
    if answer is None:
        return "waits"
    values = (value.decode() if isinstance(value, bytes) else str(value) for value in answer)
    return " ".join((type(answer).__name__.lower(), *values)).strip()


class Desk:
    """A gate with a clock to set and the answers that it has given since the last act."""

    def __init__(self, limits: GateLimits = LIMITS) -> None:
        self.now = 100.0
        self.answers: list[str] = []
        self.gate = Gate(limits, self._tell, lambda: self.now)
        self._asked = 0

    def _tell(self, asker: Asker, answer: GateAnswer) -> None:
        self.answers.append(f"#{asker.number} {words(answer)}")

    def ask(self, client: str, verb: str, subject: str, page_process: int = 1) -> str:
        """Ask for a task or a position; a client that only looks or needs does not wait for the first turn."""
        self._asked += 1
        asker, content = Asker(page_process, self._asked, client), subject.encode()
        if verb in ("short", "long"):
            return f"#{self._asked} {words(self.gate.ask(asker, Length(verb), content))}"
        answer = self.gate.watch(asker, content, "needs" not in verb)
        if answer is None and "waits" not in verb:
            self.gate.drop(lambda other: other == asker)
            answer = self.gate._status(self.gate._positions[content])
        return f"#{self._asked} {words(answer)}"

    def burden(self, client: str) -> None:
        """Make a client heavy by repeated requests for a finished task."""
        for _ in range(200):
            self.ask(client, "long", "asked for again and again")
        self.gate.drop(lambda asker: asker.client == client)

    def take(self, process: int) -> str:
        """Give work to a process, and tell what it is: a task, or a turn of so many seconds."""
        turn = self.gate.next_for(process)
        return "nothing" if turn is None else f"{turn[0] or 'task'} {turn[1].decode()}"

    def turns(self, number: str) -> str:
        """Let process 1 have turns, one after another, and tell their positions."""
        positions = []
        for _ in range(int(number)):
            positions.append(self.take(1).partition(" ")[2])
            self.gate.finished(1, Done(b""))
        return ", ".join(positions)

    def leave(self, page_process: str) -> None:
        """Close what a page process has asked for, or all of them."""
        self.gate.drop(lambda asker: page_process in ("all", str(asker.page_process)))

    def cancelled(self) -> str:
        """Tell which processes are to cancel their task, and which are ended since they did not heed."""
        told = (f"{process}{' is ended' if is_late else ''}" for process, is_late in self.gate.to_cancel())
        return ", ".join(told) or "nothing"

    def figures(self) -> str:
        """Tell how much waits, runs and is proved, and how often the gate has refused."""
        names = {"waiting": "waiting", "pool_busy": "busy", "proving": "proving", "refused": "refused"}
        figures = self.gate.figures()
        return ", ".join(f"{name} {figures[key]}" for key, name in names.items())

    def end(self, process: int, how: str, *result: str) -> str:
        """Let a process come to the end of its work, of which only the gate's answers tell."""
        if how == "lost":
            self.gate.lost(process)
        elif how == "failed":
            self.gate.finished(process, Failed(" ".join(result)))
        else:
            self.gate.finished(process, Done(result[0].encode()), "lasting" in result or "proved" in result)
        return ""

    def play(self, act: str) -> str:
        """Do what a line of a scene says, and return what it comes to."""
        acts: Mapping[str, Callable[..., str | None]] = {
            "burden": self.burden,
            "turns": self.turns,
            "cancels": self.cancelled,
            "figures": self.figures,
            "leaves": self.leave,
            "release": lambda position: self.gate.release(position.encode()),
            "tick": self.gate.tick,
        }
        first, *rest = act.split(" ")
        self.answers = []
        told: str | None = None
        if first.startswith("+"):
            self.now += float(first)
        elif first in acts:
            told = acts[first](*rest)
        elif first.isdigit():
            told = self.take(int(first)) if rest == ["takes"] else self.end(int(first), *rest)
        else:
            verb, subject, *on = rest
            told = self.ask(first, verb, subject, int(on[-1]) if on else 1)
        return ", ".join(filter(None, (told, *self.answers)))


def scenes() -> list[str]:
    """Return the scenes of the golden file."""
    return FILE.read_text(encoding="utf-8").strip().split("\n\n")


def played(scene: str) -> str:
    """Return a scene with what its acts come to now."""
    title, *lines = scene.split("\n")
    desk, told = Desk(), [title]
    for act in (line.partition(":")[0] for line in lines):
        if act.startswith("limits "):
            limits = (limit.split("=") for limit in act.split(" ")[1:])
            desk = Desk(replace(LIMITS, **{name: int(most) for name, most in limits}))
            told.append(act)
        else:
            told.append(f"{act}: {desk.play(act)}".removesuffix(": "))
    return "\n".join(told)


def main() -> None:
    """Write the golden file again."""
    FILE.write_text("\n\n".join(map(played, scenes())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
