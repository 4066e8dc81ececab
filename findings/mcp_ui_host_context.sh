#!/usr/bin/env bash
# The AppRenderer of @mcp-ui/client fails where it is given a hostContext from the beginning.
#
# Expected: the context (theme, locale) goes to the page with the answer to ui/initialize, and nothing is
# sent before a page is there.
# Seen with @mcp-ui/client 7.1.1 (Node 20, React 19): the context arrives so, but it is also sent when
# the bridge is not connected yet, which nobody catches: an unhandled rejection "Not connected" in every page
# that uses the component in this way. Without the property there is none.
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
const rejected = []
process.on('unhandledRejection', (error) => rejected.push(error.message))
const { AppRenderer } = await import('@mcp-ui/client')
const { createElement } = await import('react')
const { createRoot } = await import('react-dom/client')

const page = { uri: 'ui://page', mimeType: 'text/html;profile=mcp-app', text: '<p>page</p>' }
const client = { // as Client of @modelcontextprotocol/sdk is, as far as it is used
  getServerCapabilities: () => ({ tools: {} }),
  listTools: async () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: page.uri } } }] }),
  readResource: async () => ({ contents: [page] }),
  request: async () => ({ content: [] }),
  setNotificationHandler() {},
}
const props = { client, toolName: 'look', sandbox: { url: new URL('http://127.0.0.1/sandbox') }, ...(process.argv[2] ? { hostContext: { theme: process.argv[2] } } : {}) }
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
send({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'page', version: '1' }, appCapabilities: {} } })
await until(() => received.some((m) => m.id === 1))
send({ method: 'ui/notifications/initialized', params: {} })
console.info(`page: ${JSON.stringify(received.find((m) => m.id === 1).result.hostContext)}, unhandled: ${rejected.join() || 'nothing'}`)
process.exit(0)
END

node -p "'@mcp-ui/client ' + JSON.parse(fs.readFileSync('node_modules/@mcp-ui/client/package.json')).version"
{ timeout 120 node host.mjs dark; timeout 120 node host.mjs; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
page: {"theme":"dark"}, unhandled: Not connected
page: {}, unhandled: nothing
END
