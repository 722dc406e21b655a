// The crosstable's numbers say their exact chances where they are pressed, without a page of their own.
"use strict";
document.addEventListener("click", (event) => {
  const cell = event.target.closest(".heat a");
  if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.getElementById("pair").textContent = cell.title;
});
