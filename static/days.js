// The days in a row on which the daily drill was solved, beside the link to today's. The device alone keeps them.

(() => {
  const DAY = 86_400_000;

  function show() {
    const place = document.getElementById("kept-days");
    if (!place) return;
    let days = {};
    try {
      days = JSON.parse(localStorage.getItem("practise"))?.days ?? days;
    } catch {
      // this browser keeps nothing, or something else
    }
    const ago = Date.now() - Date.parse(days.last);
    const row = days.row > 1 && ago < 2 * DAY ? `${days.row} days in a row` : "";
    place.textContent = ago < DAY ? `✓ ${row || "Solved"}` : row;
  }

  document.addEventListener("htmx:after:swap", show);
  addEventListener("storage", show); // another tab
  show();
})();
