// MENACE, moving: one can let the games run, and arrow keys go through the chest. All else is links, which htmx follows.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const PAUSE = 300; // milliseconds between games that run
  let running = 0; // the timer of the next game

  const settle = () => {
    const run = byId("run");
    run.hidden = false;
    run.textContent = running ? run.dataset.stop : "Play";
    run.setAttribute("aria-pressed", String(Boolean(running)));
  };
  const go = (on) => {
    clearTimeout(running);
    running = on && byId("on").href ? setTimeout(() => byId("on").click(), PAUSE) : 0;
    settle();
  };

  addEventListener("click", ({ target, isTrusted }) => {
    if (target.id === "run") go(!running);
    else if (isTrusted) go(false);
  });
  document.addEventListener("htmx:after:swap", () => go(running));

  // In the chest the arrow keys go from box to box, and one of them has the tab stop.
  addEventListener("keydown", (event) => {
    const tiles = [...document.querySelectorAll("button.tile")], at = tiles.indexOf(event.target);
    const to = at >= 0 && tiles[at + { ArrowLeft: -1, ArrowRight: 1 }[event.key]];
    if (!to) return;
    [event.target.tabIndex, to.tabIndex] = [-1, 0];
    to.focus();
    event.preventDefault();
  });
  if (byId("run")) settle();
}
