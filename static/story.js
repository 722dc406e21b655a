// Swipes and arrow keys turn the pages of a review, and the drill of a mistake is kept on the device.
(() => {
  const FAR = 45; // pixels of a swipe
  const MOST = 100; // mistakes that are kept
  const go = (id) => turn(() => byId(id));
  let from = null; // where a finger was put down alone

  document.addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 && (visualViewport?.scale ?? 1) < 1.05 ? touches[0] : null;
  }, { passive: true });
  document.addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from || !byId("forth")) return;
    const [across, along] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    if (Math.abs(across) > FAR && Math.abs(across) > 2 * Math.abs(along)) go(across < 0 ? "forth" : "back");
  }, { passive: true });

  // On the board too, where it takes no answer.
  document.addEventListener("keydown", (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    const id = { ArrowLeft: "back", ArrowRight: "forth" }[key];
    if (!id || altKey || ctrlKey || metaKey || byId("game").matches("[data-asks]") || !target.closest("#board")) return;
    stop(event);
    go(id);
  }, true);

  for (const press of ["click", "auxclick"]) {
    document.addEventListener(press, ({ target }) => {
      const link = target.closest("#practise");
      if (!link) return;
      const { drill, title } = link.dataset;
      const others = kept.read("mistakes", []).filter(({ id }) => id !== drill);
      kept.write("mistakes", [{ id: drill, title }, ...others].slice(0, MOST));
    }, true);
  }
})();
