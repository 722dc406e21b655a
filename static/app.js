// What HTML cannot do: the mark that is drawn before the server answers, presses that wait for their turn, one tab stop
// and arrow keys on the board, other keys, and word of a server that does not answer. Everything else is forms and links,
// which htmx sends and which work without it.

const byId = (id) => document.getElementById(id);
const squares = () => [...document.querySelectorAll("#board :is(button, .hole)")]; // a hole keeps its place
const isHole = (square) => square?.matches(".hole");
const places = () => [...document.querySelectorAll("#move-0, #moves a")]; // the positions of the game
const columns = () => document.querySelector("#board [role=row]")?.children.length;
const settled = (animations) => Promise.allSettled(animations.map((animation) => animation.finished));
const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
let here = 0; // the square that holds the board's tab stop, in reading order

// Where stones fall, a square in the air stands for the one below it on which a stone would come to lie.
function landing(square) {
  const all = squares();
  let at = all.indexOf(square);
  while (all[at]?.matches(".air")) at += columns();
  return all[at] ?? square;
}
const chute = (square) => byId("board").matches(".falls") && squares()[squares().indexOf(square) % columns()]; // the top of its column

function rove(focus) {
  const all = squares();
  here = Math.min(here, Math.max(all.length - 1, 0));
  if (all.length) here = all.indexOf(landing(all[here]));
  if (isHole(all[here])) here = all.findIndex((square) => !isHole(square));
  all.forEach((square, index) => { if (!isHole(square)) square.tabIndex = index === here ? 0 : -1; });
  if (focus) all[here]?.focus();
}

document.addEventListener("focusin", (event) => {
  const index = squares().indexOf(event.target);
  if (index >= 0) { here = index; rove(false); }
});

function step(key, width, all, from = here) {
  const to = neighbour(key, from, width, all.length);
  if (to === null) return null;
  if (to === from) return here; // at the edge, or only holes from here to it
  if (to % width !== from % width && chute(all[to])) return all.indexOf(landing(chute(all[to])));
  return all[to].matches(".hole, .air") ? step(key, width, all, to) : to;
}

function neighbour(key, here, width, count) {
  const column = here % width;
  switch (key) {
    case "ArrowLeft": return column > 0 ? here - 1 : here;
    case "ArrowRight": return column < width - 1 ? here + 1 : here;
    case "ArrowUp": return here >= width ? here - width : here;
    case "ArrowDown": return here + width < count ? here + width : here;
    case "PageUp": case "PageDown": { // to the same square of the layer above or below
      const layer = document.querySelectorAll("#board .layer:first-child button, #board .layer:first-child .hole").length;
      const to = here + (key === "PageUp" ? -layer : layer);
      return layer ? (to in squares() ? to : here) : null;
    }
    case "Home": return here - column;
    case "End": return here - column + width - 1;
    default: return null;
  }
}

// On a phone the card is a ribbon of one line; it opens over the buttons below it.
const isOpen = () => Boolean(byId("why")?.classList.contains("open") && byId("grip")?.offsetParent);

let above = 0; // where the page was scrolled to before the card opened

function pull(open) {
  const [grip, was] = [byId("grip"), isOpen()];
  byId("why")?.classList.toggle("open", open);
  if (!grip) return;
  grip.setAttribute("aria-expanded", String(open));
  grip.textContent = open ? "✕ Close" : "Why?";
  if (open && !was) above = scrollY;
  if (isOpen()) byId("why").scrollIntoView({ block: "nearest" });
  else if (was) scrollTo(0, above);
}

// What is open over the page closes by its button, by Escape, and by a press beside it, which does nothing else.
function close(target) {
  const open = [...document.querySelectorAll(".pop[open]")].filter((pop) => !target || !pop.contains(target));
  for (const pop of open) {
    if (!target && pop.contains(document.activeElement)) pop.querySelector("summary").focus();
    pop.open = false;
  }
  const unfolded = isOpen() && !(target && byId("why").contains(target));
  if (unfolded) pull(false);
  return open.length > 0 || unfolded;
}

let asking = false; // whether a tap on a square asks about it instead of playing it
const shownAsking = () => byId("ask")?.setAttribute("aria-pressed", String(asking));
document.addEventListener("htmx:after:swap", shownAsking);

const BUTTONS = {
  grip: () => pull(!isOpen()),
  shut: () => close(null),
  ask: () => { asking = !asking; shownAsking(); },
  "try-again": () => tryAgain(),
};

