// In the service worker: a message of the house becomes a notification, unless its table is being
// looked at. A tap on it leads to the table. The message is JSON with `title`, `text`, `link` and `tag`.
{
  const worker = /** @type {any} */ (self);

  /** The windows of the house that are open. */
  const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

  /** @param {string} link */
  const path = (link) => new URL(link, worker.location.origin).pathname;

  /** @param {{title: string, text: string, link: string, tag: string}} message */
  const show = async ({ title, text, link, tag }) => {
    const open = await windows();
    if (open.some((/** @type {any} */ one) => one.focused && path(one.url) === path(link))) return;
    await worker.registration.showNotification(title, {
      body: text, tag, renotify: true, icon: "/static/icons/escale-192.png", data: { link },
    });
    await worker.navigator.setAppBadge?.();
  };

  /** @param {string} link */
  const go = async (link) => {
    const there = new URL(link, worker.location.origin);
    const open = await windows();
    const same = open.find((/** @type {any} */ one) => path(one.url) === there.pathname);
    await worker.navigator.clearAppBadge?.();
    return same ? same.focus() : worker.clients.openWindow(there.pathname + there.search);
  };

  worker.addEventListener("push", (/** @type {any} */ event) => {
    const message = event.data?.json();
    if (message?.title) event.waitUntil(show(message));
  });
  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(go(event.notification.data?.link ?? "/mine"));
  });
}
