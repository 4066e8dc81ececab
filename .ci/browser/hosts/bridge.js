// A host made of the AppBridge of @modelcontextprotocol/ext-apps: it lists tools, calls one, reads the
// page that the tool names, and has the bridge speak with it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport, RESOURCE_MIME_TYPE, buildAllowAttribute, getToolUiResourceUri, isToolVisibilityAppOnly } from "@modelcontextprotocol/ext-apps/app-bridge";
import { call, context, drawn, fail, sandbox, server } from "./connect.js";

const run = async () => {
  const client = new Client({ name: "appbridge", version: "1" }, { capabilities: drawn });
  await client.connect(new StreamableHTTPClientTransport(server));
  const { tools } = await client.listTools();
  told.tools = tools.filter((t) => !isToolVisibilityAppOnly(t)).map((t) => t.name);
  const uri = getToolUiResourceUri(tools.find((t) => t.name === call.name));
  const [page] = (await client.readResource({ uri })).contents;
  if (page.mimeType !== RESOURCE_MIME_TYPE) throw new Error("the page is " + page.mimeType);
  const { csp, permissions } = page._meta.ui;

  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.setAttribute("allow", buildAllowAttribute(permissions));
  frame.title = "results";
  const ready = new Promise((resolve) => {
    window.addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === "ui/notifications/sandbox-proxy-ready") resolve();
    });
  });
  sandbox.searchParams.set("csp", JSON.stringify(csp));
  frame.src = sandbox.href;
  document.getElementById("app").append(frame);
  await ready;

  const bridge = new AppBridge(client, { name: "appbridge", version: "1" }, { serverTools: {}, logging: {} }, { hostContext: context });
  const initialized = new Promise((resolve) => { bridge.oninitialized = resolve; });
  bridge.onsizechange = ({ width, height }) => {
    told.sizes.push({ width, height });
    if (height) frame.style.height = height + "px";
  };
  const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  await bridge.connect(transport);
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (message.method === "tools/call") told.calls.push(message.params);
    receive(message, extra);
  };
  await bridge.sendSandboxResourceReady({ html: page.text, csp, permissions });
  await initialized;
  bridge.sendToolInput({ arguments: call.arguments });
  const result = await client.callTool(call);
  told.content = result.content;
  bridge.sendToolResult(result);
  window.wear = (change) => bridge.setHostContext({ ...context, ...change });
};
run().catch(fail);
