// @ts-check
// Loaded before the first paint, so that a remembered theme does not flash: not a module.
(function () {
  const root = document.documentElement;
  root.classList.add("scripted");

  /** @returns {string | null} */
  function remembered() {
    try {
      return localStorage.getItem("escale.theme");
    } catch {
      return null; // storage is forbidden: the system's theme holds
    }
  }

  /** @param {string | null} theme */
  function show(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  show(remembered());
  try {
    // A page that rings when a game waits: only where its reader wished it.
    if (localStorage.getItem("escale.ring") === "true") import("./ring.js").catch(() => {});
  } catch {
    // Storage is forbidden: it was never wished.
  }
  addEventListener("storage", (event) => {
    if (event.key === "escale.theme") show(event.newValue);
  });
  document.addEventListener("click", (event) => {
    const target = event.target;
    if (!(target instanceof Element) || !target.closest("[data-theme-switch]")) return;
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
    show(next);
    try {
      // Back to the system's own theme means: nothing to remember.
      if (next === system) localStorage.removeItem("escale.theme");
      else localStorage.setItem("escale.theme", next);
    } catch {
      // It holds for this page at least.
    }
  });
})();
