// What both hosts do alike: they ask a server as a host does for its model, and say what they look like.
export const asked = new URL(location.href).searchParams;
export const call = { name: asked.get("tool"), arguments: JSON.parse(asked.get("arguments") || "{}") };
export const context = {
  theme: asked.get("theme") || "light", locale: asked.get("locale") || "en-GB", platform: "web", displayMode: "inline", availableDisplayModes: ["inline"],
};
export const drawn = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
export const server = new URL("/mcp", location.href);
export const sandbox = new URL(asked.get("sandbox"));

// Tests wait for what is told here, and look at what the model of the host would get.
window.told = { calls: [], sizes: [], errors: [] };
export const fail = (error) => told.errors.push(String(error?.stack || error));
window.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
