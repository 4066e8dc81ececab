// The page of another origin between a host and what it draws, as the extension wants of hosts in a
// browser: it writes the page into a frame and passes messages on.
const inner = document.createElement("iframe");
inner.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
inner.title = "page";
document.body.append(inner);
window.addEventListener("message", ({ source, data }) => {
  if (source === inner.contentWindow) {
    window.parent.postMessage(data, "*");
  } else if (source === window.parent && data?.method === "ui/notifications/sandbox-resource-ready") {
    if (data.params.permissions?.clipboardWrite) inner.allow = "clipboard-write";
    inner.contentDocument.open();
    inner.contentDocument.write(data.params.html);
    inner.contentDocument.close();
  } else if (source === window.parent) {
    inner.contentWindow.postMessage(data, "*");
  }
});
window.parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
