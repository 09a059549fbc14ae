"use strict";
// The page is whole without this: it only opens and hides turns.
const turnAt = () => {
  const found = document.getElementById(location.hash.slice(1));
  if (found instanceof HTMLDetailsElement) {
    found.closest("article").classList.remove("hide-plain");
    found.closest("article").querySelector(".only").checked = false;
    found.open = true;
    found.scrollIntoView({ block: "center" });
  }
};
addEventListener("hashchange", turnAt);
for (const article of document.querySelectorAll("article")) {
  const setAll = (open) => () => article.querySelectorAll("details").forEach((turn) => { turn.open = open; });
  article.querySelector(".open").addEventListener("click", setAll(true));
  article.querySelector(".shut").addEventListener("click", setAll(false));
  article.querySelector(".only").addEventListener("change", (event) => {
    article.classList.toggle("hide-plain", event.target.checked);
  });
}
addEventListener("beforeprint", () => {
  for (const turn of document.querySelectorAll("details:not(.plain)")) turn.open = true;
});
turnAt();
