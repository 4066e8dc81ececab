// A host made of the AppRenderer of @mcp-ui/client, as React applications use it.
import { AppRenderer, UI_EXTENSION_CAPABILITIES } from "@mcp-ui/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { call, context, fail, sandbox, server } from "./connect.js";

const run = async () => {
  const client = new Client({ name: "apprenderer", version: "1" }, { capabilities: { extensions: UI_EXTENSION_CAPABILITIES } });
  await client.connect(new StreamableHTTPClientTransport(server));
  const { tools } = await client.listTools();
  told.tools = tools.filter((t) => t._meta?.ui?.visibility?.includes("model") ?? true).map((t) => t.name);
  const result = await client.callTool(call);
  told.content = result.content;
  const request = client.request.bind(client); // onCallTool is never called where there is a client
  client.request = (message, ...rest) => {
    if (message.method === "tools/call") told.calls.push(message.params);
    return request(message, ...rest);
  };
  const Host = () => {
    const [hostContext, wear] = useState(context);
    window.wear = (change) => wear({ ...context, ...change });
    return createElement(AppRenderer, {
      client, toolName: call.name, sandbox: { url: sandbox }, toolInput: call.arguments, toolResult: result, hostContext, onError: fail,
      onSizeChanged: (size) => told.sizes.push(size),
    });
  };
  createRoot(document.getElementById("app")).render(createElement(Host));
};
run().catch(fail);
