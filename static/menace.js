// MENACE, moving: steps and choices come without a new page, one can let the games run, and arrow keys go through the
// chest. Everything shown is the server's; what comes here is put in the place of what was.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const PAUSE = 300; // milliseconds between games that run
  let asked = 0; // how many pages were asked for: an answer that a later press has overtaken is left alone
  let running = 0; // the timer of the next game

  // What has the focus after an answer: the same control, the box that was opened, or the part of the page around it.
  const inPlaceOf = (had) =>
    byId(had.id) ??
    (had.matches("button.tile")
      ? document.querySelector("button.tile[aria-current]")
      : byId(had.closest("[tabindex='-1'][id]")?.id));

  async function show(url) {
    const number = ++asked;
    const answer = await fetch(url).catch(() => null);
    if (number !== asked) return;
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const learning = page && page.getElementById("learning");
    if (number !== asked) return;
    if (!learning) {
      location.assign(url); // the browser says what is wrong
      return;
    }
    const had = document.activeElement.closest("#learning *");
    byId("learning").replaceWith(learning);
    history.replaceState(null, "", url);
    dress();
    if (had) inPlaceOf(had)?.focus({ preventScroll: true });
    if (!running) byId("news").textContent = byId(had?.closest("#play") ? "duel-state" : "played").textContent;
  }

  function dress() {
    const run = byId("run");
    run.textContent = running ? run.dataset.stop : run.dataset.run;
    run.setAttribute("aria-pressed", String(Boolean(running)));
  }

  function stop() {
    clearTimeout(running);
    running = 0;
    dress();
  }

  function next() {
    const on = byId("on");
    if (!on.href) {
      stop();
      return;
    }
    running = setTimeout(async () => {
      await show(on.href);
      if (running) next();
    }, PAUSE);
    dress();
  }

  const address = (form, button) => {
    const data = new FormData(form, button);
    return `${new URL(form.action).pathname}?${new URLSearchParams(data)}`;
  };

  document.addEventListener("click", (event) => {
    if (event.target.id === "run") {
      if (running) stop();
      else next();
      return;
    }
    const link = event.target.closest("#learning a[data-step]");
    if (!link?.href || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    stop();
    show(link.href);
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.closest("#learning")) return;
    event.preventDefault();
    stop();
    show(address(event.target, event.submitter));
  });

  let drag = 0;
  document.addEventListener("input", (event) => {
    if (event.target.id !== "at") return;
    const { form, value, max } = event.target;
    byId("where").textContent = `${value} of ${max}`;
    stop();
    clearTimeout(drag);
    drag = setTimeout(() => show(address(form)), 80);
  });

  // In the chest the arrow keys go from box to box, and one of them has the tab stop.
  document.addEventListener("keydown", (event) => {
    const tile = event.target.closest("button.tile");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!tile || !step) return;
    const tiles = [...document.querySelectorAll("button.tile")];
    const to = tiles[tiles.indexOf(tile) + step];
    if (!to) return;
    tile.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    event.preventDefault();
  });

  document.documentElement.classList.add("lively");
}
