// Proving a pasted function: a worker asks it for a square in every position that can arise, and the answers become a
// link, which holds them as `webapp/pages/prove/view.py` describes. The code itself goes nowhere.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const SECONDS = 5; // the longest wait for one answer
  const IN_ALL = 60; // and for all of them
  const KEPT = "noughts.bot";
  const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const nameOf = (square) => "abc"[square % 3] + (3 - Math.floor(square / 3));
  const isOver = (board) => !board.includes("") || LINES.some(([a, b, c]) => board[a] && board[a] === board[b] && board[a] === board[c]);
  const openOf = (board) => [...board.keys()].filter((square) => !board[square]);
  const textOf = (board) => [0, 3, 6].map((row) => board.slice(row, row + 3).map((each) => each || ".").join("")).join("/");

  class Trouble extends Error {}
  let drew = false; // whether the function has asked for random numbers
  let ends = 0;

  // One answer of the worker; it is ended if it takes too long.
  function asked(worker, message) {
    return new Promise((resolve, reject) => {
      const fail = (words) => reject(new Trouble(words));
      const left = (ends - performance.now()) / 1000;
      const words = left < SECONDS ? `it needed more than ${IN_ALL} seconds in all` : `it gave no answer within ${SECONDS} seconds`;
      const timer = setTimeout(() => fail(`${words}, so I stopped it`), 1000 * Math.min(SECONDS, left));
      const done = (how) => (event) => (clearTimeout(timer), how(event));
      worker.onmessage = done(({ data }) => ("thrown" in data ? fail(`it threw “${data.thrown.slice(0, 100)}”`) : resolve(data)));
      worker.onerror = done((event) => fail(event.message || "its worker could not start"));
      worker.postMessage(message);
    });
  }

  function squareOf(said, board) {
    const square = typeof said === "string" ? board.findIndex((_, each) => nameOf(each) === said.trim().toLowerCase()) : said;
    if (!Number.isInteger(square) || square < 0 || square > 8) throw new Trouble(`it answered ${JSON.stringify(said)}, which is no square`);
    if (board[square]) throw new Trouble(`it answered ${nameOf(square)}, but ${board[square]} stands there`);
    return square;
  }

  // The code of all answers with one mark: digits of a whole number, each in the base of the position's open squares.
  async function codeOf(worker, mark, progress) {
    const empty = Array(9).fill("");
    const queue = [], seen = new Set(), digits = [];
    const put = (board, square, stone) => board.with(square, stone);
    const meet = (board) => {
      if (isOver(board) || seen.has(textOf(board))) return;
      seen.add(textOf(board));
      queue.push(board);
    };
    if (mark === "X") meet(empty);
    else for (const square of empty.keys()) meet(put(empty, square, "X"));
    for (const board of queue) {
      progress(queue.length);
      try {
        const answer = await asked(worker, { board: [...board], mark });
        drew ||= answer.drew;
        const square = squareOf(answer.said, board);
        const open = openOf(board), after = put(board, square, mark);
        digits.push([open.indexOf(square), open.length]);
        if (!isOver(after)) for (const reply of openOf(after)) meet(put(after, reply, mark === "X" ? "O" : "X"));
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        throw new Trouble(`At ${textOf(board)}, as ${mark}, ${error.message}.`);
      }
    }
    return digits.reduceRight((number, [digit, base]) => number * BigInt(base) + BigInt(digit), 0n).toString(36);
  }

  const [form, box, button, said] = ["bot-form", "bot", "prove", "said"].map(byId);
  const isTable = (text) => /^\s*(\{\s*"|position\b|[XO./]{9,11}\s*,)/i.test(text);

  async function prove(code) {
    const worker = new Worker("/prove/worker.js");
    const codes = {}, problems = [];
    drew = false;
    ends = performance.now() + 1000 * IN_ALL;
    const address = () => `${form.action}?${new URLSearchParams(codes)}`;
    try {
      await asked(worker, { code }).catch((error) => { throw new Trouble(`I can't run that: ${error.message}.`); });
      for (const mark of ["O", "X"]) {
        try {
          let asking = 0;
          codes[mark.toLowerCase()] = await codeOf(worker, mark, () => {
            if (++asking % 50 === 0) tell(`Asking as ${mark}: ${asking} positions so far.`);
          });
        } catch (error) {
          if (!(error instanceof Trouble)) throw error;
          problems.push(error.message);
          if (/stopped it/.test(error.message)) break; // a worker that hangs answers nothing more
        }
      }
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      problems.push(error.message);
    } finally {
      worker.terminate();
    }
    if (!problems.length && !drew) return location.assign(address());
    tell(problems[0] ?? "It draws by Math.random, so it may play otherwise next time, and I can't prove that.", true);
    const marks = Object.keys(codes).join(" and ").toUpperCase();
    byId("other").hidden = !marks;
    byId("other").href = address();
    byId("other").textContent = `See how the moves it chose just now do as ${marks}`;
  }

  function tell(words, isProblem = false) {
    said.textContent = words;
    said.classList.toggle("problem", isProblem);
  }

  form?.addEventListener("submit", async (event) => {
    try {
      sessionStorage.setItem(KEPT, box.value);
    } catch {
      // no storage: coming back finds the box empty
    }
    byId("refused")?.remove();
    if (isTable(box.value)) return; // a table goes to the server
    event.preventDefault();
    if (button.hasAttribute("aria-disabled")) return;
    byId("other").hidden = true;
    button.setAttribute("aria-disabled", "true"); // which keeps the focus
    tell("Asking your bot …");
    await prove(box.value);
    button.removeAttribute("aria-disabled");
  });
  if (box && !box.value) {
    try {
      box.value = sessionStorage.getItem(KEPT) ?? "";
    } catch {
      // no storage
    }
  }

  // The arrow keys step through the game, and the focus stays on the board.
  document.addEventListener("keydown", (event) => {
    const id = { ArrowLeft: "stage-back", ArrowRight: "stage-on", Home: "stage-first" }[event.key];
    if (!id || !byId(id) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, .wide")) return;
    event.preventDefault();
    byId(id).click();
  });
  let pressed = false;
  document.addEventListener("click", ({ target }) => { pressed = Boolean(target.closest?.("#proof a")); });
  document.addEventListener("htmx:after:swap", () => {
    if (pressed && document.activeElement === document.body) document.querySelector("a.place, #stage-back")?.focus({ preventScroll: true });
  });
}
