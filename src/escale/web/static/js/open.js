// A link to a notebook has its secret in the fragment, which no server and no preview ever sees.
const form = /** @type {HTMLFormElement} */ (document.getElementById("open"));
const secret = location.hash.slice(1);
if (secret.length > 20) {
  history.replaceState(null, "", location.pathname + location.search);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
  field.value = secret;
  /** @type {HTMLElement} */ (form.querySelector(".by-code")).hidden = true;
}