document.addEventListener("click", (event) => {
  const { target, detail } = event;
  if (BUTTONS[target.id]) BUTTONS[target.id]();
  else if (detail && !swallow && target.closest("main") && !(asking && target.closest(".sq")) && close(target)) stop(event);
}, true);

// One press at a time: from a press until its answer has been seen. Meanwhile a square takes no move; what else is
// pressed or chosen waits, and is done in order.
let busy = false; // the board says so as well, for those who listen
let again = null; // does once more what was pressed last
let undraw = null; // takes the pending mark off the board
const waiting = [];

function occupy(now) {
  busy = now;
  byId("board")?.toggleAttribute("aria-busy", false);
  if (now) byId("board")?.setAttribute("aria-busy", "true");
}

const current = (control) => byId(control.id) ?? control; // what an answer has put in its place

// Squares pressed before their turn are wishes: their ghosts stay until the answer comes, and a second press takes one
// back. They are played in order while the board is as it was when they were pressed: two people at one device lose none,
// and nobody moves blindly against a computer.
let wishes = []; // squares by their ids
let seen = ""; // the board that they were pressed on
const marks = () => squares().map((square) => (square.matches(".x") ? "x" : square.matches(".o") ? "o" : ".")).join("");

function showWishes() {
  const [{ thinks }, mover] = [byId("game")?.dataset ?? {}, byId("board")?.dataset.mover];
  for (const square of squares()) delete square.dataset.wish;
  wishes.forEach((id, turn) => { byId(id).dataset.wish = thinks || turn % 2 ? mover : { X: "O", O: "X" }[mover]; });
}

function wishFor(square) {
  if (!wishes.length) seen = marks();
  wishes = wishes.includes(square.id) ? wishes.filter((id) => id !== square.id) : [...wishes, square.id];
  if (byId("game").dataset.thinks) wishes = wishes.slice(-1); // one move at a time
  showWishes();
}

function grant() {
  const square = seen === marks() && byId(wishes.shift());
  if (!square) wishes = [];
  showWishes();
  press(square);
  seen = marks();
}

function press(control, focus = false) {
  if (!control || control.matches("[aria-disabled]")) return;
  if (focus) control.focus();
  control.click();
}

/* Presses what `find` finds once it is its turn: what is pending may put something else there. */
function turn(find) {
  if (busy) waiting.push(() => press(find()));
  else press(find());
}

