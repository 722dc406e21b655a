// Between two steps of a picture whose squares move, they are seen to move. The steps themselves are radio buttons.
"use strict";
{
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  for (const steps of document.querySelectorAll("[data-moves]")) {
    const frame = (value) => steps.querySelector(`[data-step="${value}"]`);
    const place = (square) => {
      const { e, f } = square.transform.baseVal.consolidate().matrix;
      return { x: e, y: f };
    };
    let at = steps.querySelector(":checked").value;
    steps.addEventListener("change", (event) => {
      const [before, after] = [frame(at), frame(event.target.value)];
      at = event.target.value;
      if (still.matches) return;
      for (const square of after.querySelectorAll("[data-square]")) {
        const from = place(before.querySelector(`[data-square="${square.dataset.square}"]`));
        const to = place(square);
        square.firstElementChild.animate(
          [{ translate: `${from.x - to.x}px ${from.y - to.y}px` }, { translate: "0px 0px" }],
          { duration: 500, easing: "ease-in-out" },
        );
      }
    });
  }
}
