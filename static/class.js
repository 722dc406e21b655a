// A class: the seconds for a move, and the teacher's way back.

(() => {
  /* The seconds that are left go down. At the end, the wall plays the class's move. */
  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const left = Math.max(0, clock.dataset.left - 1);
      clock.dataset.left = left;
      clock.textContent = left;
      const button = left === 0 && clock.dataset.then && document.getElementById(clock.dataset.then);
      if (button && Number(document.getElementById("answered")?.textContent)) button.click();
    }
  }, 1000);

  /* The key is behind a #, which no server is sent. */
  const form = document.getElementById("key-form");
  if (form && location.hash.length > 1) {
    form.elements.key.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    document.getElementById("back").click();
  }
})();