function choose(id, value) {
  const control = byId(id);
  if (!control) return;
  if (control.type === "radio") control.checked = true;
  else control.value = value;
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

function next() {
  occupy(false);
  while (!busy && waiting.length) waiting.shift()();
  if (!busy && wishes.length) grant();
  pointed(byId(`sq-${asked}`));
}

/* Forgets what was pressed and is not answered. */
function forgo() {
  undraw?.();
  waiting.length = 0;
  wishes = [];
  showWishes();
  occupy(false);
}

function draw(square) {
  const mover = (square.form.elements.mark?.value || byId("board").dataset.mover).toLowerCase();
  const { className, innerHTML } = square;
  forget();
  const [board, { thinks }] = [byId("board"), byId("game").dataset];
  const told = thinks ? [...document.querySelectorAll("#status strong, #why-body > h2")] : []; // whose turn it is
  const words = told.map((each) => each.textContent);
  undraw = () => {
    Object.assign(square, { className, innerHTML });
    board.classList.remove("asked");
    told.forEach((each, index) => { each.textContent = words[index]; });
    undraw = null;
  };
  board.classList.add("asked");
  for (const each of told) each.textContent = `${thinks} is thinking …`;
  square.className = `sq ${mover} pending`;
  square.innerHTML = `<span class="mark">${mover.toUpperCase()}</span>`;
}

document.addEventListener("click", (event) => {
  const control = landing(event.target.closest("#game a, #game button"));
  if (!control || control.type === "button" || control.matches("[hx-boost=false], [aria-disabled]")) return;
  const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey; // in a tab or window of its own
  const ended = swallow && event.detail > 0; // a long press, not a key
  if (asking && control.matches(".sq[name]") && !busy && pointed(control)) { // a tap that asks
    stop(event);
    pull(true);
  } else if (control.matches(".sq") && (ended || event.shiftKey)) {
    stop(event);
    if (!ended) showLine(control.value);
  } else if ((elsewhere && !control.form) || control.form?.checkValidity() === false) {
    // nothing is asked of the server in this page
  } else if (control instanceof SVGElement) { // htmx knows no links of a graph; the list of moves has the same ones
    event.preventDefault();
    press(places().find((place) => place.getAttribute("href") === control.getAttribute("href")));
  } else if (busy) {
    stop(event);
    if (control.matches(".sq")) wishFor(control);
    else turn(() => current(control));
  } else {
    again = () => press(current(control), true);
    occupy(true);
    if (control.matches(".sq[name]")) draw(control);
  }
}, true);

document.addEventListener("change", (event) => {
  const { id, value } = event.target;
  if (event.target.matches("#size-form input")) event.stopPropagation(); // more may follow: a button sends them
  if (!event.target.closest("#game") || !id || event.target.type === "number") return;
  if (busy) {
    event.stopPropagation();
    waiting.push(() => choose(id, value));
  } else {
    again = () => { byId(id)?.focus(); choose(id, value); };
  }
}, true);

/* Controls in a part of the game show what the game says, whatever the user or the browser has put into them. */
function restore(part) {
  for (const option of part?.querySelectorAll("option") ?? []) {
    if (option.selected !== option.defaultSelected) option.selected = option.defaultSelected;
  }
  for (const radio of part?.querySelectorAll("input[type=radio]") ?? []) radio.checked = radio.defaultChecked;
}

/* Fetches what the open panels show of this game, and waits for it. Until then nothing in them can be pressed. */
function fill() {
  const panels = [...document.querySelectorAll(".pop[open] > .poll")];
  const stale = panels.filter((panel) => panel.filled !== panel.getAttribute("hx-get"));
  return Promise.all(stale.map((panel) => new Promise((done) => {
    panel.filled = panel.getAttribute("hx-get");
    const hadFocus = panel.contains(document.activeElement);
    panel.inert = !hadFocus;
    panel.addEventListener("htmx:finally:request", function filled({ target }) {
      if (target !== panel) return; // a control in it has asked
      panel.removeEventListener("htmx:finally:request", filled);
      panel.inert = false;
      restore(panel);
      if (document.activeElement === document.body) rove(hadFocus);
      done();
    });
    htmx.trigger(panel, "again");
  })));
}
document.addEventListener("toggle", fill, true);

const ofGame = (event) => event.target.closest?.("#game") && !event.target.matches(".poll");
const swapsGame = ({ detail }) => detail?.ctx.target?.id === "game"; // a part of it, as the Share panel, ends no press
const wanted = (status) => status < 300 || [400, 403, 409].includes(status);
let hadFocus = false; // whether the focus was in the game before it was swapped
let pulledUp = false; // whether the open card stays open: nobody has pressed anything
let failures = 0; // of what the page asks for by itself, one after the other, where no time was told to ask again

let resting = null; // computers that wait until the open settings are closed
document.addEventListener("htmx:before:request", (event) => {
  if (event.target.matches?.(".auto") && document.querySelector("#setup[open]")) {
    event.preventDefault();
    resting = event.target;
  } else if (ofGame(event)) occupy(true);
});
document.addEventListener("toggle", (event) => {
  if (event.target.id !== "setup" || event.target.open) return;
  if (resting?.isConnected) htmx.trigger(resting, "again");
  resting = null;
}, true);
document.addEventListener("htmx:before:swap", (event) => {
  const status = event.detail.ctx.response?.status ?? 200;
  if (!wanted(status) && byId("board")) {
    event.preventDefault();
    fail(event, status);
    return;
  }
  failures = 0;
  if (!swapsGame(event)) return;
  undraw = null;
  hadFocus = byId("game")?.contains(document.activeElement);
  const alone = event.target.matches?.(".poll");
  pulledUp = alone && byId("why")?.classList.contains("open");
  keepReason(asked && alone);
});
document.addEventListener("htmx:after:swap", (event) => {
  if (!swapsGame(event)) return;
  if (pulledUp) pull(true);
  spread();
  follow();
  const refused = event.detail.ctx.response?.status === 400 && event.detail.ctx.sourceEvent?.type === "change";
  for (const part of ["settings", "line-form", ...(refused ? ["size-form"] : [])]) restore(byId(part));
  reasons = new Map();
  keepReason(false);
  rove(hadFocus && document.activeElement === document.body);
  const filled = fill();
  if (!busy) { next(); return; } // a press that comes while something moves has an answer of its own
  occupy(true);
  Promise.all([filled, settled(byId("board")?.getAnimations({ subtree: true }) ?? [])]).then(next);
});
document.addEventListener("htmx:error", (event) => fail(event, 0));

function fail({ target, detail }, status) {
  const trouble = byId("trouble");
  const alone = target.matches?.(".auto, .poll"); // nobody has pressed anything
  const repeat = () => { if (target.isConnected) htmx.trigger(target, "again"); };
  const told = Number(detail.ctx?.response?.headers.get("Retry-After"));
  if (alone) setTimeout(repeat, 1000 * (told || Math.min(2 ** ++failures, 30)));
  if (target.matches?.(".poll") || !trouble) return;
  if (alone) again = repeat;
  if (detail.ctx?.request.headers["HX-History-Restore-Request"]) again = visit;
  restore(byId("game"));
  forgo();
  byId("trouble-words").textContent = status === 503 || status === 429 ? "The server is busy." : "The server did not answer.";
  trouble.hidden = false;
}

/* The game of the address, after the server did not answer when one went back or forward. */
function visit() {
  htmx.ajax("GET", location.pathname + location.search, { target: "#game", swap: "outerMorph show:none" });
}

function tryAgain() {
  if (!byId("trouble") || byId("trouble").hidden) return;
  byId("trouble").hidden = true;
  again?.();
}
addEventListener("online", () => { if (!document.querySelector("#game.live")) tryAgain(); }); // live games ask by themselves

/* Shows the move in view among the moves, without moving the page. */
function follow() {
  const [list, move] = [byId("moves"), document.querySelector("#moves [aria-current]")];
  if (list) list.scrollTop = move ? move.offsetTop + move.offsetHeight - list.clientHeight : 0;
}

/* Tells each square its distance from the one just played, and its place in a winning line: CSS spreads outcomes by them. */
function spread() {
  const all = squares();
  const last = all.findIndex((square) => square.matches(".last"));
  const [width, won] = [columns(), all.filter((square) => square.matches(".won"))];
  all.forEach((square, index) => {
    const reach = last < 0 ? 0 : Math.max(Math.abs(index % width - last % width), Math.abs((index - index % width - last + last % width) / width));
    square.style.setProperty("--reach", reach / Math.max(1, width - 1));
    square.style.setProperty("--place", won.indexOf(square));
  });
}

// Why a square is what it is: the game's own page, asked with this square's line.
function showLine(square) {
  const known = [...byId("line-choice")?.options ?? []].some((option) => option.value === square);
  if (known) choose("line-choice", square);
  return known;
}

let reasons = new Map(); // what is known of the position in view, by square; whatever replaces the game begins another
let asked = ""; // the square that is pointed at

/* Keeps what is told of the square that is pointed at while news of a proof comes, until there is news of the square. */
function keepReason(now) {
  byId("why-body")?.toggleAttribute("hx-morph-skip", Boolean(now));
}

async function explain() {
  const [why, known, square] = [byId("why"), reasons, asked];
  if (!why || !square || busy || byId("line-close")) return;
  if (!known.has(square)) {
    const answer = await fetch(why.dataset.url + square).catch(() => null);
    if (answer?.ok) known.set(square, (await answer.text()).trim());
  }
  const body = byId("why-body");
  if (asked !== square || busy || known !== reasons || !known.has(square)) return;
  await htmx.swap({ sourceElement: body, target: body, swap: "outerMorph", text: known.get(square) });
  outline(byId(`sq-${square}`));
}

function forget() {
  asked = "";
  outline(null);
}

function outline(square) {
  for (const each of squares()) each.classList.toggle("chosen", each === square);
}

let pointing; // the timer between pointing at a square and asking
const pointed = (square) => {
  clearTimeout(pointing);
  const explained = byId("why") && square?.matches(".sq:has(.future)");
  if (explained) {
    asked = square.value;
    pointing = setTimeout(explain, 90);
  } else if (asked) forget();
  return explained;
};
document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "touch" && !held) pointed(landing(event.target.closest("#board button"))); // a mouse that rests is moved over by scrolling
});
document.addEventListener("focusin", (event) => pointed(event.target.closest(".sq:focus-visible")));

