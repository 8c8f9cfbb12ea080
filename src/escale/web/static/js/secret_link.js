// A link whose secret is in the fragment, which no server and no preview ever sees: it goes into the
// form of the page, which is sent at once.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-secret]"));
const secret = location.hash.slice(1);
if (form && secret) {
  history.replaceState(null, "", location.pathname + location.search);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(form.dataset.secret ?? ""));
  field.value = decodeURIComponent(secret);
  form.submit();
}
