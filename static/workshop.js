// The workshop: the arrow keys step through the game, a button prints the sheet, and the focus stays with what is pressed.
// All else is links, which htmx follows without leaving the page.

const byName = (id) => document.getElementById(id);

document.addEventListener("keydown", (event) => {
  const id = { ArrowLeft: "stage-back", ArrowRight: "stage-on", Home: "stage-first" }[event.key];
  const busy = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, .wide");
  if (!id || busy || !byName("stage")?.contains(event.target)) return;
  event.preventDefault();
  byName(id)?.click();
});

document.addEventListener("click", (event) => { if (event.target.id === "print") window.print(); });

function settle() {
  byName("print")?.removeAttribute("hidden");
  if (pressed && document.activeElement === document.body) (byName(pressed) ?? document.querySelector("#add summary"))?.focus();
  pressed = null;
}

let pressed = null; // a control that may be gone when the answer has come
document.addEventListener("click", (event) => { pressed = event.target.closest("#workshop a[id]")?.id ?? null; });
document.addEventListener("htmx:after:swap", settle);
settle();