let held = 0; // the timer of a press by finger or pen, until it ends
let swallow = false; // whether a long press has told something, so that the click that may end it plays nothing
let late = null; // the square of one that has told nothing, which is played: some browsers send no click after it
document.addEventListener("pointerdown", (event) => {
  const square = landing(event.target.closest(".sq[name]"));
  swallow = false;
  late = null;
  if (!square || event.pointerType === "mouse") return;
  held = setTimeout(() => {
    swallow = true;
    if (showLine(square.value)) return;
    if (pointed(square)) pull(true); // it says that it is not proved
    else [swallow, late] = [false, square];
  }, 500);
});
for (const end of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(end, (event) => {
    if (end === "pointermove" && Math.abs(event.movementX) + Math.abs(event.movementY) <= 4) return;
    clearTimeout(held);
    held = 0;
    if (end === "pointerup") late?.click();
    late = null;
  });
}

let beforeKeys; // what had the focus before the list of keys took it

function toggleKeys() {
  const keys = byId("keys");
  keys.open = !keys.open;
  if (keys.open) {
    beforeKeys = document.activeElement;
    keys.querySelector("summary").focus();
  } else {
    beforeKeys?.focus();
  }
}

const STEPS = { ArrowLeft: "line-back", ArrowRight: "line-forward" }; // along a line that is shown

