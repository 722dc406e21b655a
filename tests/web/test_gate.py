"""The gate: the order of tasks and turns, sharing, refusals and cancellation, with the tests' clock and processes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from solver.proofs.prediction import ProofState
from webapp.config import GateLimits
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.messages import Asker, Done, Failed, GateAnswer, Length, Refused, Status

HARD = b"8x8x5"
EASY = b"4x4x4"
LIMITS = GateLimits(
    processes=2, provers=1, waiting=4, per_client=3, positions=3, positions_per_client=2, lease=10, seconds=1, turn=0.5
)


def hard(number: int) -> bytes:
    """Return another hard position."""
    return b"8x8x5 %d" % number


class Desk:
    """A gate with a clock to set and a list of its answers."""

    def __init__(self, limits: GateLimits = LIMITS) -> None:
        self.now = 100.0
        self.answers: list[tuple[int, GateAnswer]] = []
        self.gate = Gate(limits, lambda asker, answer: self.answers.append((asker.number, answer)), lambda: self.now)
        self.asked = 0

    def ask(self, name: str, kind: Length = Length.LONG, client: str = "a", page_process: int = 1) -> GateAnswer | None:
        self.asked += 1
        return self.gate.ask(Asker(page_process, self.asked, client), kind, name.encode())

    def begin(self, name: str, kind: Length = Length.LONG, client: str = "a", page_process: int = 1) -> None:
        """Ask for a task, and let process 1 begin it."""
        self.ask(name, kind, client, page_process)
        self.gate.next_for(1)

    def watch(self, position: bytes, client: str = "a", wait: bool = False, in_view: bool = True) -> GateAnswer | None:
        """Watch a position; without `wait`, leave at once instead of waiting for its first turn."""
        self.asked += 1
        asker = Asker(1, self.asked, client)
        answer = self.gate.watch(asker, position, in_view)
        if answer is not None or wait:
            return answer
        self.gate.drop(lambda other: other == asker)
        return self.gate.status_of(position)

    def state(self, position: bytes, client: str = "a") -> ProofState:
        status = self.watch(position, client)
        assert isinstance(status, Status)
        return ProofState(status.state)

    def burden(self, client: str) -> None:
        """Make a client heavy by repeated requests for a finished task."""
        for _ in range(200):
            self.ask("asked for again and again", client=client)
        self.gate.drop(lambda asker: asker.client == client)

    def turns(self, number: int) -> list[bytes]:
        """Return the positions of the next turns in order."""
        taken = []
        for _ in range(number):
            turn = self.gate.next_for(1)
            assert turn is not None
            taken.append(turn[1])
            self.end_turn()
        return taken

    def end_turn(self, done: bool = False) -> None:
        self.gate.finished(1, Done(b""), done)

    def cancelled(self) -> list[int]:
        return [process for process, _ in self.gate.to_cancel()]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_task_is_done_by_an_idle_process_and_answered(desk: Desk) -> None:
    assert desk.ask("a") is None
    assert desk.gate.next_for(1) == (0, b"a")
    desk.gate.finished(1, Done(b"result"))
    assert desk.answers == [(1, Done(b"result"))]
    assert desk.gate.waiting == desk.gate.busy == 0


def test_who_asks_for_the_same_shares_one_run(desk: Desk) -> None:
    for client in "abcdefgh":
        assert desk.ask("claims", client=client) is None
    assert desk.gate.next_for(1) == (0, b"claims")
    assert desk.gate.next_for(2) is None
    desk.gate.finished(1, Done(b"!"))
    assert [answer for _, answer in desk.answers] == [Done(b"!")] * 8


def test_a_lasting_result_is_there_at_once_for_the_next_one(desk: Desk) -> None:
    desk.begin("a")
    desk.gate.finished(1, Done(b"kept"), lasting=True)
    assert desk.ask("a") == Done(b"kept")


def test_a_result_that_does_not_last_is_computed_again(desk: Desk) -> None:
    desk.begin("a")
    desk.gate.finished(1, Done(b"for now"))
    assert desk.ask("a") is None


def test_results_are_kept_up_to_their_bytes() -> None:
    desk = Desk(replace(LIMITS, results=100_000))
    for number in range(20):
        desk.begin(str(number))
        desk.gate.finished(1, Done(bytes(10_000)), lasting=True)
    kept = [number for number in range(20) if isinstance(desk.ask(str(number), client=str(number)), Done)]
    assert kept == list(range(20 - len(kept), 20))
    assert 8 <= len(kept) <= 10


def test_a_full_gate_refuses_at_once_and_says_when_to_come_back(desk: Desk) -> None:
    for number in range(4):
        assert desk.ask(f"task {number}", client=f"client {number}") is None
    assert desk.ask("one more", client="another") == Refused(LIMITS.retry_after, "full")


def test_a_clients_share_is_bounded(desk: Desk) -> None:
    for number in range(3):
        assert desk.ask(f"task {number}") is None
    assert desk.ask("one more") == Refused(LIMITS.retry_after, "share")
    assert desk.ask("another's", client="b") is None


def test_the_client_that_has_used_least_is_served_first(desk: Desk) -> None:
    for name in ("first", "second"):
        desk.ask(name, Length.SHORT, client="greedy")
    desk.ask("third", Length.SHORT, client="modest")
    assert desk.gate.next_for(1) == (0, b"third")
    assert desk.gate.next_for(2) == (0, b"first")


def test_a_light_clients_long_task_goes_before_a_heavy_clients_short_ones(desk: Desk) -> None:
    desk.burden("heavy")
    desk.ask("short", Length.SHORT, client="heavy")
    desk.ask("long", client="light")
    assert desk.gate.next_for(1) == (0, b"long")


def test_a_light_clients_long_task_goes_before_a_heavy_clients_first_turn(desk: Desk) -> None:
    desk.burden("heavy")
    desk.watch(HARD, client="heavy", wait=True)
    desk.ask("long", client="light")
    assert desk.gate.next_for(1) == (0, b"long")


def test_a_long_task_that_has_waited_goes_before_short_ones_that_come_anew(desk: Desk) -> None:
    desk.ask("long", client="early")
    desk.now += 20
    desk.ask("short", Length.SHORT, client="late")
    assert desk.gate.next_for(1) == (0, b"long")


def test_a_full_gate_displaces_the_newest_waiting_task_of_the_heaviest_client(desk: Desk) -> None:
    for client, name in (("heaviest", "old"), ("heaviest", "new"), ("heavy", "a"), ("heavy", "b")):
        desk.ask(name, client=client)
        desk.now += 1
    assert desk.ask("light's", client="light") is None
    assert desk.answers == [(2, Refused(LIMITS.retry_after, "displaced"))]
    assert desk.gate.waiting == LIMITS.waiting


def test_a_task_that_runs_is_not_displaced() -> None:
    desk = Desk(replace(LIMITS, waiting=1))
    desk.begin("running", client="heavy")
    desk.now += 1
    assert desk.ask("light's", client="light") == Refused(LIMITS.retry_after, "full")


def test_a_task_that_a_light_client_waits_for_too_is_not_displaced() -> None:
    desk = Desk(replace(LIMITS, waiting=1))
    desk.ask("shared", client="heavy")
    desk.now += 1
    desk.ask("shared", client="light")
    assert desk.ask("another", client="third") == Refused(LIMITS.retry_after, "full")


def test_a_client_that_is_refused_again_and_again_displaces_nobody() -> None:
    desk = Desk(replace(LIMITS, waiting=1))
    desk.ask("a", client="modest")
    for name in "bcd":
        assert desk.ask(name, client="greedy") == Refused(LIMITS.retry_after, "full")
        desk.now += 0.1


def test_a_light_client_takes_the_place_of_the_newest_thread_of_a_heavy_one() -> None:
    desk = Desk(replace(LIMITS, threads=2))
    for name in ("old", "new"):
        desk.ask(name, client="heavy")
        desk.now += 3
    desk.ask("light's elsewhere", client="light", page_process=2)
    assert desk.ask("light's", client="light") is None
    assert desk.answers == [(2, Refused(LIMITS.retry_after, "displaced"))]


def test_where_the_threads_of_light_clients_wait_a_task_is_refused_and_a_first_turn_is_not_waited_for() -> None:
    desk = Desk(replace(LIMITS, threads=1))
    desk.ask("a's")
    assert desk.ask("b's", client="b") == Refused(LIMITS.retry_after, "threads")
    assert desk.watch(HARD, client="b", wait=True) == Status(ProofState.WAITING)


def test_a_heavy_clients_thread_that_gives_way_gets_the_state_of_its_position() -> None:
    desk = Desk(replace(LIMITS, threads=1))
    desk.burden("heavy")
    desk.watch(HARD, client="heavy", wait=True)
    assert desk.watch(EASY, client="light", wait=True) is None
    assert desk.answers == [(desk.asked - 1, Status(ProofState.WAITING))]


def test_a_displaced_client_may_ask_again(desk: Desk) -> None:
    for name in "abc":
        desk.ask(name, client="greedy")
    desk.ask("d", client="other")
    desk.begin("light's", client="light")
    desk.gate.finished(1, Done(b""))
    assert desk.ask("c", client="greedy") is None


def test_what_a_client_used_long_ago_does_not_count(desk: Desk) -> None:
    desk.burden("early")
    desk.now += 400
    desk.ask("early's", Length.SHORT, client="early")
    desk.ask("long", client="light")
    assert desk.gate.next_for(1) == (0, b"early's")


def test_short_tasks_go_before_long_ones_and_long_ones_before_proofs(desk: Desk) -> None:
    desk.watch(HARD)
    desk.ask("long")
    desk.ask("short", Length.SHORT)
    assert desk.gate.next_for(1) == (0, b"short")
    desk.gate.finished(1, Done(b""))
    assert desk.gate.next_for(1) == (0, b"long")
    assert desk.gate.next_for(2) == (LIMITS.turn, HARD)


def test_long_tasks_leave_a_process_for_short_ones(desk: Desk) -> None:
    desk.ask("long")
    desk.ask("longer")
    assert desk.gate.next_for(1) is not None
    assert desk.gate.next_for(2) is None
    desk.ask("short", Length.SHORT)
    assert desk.gate.next_for(2) == (0, b"short")


def test_a_single_process_still_runs_long_tasks() -> None:
    desk = Desk(replace(LIMITS, processes=1))
    desk.ask("long")
    assert desk.gate.next_for(1) == (0, b"long")


def test_a_task_that_nobody_waits_for_any_more_is_cancelled(desk: Desk) -> None:
    desk.ask("waiting", page_process=1)
    desk.ask("running", page_process=2)
    desk.gate.drop(lambda asker: asker.page_process == 1)
    assert desk.gate.next_for(1) == (0, b"running")
    desk.gate.drop(lambda asker: asker.page_process == 2)
    assert desk.cancelled() == [1]
    desk.gate.finished(1, Failed("cancelled"))
    assert desk.answers == []
    assert desk.gate.waiting == 0


def test_a_task_that_one_of_two_still_waits_for_goes_on(desk: Desk) -> None:
    desk.ask("a", page_process=1)
    desk.begin("a", page_process=2)
    desk.gate.drop(lambda asker: asker.page_process == 1)
    assert desk.cancelled() == []


def test_a_task_asked_for_again_while_it_is_being_cancelled_is_done_anew(desk: Desk) -> None:
    desk.begin("a", page_process=1)
    desk.gate.drop(lambda asker: asker.page_process == 1)
    assert desk.ask("a", page_process=2) is None
    assert desk.gate.next_for(2) is None
    desk.gate.finished(1, Failed("cancelled"))
    assert desk.gate.next_for(2) == (0, b"a")


def test_a_cancelled_task_that_still_finishes_answers_a_second_request(desk: Desk) -> None:
    desk.begin("a", page_process=1)
    desk.gate.drop(lambda asker: asker.page_process == 1)
    desk.ask("a", page_process=2)
    desk.gate.finished(1, Done(b"done"))
    assert desk.answers == [(2, Done(b"done"))]


def test_a_second_request_outlives_the_process_of_the_cancelled_task(desk: Desk) -> None:
    desk.begin("a", page_process=1)
    desk.gate.drop(lambda asker: asker.page_process == 1)
    desk.ask("a", page_process=2)
    desk.gate.lost(1)
    assert desk.answers == []
    assert desk.gate.next_for(2) == (0, b"a")


def test_a_second_request_gives_a_cancelled_task_no_more_time(desk: Desk) -> None:
    desk.begin("a")
    for _ in range(2):
        desk.gate.drop(lambda _: True)
        desk.now += 0.6 * LIMITS.grace
        desk.ask("a")
    assert list(desk.gate.to_cancel()) == [(1, True)]


def test_a_task_that_runs_too_long_is_given_up_and_its_process_ended_if_it_does_not_heed(desk: Desk) -> None:
    desk.begin("a", Length.SHORT)
    desk.now += LIMITS.short + 0.1
    desk.gate.tick()
    assert desk.answers == [(1, Refused(LIMITS.retry_after, "deadline"))]
    assert list(desk.gate.to_cancel()) == [(1, False)]
    desk.now += LIMITS.grace + 0.1
    assert list(desk.gate.to_cancel()) == [(1, True)]
    desk.gate.lost(1)
    assert list(desk.gate.to_cancel()) == []


def test_who_has_waited_too_long_is_told_to_come_back_and_finds_the_task_under_way(desk: Desk) -> None:
    desk.begin("a")
    desk.now += 39.9
    desk.gate.tick()
    assert desk.answers == []
    desk.now += 0.2
    desk.gate.tick()
    assert desk.answers == [(1, Refused(5, "patience"))]
    assert desk.cancelled() == []
    assert desk.ask("a") is None
    desk.gate.finished(1, Done(b"late"))
    assert desk.answers[1:] == [(2, Done(b"late"))]


def test_a_task_is_kept_for_fifteen_seconds_for_visitors_who_may_come_back(desk: Desk) -> None:
    desk.begin("a")
    cancelled = []
    for seconds in (40.1, 14.9, 0.2):
        desk.now += seconds
        desk.gate.tick()
        cancelled.append(desk.cancelled())
    assert cancelled == [[], [], [1]]


def test_a_process_that_dies_costs_a_refusal_and_no_more(desk: Desk) -> None:
    desk.begin("a")
    desk.gate.lost(1)
    assert desk.answers == [(1, Refused(LIMITS.retry_after, "ended"))]
    assert desk.gate.waiting == desk.gate.busy == 0


@pytest.mark.parametrize(
    "end",
    [lambda gate: gate.lost(1), lambda gate: gate.finished(1, Failed("broken"))],
    ids=["process lost", "turn failed"],
)
def test_after_a_failed_turn_the_position_has_another(desk: Desk, end: Callable[[Gate], None]) -> None:
    desk.watch(HARD)
    desk.gate.next_for(1)
    end(desk.gate)
    assert desk.turns(1) == [HARD]


def test_positions_take_turns(desk: Desk) -> None:
    desk.watch(HARD, client="a")
    desk.watch(EASY, client="b")
    assert desk.turns(3) == [HARD, EASY, HARD]


def test_what_a_visitor_has_moved_on_to_goes_before_what_they_looked_at_before(desk: Desk) -> None:
    desk.watch(HARD)
    desk.watch(EASY)
    assert desk.turns(2) == [EASY, EASY]
    desk.watch(HARD)
    assert desk.turns(2) == [HARD, HARD]


def test_what_a_visitor_has_moved_on_from_goes_after_what_others_look_at(desk: Desk) -> None:
    desk.watch(HARD, client="a")
    desk.watch(hard(0), client="a")
    desk.watch(EASY, client="b")
    assert desk.turns(4) == [hard(0), EASY, hard(0), EASY]


def test_what_a_visitor_has_moved_on_from_has_the_time_that_is_left(desk: Desk) -> None:
    desk.watch(HARD)
    desk.watch(EASY)
    desk.gate.next_for(1)
    desk.end_turn(done=True)
    assert desk.turns(1) == [HARD]


def test_two_pages_of_one_visitor_share_the_turns_as_they_ask_again(desk: Desk) -> None:
    turns = []
    for position in (HARD, EASY) * 2:
        desk.watch(position)
        turns += desk.turns(1)
    assert turns == [HARD, EASY] * 2


def test_what_another_still_looks_at_is_in_view_again_when_they_ask_again(desk: Desk) -> None:
    desk.watch(HARD, client="stays")
    desk.watch(HARD, client="moves on")
    desk.watch(EASY, client="moves on")
    desk.watch(HARD, client="stays")
    assert set(desk.turns(2)) == {HARD, EASY}


def test_the_first_turn_of_what_is_in_view_goes_before_that_of_what_was(desk: Desk) -> None:
    for position in (HARD, EASY):
        desk.watch(position, wait=True)
    assert desk.turns(2) == [EASY, HARD]


def test_a_position_that_a_reply_needs_has_its_first_turn_and_takes_nothing_from_what_is_in_view(desk: Desk) -> None:
    desk.watch(HARD)
    assert desk.watch(EASY, wait=True, in_view=False) is None
    assert desk.gate.next_for(1) == (LIMITS.first_turn, EASY)
    desk.now += 0.2
    desk.end_turn()
    assert desk.turns(2) == [HARD, HARD]


def test_no_more_processes_prove_than_the_limit_allows(desk: Desk) -> None:
    desk.watch(HARD, client="a")
    desk.watch(EASY, client="b")
    assert desk.gate.next_for(1) is not None
    assert desk.gate.next_for(2) is None


def test_the_first_look_waits_for_the_first_turn(desk: Desk) -> None:
    assert desk.watch(HARD, wait=True) is None
    assert desk.gate.next_for(1) == (LIMITS.first_turn, HARD)
    desk.now += 0.2
    desk.end_turn()
    assert desk.answers == [(1, Status(ProofState.PROVING))]
    assert desk.watch(HARD, wait=True) == Status(ProofState.PROVING)


def test_a_position_counts_as_being_proved_during_its_first_turn(desk: Desk) -> None:
    desk.watch(HARD)
    desk.gate.next_for(1)
    assert desk.watch(HARD) == Status(ProofState.PROVING)


@pytest.mark.parametrize("wait", [True, False], ids=["first", "later"])
def test_no_position_has_two_turns_at_once(wait: bool) -> None:
    desk = Desk(replace(LIMITS, provers=2))
    desk.watch(HARD, wait=wait)
    assert desk.gate.next_for(1) is not None
    assert desk.gate.next_for(2) is None


def test_a_visitor_who_waits_too_long_for_a_first_turn_gets_an_answer(desk: Desk) -> None:
    desk.watch(HARD, client="a", wait=True)
    desk.now += LIMITS.patience + 0.1
    desk.watch(HARD, client="b")
    desk.gate.tick()
    assert desk.answers == [(1, Status(ProofState.WAITING))]


def test_a_turn_may_overrun_by_as_long_as_a_short_task_takes(desk: Desk) -> None:
    desk.watch(HARD)
    desk.gate.next_for(1)
    desk.now += LIMITS.turn + LIMITS.short
    desk.gate.tick()
    assert desk.cancelled() == []
    desk.now += 0.1
    desk.gate.tick()
    assert desk.cancelled() == [1]


def test_instant_turns_still_use_up_the_seconds_of_a_position(desk: Desk) -> None:
    desk.watch(HARD)
    desk.turns(round(LIMITS.seconds / LIMITS.first_turn))
    assert desk.state(HARD) is ProofState.SPENT
    assert desk.gate.next_for(1) is None


def test_a_position_whose_squares_are_all_proved_is_done(desk: Desk) -> None:
    desk.watch(EASY)
    desk.gate.next_for(1)
    desk.end_turn(done=True)
    assert desk.state(EASY) is ProofState.DONE
    assert desk.gate.next_for(1) is None


def test_a_proved_position_needs_no_room_when_a_visitor_returns(desk: Desk) -> None:
    desk.watch(EASY)
    desk.gate.next_for(1)
    desk.end_turn(done=True)
    desk.now += LIMITS.lease + 1
    for cell in range(LIMITS.positions):
        desk.watch(hard(cell), client=f"client {cell}")
    assert desk.state(EASY, client="back again") is ProofState.DONE


def test_a_position_is_given_up_after_its_seconds_and_taken_up_again_by_who_comes_back(desk: Desk) -> None:
    desk.watch(HARD)
    for _ in range(2):
        desk.gate.next_for(1)
        desk.now += 0.6
        desk.end_turn()
    assert desk.state(HARD) is ProofState.SPENT
    assert desk.gate.next_for(1) is None
    desk.now += LIMITS.lease + 1
    desk.watch(HARD)
    assert desk.gate.next_for(1) is not None


def test_a_position_that_nobody_looks_at_any_more_makes_room(desk: Desk) -> None:
    desk.watch(HARD)
    desk.gate.release(HARD)
    desk.now += 4 * LIMITS.turn
    assert desk.gate.next_for(1) is None
    desk.watch(EASY)
    desk.now += LIMITS.lease + 1
    assert desk.gate.next_for(1) is None


def test_leaving_a_page_does_not_revive_an_expired_position(desk: Desk) -> None:
    desk.watch(HARD)
    desk.now += LIMITS.lease + 1
    desk.gate.release(HARD)
    assert desk.gate.next_for(1) is None


def test_of_one_visitors_burst_the_last_are_worked_on_and_the_first_given_up(desk: Desk) -> None:
    burst = [hard(cell) for cell in range(5)]
    assert [desk.state(position) for position in burst] == [ProofState.WAITING] * 5
    assert desk.gate.proving == LIMITS.positions_per_client
    assert desk.turns(1) == [burst[-1]]


def test_who_waits_for_the_first_turn_of_what_is_given_up_is_told_so(desk: Desk) -> None:
    for cell in range(3):
        assert desk.watch(hard(cell), wait=True) is None
    desk.gate.tick()
    assert [number for number, _ in desk.answers] == [1]


def test_who_waits_for_the_first_turn_of_what_is_given_up_and_forgotten_is_told_so() -> None:
    desk = Desk(replace(LIMITS, kept=0))
    for cell in range(5):
        assert desk.watch(hard(cell), wait=True) is None
    desk.gate.tick()
    assert [number for number, _ in desk.answers] == [1, 2, 3]


def test_one_visitors_burst_leaves_provers_for_others(desk: Desk) -> None:
    for cell in range(3):
        desk.watch(hard(cell), client="greedy")
    for cell, client in ((9, "modest"), (10, "third")):
        assert desk.state(hard(cell), client) is ProofState.WAITING
    assert desk.turns(3) == [hard(2), hard(9), hard(10)]


def test_a_position_is_turned_away_when_as_many_as_are_allowed_are_in_view(desk: Desk) -> None:
    for cell in range(LIMITS.positions):
        assert desk.state(hard(cell), client=f"client {cell}") is ProofState.WAITING
    assert desk.state(hard(9), client="one more") is ProofState.BUSY
    assert desk.gate.refused == 1


def test_positions_of_the_heaviest_client_are_given_up_first(desk: Desk) -> None:
    desk.ask("task", client="greedy")
    desk.gate.next_for(2)
    desk.now += 1
    desk.watch(HARD, client="modest")
    desk.watch(hard(0), client="greedy", in_view=False)
    desk.watch(EASY, client="modest")
    desk.watch(hard(1), client="third")
    for _ in range(2):
        desk.gate.next_for(1)
        desk.end_turn(done=True)
    assert desk.turns(1) == [HARD]


def test_the_first_turn_of_a_light_client_goes_before_that_of_a_heavy_one(desk: Desk) -> None:
    desk.burden("heavy")
    desk.watch(HARD, client="heavy", wait=True)
    desk.watch(EASY, client="light", wait=True)
    assert desk.turns(1) == [EASY]


def test_how_many_are_in_front_is_said(desk: Desk) -> None:
    desk.watch(HARD, client="a")
    desk.watch(EASY, client="b")
    assert desk.watch(EASY, client="b") == Status(ProofState.WAITING, 1)


def test_a_visitors_own_earlier_positions_are_not_in_front(desk: Desk) -> None:
    desk.watch(HARD)
    assert desk.watch(EASY) == Status(ProofState.WAITING, 0)


def test_without_provers_a_position_has_its_first_turn_and_no_other() -> None:
    desk = Desk(replace(LIMITS, provers=0))
    assert desk.watch(HARD) == Status(ProofState.OFF)
    assert desk.watch(HARD, wait=True) is None
    assert desk.gate.next_for(1) == (LIMITS.first_turn, HARD)
    desk.now += 0.2
    desk.end_turn()
    assert desk.answers == [(2, Status(ProofState.OFF))]
    assert desk.gate.next_for(1) is None


def test_of_the_positions_that_are_remembered_the_oldest_are_forgotten() -> None:
    desk = Desk(replace(LIMITS, kept=2))
    for cell in range(3):
        desk.watch(hard(cell))
        desk.gate.next_for(1)
        desk.end_turn(done=True)
    desk.watch(EASY)
    states = {cell: desk.state(hard(cell)) for cell in (2, 1, 0)}
    assert states == {2: ProofState.DONE, 1: ProofState.DONE, 0: ProofState.WAITING}
