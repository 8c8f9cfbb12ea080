// The service worker of the house. It is served at `/sw.js`, so that its scope is every page; each
// file that it imports is one thing that it does.
/** @type {any} */ (self).importScripts("static/js/push_worker.js", "static/js/offline_worker.js");
