"use strict";
// Without this script the values are there to be selected, and no button is shown.
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (button === null) {
    return;
  }
  const value = button.closest("div").querySelector("samp");
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(value.textContent);
  } catch {
    getSelection().selectAllChildren(value);
    done = "Selected";
  }
  document.querySelector("[role=status]").textContent = done;
  button.textContent = done;
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
