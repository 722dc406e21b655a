// Copying a text of the page, or sending its link: what HTML cannot do. A button names the field whose text it takes.

const byId = (id) => document.getElementById(id);
const textOf = (field) => (field.matches(".address") ? new URL(field.value, location).href : field.value ?? field.href);
const offers = document.documentElement.classList;
if (navigator.share) offers.add("can-share");

/* Said beside the field, and on a button that stands elsewhere, which keeps its width. */
function say(words, button) {
  const places = button.matches(".near") ? [byId("copied"), button] : [byId("copied")];
  button.style.minWidth = `${button.offsetWidth}px`;
  for (const place of places) {
    const before = place === button ? place.textContent : "";
    place.textContent = words;
    setTimeout(() => { place.textContent = before; }, 2000);
  }
}

/* The link back to a seat has been kept, and leaves its place to the game. */
function fold(card) {
  if (!card) return;
  card.open = false;
  card.querySelector("summary").textContent = "Your way back is copied";
}

/* Whoever may not copy by a button can do so by hand. */
function show(field) {
  offers.add("show-link");
  field.focus();
  field.select?.();
}

document.addEventListener("click", async ({ target }) => {
  const { copy, send } = target.dataset;
  const field = byId(copy ?? send);
  if (copy) {
    try {
      if (target.textContent === "Copied") return;
      await navigator.clipboard.writeText(textOf(field));
      say("Copied", target);
      fold(field.closest("#way-back"));
    } catch {
      show(field);
    }
  } else if (send) {
    const said = field.matches("textarea") ? { text: textOf(field) } : { title: target.dataset.title ?? document.title, url: textOf(field) };
    await navigator.share(said).catch((error) => {
      if (error.name !== "AbortError") show(field);
    });
  }
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[readonly]")) target.select();
});
