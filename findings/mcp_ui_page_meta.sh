#!/usr/bin/env bash
# The AppRenderer of @mcp-ui/client drops what a page asks for in its _meta.ui.
#
# Expected: the host gives the sandbox the csp and the permissions that stand in the _meta.ui of the
# resource, as MCP Apps (2026-01-26) says: "Host MUST construct CSP headers based on declared domains".
# Seen with @mcp-ui/client 7.1.1 (Node 20, React 19): ui/notifications/sandbox-resource-ready has the HTML
# alone. Domains have to be given again as a property of the component, and permissions, such as to write to
# the clipboard, cannot be given.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @mcp-ui/client@7.1.1 @modelcontextprotocol/sdk@1.32.2 react@19.3.1 react-dom@19.3.1 jsdom@27.0.0

cat > host.mjs <<'END'
import { JSDOM } from 'jsdom'

process.env.NODE_ENV = 'production'
const { window } = new JSDOM('<div id="app"></div>', { url: 'http://127.0.0.1/' })
for (const name of ['window', 'document', 'navigator', 'HTMLElement']) Object.defineProperty(globalThis, name, { value: name === 'window' ? window : window[name], configurable: true })
for (const level of ['debug', 'log', 'warn']) console[level] = () => {}
const { AppRenderer } = await import('@mcp-ui/client')
const { createElement } = await import('react')
const { createRoot } = await import('react-dom/client')

const page = {
  uri: 'ui://page', mimeType: 'text/html;profile=mcp-app', text: '<p>page</p>',
  _meta: { ui: { csp: { connectDomains: ['https://data.example'] }, permissions: { clipboardWrite: {} } } },
}
const client = { // as Client of @modelcontextprotocol/sdk is, as far as it is used
  getServerCapabilities: () => ({ tools: {} }),
  listTools: async () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: page.uri } } }] }),
  readResource: async () => ({ contents: [page] }),
  request: async () => ({ content: [] }),
  setNotificationHandler() {},
}
const props = { client, toolName: 'look', sandbox: { url: new URL('http://127.0.0.1/sandbox') } }
createRoot(document.getElementById('app')).render(createElement(AppRenderer, props))

// The frame of the sandbox: what it is sent, and what it and the page in it send.
const until = (is) => new Promise((resolve) => { const again = setInterval(() => { if (is()) { clearInterval(again); resolve() } }, 10) })
await until(() => document.querySelector('iframe'))
const frame = document.querySelector('iframe')
const received = []
frame.contentWindow.postMessage = (message) => received.push(message)
const send = (message) => window.dispatchEvent(new window.MessageEvent('message', { data: { jsonrpc: '2.0', ...message }, source: frame.contentWindow }))
send({ method: 'ui/notifications/sandbox-proxy-ready', params: {} })
await until(() => received.length > 0)
console.info(JSON.stringify(received[0].params))
process.exit(0)
END

node -p "'@mcp-ui/client ' + JSON.parse(fs.readFileSync('node_modules/@mcp-ui/client/package.json')).version"
timeout 120 node host.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"html":"<p>page</p>"}
END
