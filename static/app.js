// What HTML cannot do: one tab stop and arrow keys on the board, digits, the ? key, copying the link, and word of a
// server that does not answer. Everything else is forms and links, which htmx sends and which work without it.

const board = () => document.getElementById("board");
const squares = () => [...(board()?.querySelectorAll("button") ?? [])];
let here = 0; // the square that holds the board's tab stop, in reading order

function rove(focus) {
  const all = squares();
  here = Math.min(here, Math.max(all.length - 1, 0));
  all.forEach((square, index) => { square.tabIndex = index === here ? 0 : -1; });
  if (focus) all[here]?.focus();
}

document.addEventListener("focusin", (event) => {
  const index = squares().indexOf(event.target);
  if (index >= 0) { here = index; rove(false); }
});

function step(key, columns, count) {
  const column = here % columns;
  switch (key) {
    case "ArrowLeft": return column > 0 ? here - 1 : here;
    case "ArrowRight": return column < columns - 1 ? here + 1 : here;
    case "ArrowUp": return here >= columns ? here - columns : here;
    case "ArrowDown": return here + columns < count ? here + columns : here;
    case "Home": return here - column;
    case "End": return here - column + columns - 1;
    default: return null;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const all = squares();
  if (event.key === "?") {
    const keys = document.getElementById("keys");
    keys.open = !keys.open;
    if (keys.open) keys.querySelector("summary").focus();
  } else if (/^[1-9]$/.test(event.key) && all.length === 9 && board().dataset.columns === "3") {
    here = Number(event.key) - 1;
    rove(true);
    all[here].click();
  } else if (board()?.contains(event.target)) {
    const next = step(event.key, Number(board().dataset.columns), all.length);
    if (next === null) return;
    here = next;
    rove(true);
    event.preventDefault();
  }
});

document.addEventListener("click", async (event) => {
  const link = document.getElementById("link")?.href;
  if (event.target.id === "copy") {
    await navigator.clipboard.writeText(link);
    event.target.textContent = "Copied";
  } else if (event.target.id === "share") {
    navigator.share({ title: document.title, url: link }).catch(() => {});
  }
});

function tell(words) {
  const trouble = document.getElementById("trouble");
  if (trouble) { trouble.textContent = words; trouble.hidden = !words; }
}

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail;
  // Going back or forward keeps the elements, and so the focus, as a move does.
  if (ctx.request.headers["HX-History-Restore-Request"]) ctx.swap = "outerMorph show:none";
});
document.addEventListener("htmx:after:swap", () => rove(false));
document.addEventListener("htmx:error", () => {
  tell("The server did not answer. Your game is in the address of this page: try again, or reload.");
});

// By itself the browser would take the focus off the board when it goes back or forward within the page.
window.navigation?.addEventListener("navigate", (event) => {
  if (event.navigationType === "traverse" && event.canIntercept && !event.hashChange) {
    event.intercept({ focusReset: "manual" });
  }
});

const offers = document.documentElement.classList;
if (navigator.clipboard) offers.add("can-copy");
if (navigator.share) offers.add("can-share");
rove(false);
