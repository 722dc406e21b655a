// What HTML cannot do: one tab stop and arrow keys on the board, digits, the ? key, copying the link, and word of a
// server that does not answer. Everything else is forms and links, which htmx sends and which work without it.

const byId = (id) => document.getElementById(id);
const squares = () => [...document.querySelectorAll("#board button")];
const columns = () => document.querySelectorAll("#board [role=row]:first-child button").length;
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

function step(key, width, count) {
  const column = here % width;
  switch (key) {
    case "ArrowLeft": return column > 0 ? here - 1 : here;
    case "ArrowRight": return column < width - 1 ? here + 1 : here;
    case "ArrowUp": return here >= width ? here - width : here;
    case "ArrowDown": return here + width < count ? here + width : here;
    case "Home": return here - column;
    case "End": return here - column + width - 1;
    default: return null;
  }
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

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
  const onBoard = byId("board")?.contains(target);
  const all = squares();
  if (key === "?") {
    toggleKeys();
  } else if (/^[1-9]$/.test(key) && all.length === 9 && columns() === 3 && (onBoard || target === document.body)) {
    here = Number(key) - 1;
    rove(true);
    all[here].click();
  } else if (onBoard) {
    const next = step(key, columns(), all.length);
    if (next === null) return;
    here = next;
    rove(true);
    event.preventDefault();
  }
});

const offers = document.documentElement.classList;
if (navigator.clipboard) offers.add("can-copy");
if (navigator.share) offers.add("can-share");

function showLink() {
  offers.add("show-link");
  byId("link").focus();
}

document.addEventListener("click", async (event) => {
  const link = byId("link")?.href;
  if (event.target.id === "copy") {
    try {
      await navigator.clipboard.writeText(link);
      byId("copied").textContent = "Copied";
      setTimeout(() => { byId("copied").textContent = ""; }, 2000);
    } catch {
      showLink();
    }
  } else if (event.target.id === "share") {
    navigator.share({ title: document.title, url: link }).catch((error) => {
      if (error.name !== "AbortError") showLink();
    });
  }
});

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

let hadFocus = false; // whether the focus was in the game before it was swapped
document.addEventListener("htmx:before:swap", () => { hadFocus = byId("game")?.contains(document.activeElement); });
document.addEventListener("htmx:after:swap", () => rove(hadFocus && document.activeElement === document.body));

function askAgain({ target }) {
  if (target.matches?.(".auto, .poll")) setTimeout(() => target.isConnected && htmx.trigger(target, "again"), 2000);
}
document.addEventListener("htmx:response:error", askAgain);

document.addEventListener("htmx:error", (event) => {
  const trouble = byId("trouble"), form = event.target;
  askAgain(event);
  if (!trouble || form.matches?.(".poll")) return;
  trouble.textContent = "The server did not answer. Your game is in the address of this page: try again, or reload.";
  trouble.hidden = false;
});

rove(false);
