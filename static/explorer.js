// The explorer's arrow keys, which follow its own links. Without this, and without htmx, these are links like any other.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest("input, select, textarea")) return;
  const inside = event.target.closest("#explorer");
  const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (!inside && !(sideways && event.target === document.body)) return; // up and down scroll the page elsewhere
  const link = document.querySelector(`#explorer [data-key="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

let within = false; // whether the focus was in the explorer before it was swapped

// An answer that is no page of the explorer is shown as the page it is.
document.addEventListener("htmx:before:swap", (event) => {
  const { response, request } = event.detail.ctx;
  within = document.getElementById("explorer").contains(document.activeElement);
  if ((response?.status ?? 200) < 400) return;
  event.preventDefault();
  location.assign(request.action);
});

// The branch one is at stays in view within the tree, and takes the focus where what had it is gone: a square that has been
// played is no link any more. The page itself does not move.
document.addEventListener("htmx:after:swap", () => {
  const tree = document.querySelector(".growing-tree");
  const here = tree?.querySelector("[aria-current]");
  if (!here) return;
  if (within && document.activeElement === document.body) here.focus({ preventScroll: true });
  const above = here.getBoundingClientRect().top - tree.getBoundingClientRect().top;
  if (above < 0 || above > tree.clientHeight - 40) tree.scrollTop += above - tree.clientHeight / 2;
});