function through(key) {
  if (byId("line-close")) return byId(STEPS[key]);
  const all = places();
  const at = all.findIndex((place) => place.hasAttribute("aria-current"));
  return all[{ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[key]];
}

const LETTERS = { u: "#undo, #undo-game", n: "#new", h: "#hint", r: "#review, #review-game" };

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const inLine = STEPS[key] && byId("why") && byId("line-close"); // also on the board and in the list of squares
  const field = target.closest("input:not([type=radio]), select");
  const closes = key === "Escape" && target.closest(".pop");
  if (event.ctrlKey || event.metaKey || event.altKey || (field && !closes && !(inLine && field.id === "line-choice"))) return;
  const onBoard = !inLine && byId("board")?.contains(target);
  const all = squares();
  if (key === "?") {
    toggleKeys();
  } else if (key === "Escape") {
    if (!close(null)) press(byId("line-close") ?? byId("choose-another"));
  } else if (/^[1-9]$/.test(key) && all.length === 9 && columns() === 3) {
    here = Number(key) - 1;
    rove(true);
    all[here].click();
  } else if (LETTERS[key] && byId("board")) {
    turn(() => document.querySelector(LETTERS[key]));
  } else if (key === "c") {
    reveal();
  } else if (onBoard && /^(Enter| )$/.test(key) && target.matches("[aria-disabled]") && chute(target)) {
    press(landing(chute(target)));
    event.preventDefault();
  } else if (onBoard) {
    const square = step(key, columns(), all);
    if (square === null) return;
    here = square;
    rove(true);
    event.preventDefault();
  } else if (byId("board") && target.type !== "radio" && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) {
    turn(() => through(key));
    event.preventDefault();
  }
});

// The last way to play is remembered on the device: whoever opens the front page finds it again.
function remembered(mode) {
  try {
    if (mode) localStorage.setItem("show", mode);
    return localStorage.getItem("show");
  } catch {
    return null; // this browser keeps nothing
  }
}

// The last mode shows every outcome. A second press on it, or a key, leads back to the mode before it.
const ALL = "mode-analyse";
let hiding = document.querySelector("[name=show]:checked")?.id;

function reveal() {
  choose(byId(ALL)?.checked ? (hiding === ALL ? "mode-play" : hiding) : ALL);
}

document.addEventListener("click", ({ target }) => { if (target.id === ALL && target.defaultChecked && !busy) reveal(); });
document.addEventListener("change", ({ target }) => {
  if (target.name !== "show") return;
  remembered(target.id);
  if (target.id !== ALL) hiding = target.id;
});
if (location.pathname === "/" && !location.search) {
  const mode = byId(remembered());
  if (mode && !mode.checked) {
    mode.checked = true;
    location.replace(`${mode.form.action}?${new URLSearchParams(new FormData(mode.form))}`);
  }
}

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail;
  // Going back or forward keeps the elements, and so the focus, as a move does.
  if (ctx.request.headers["HX-History-Restore-Request"]) ctx.swap = "outerMorph show:none";
});
// By itself the browser would take the focus off the board when it goes back or forward within the page.
window.navigation?.addEventListener("navigate", (event) => {
  if (event.navigationType === "traverse" && event.canIntercept && !event.hashChange) {
    event.intercept({ focusReset: "manual" });
  }
});
addEventListener("pageshow", (event) => {
  restore(byId("game"));
  if (event.persisted) forgo(); // the page as it was left, in the midst of a press
});

rove(false);
spread();
follow();
