// Says, where the page names an address, the one that it was opened at: the port and the path of a proxy may be others
// than those that are served by default.
const address = new URL('.', window.location.href).href.replace(/\/$/, '');
for (const place of document.querySelectorAll('[data-address]')) place.textContent = address;
