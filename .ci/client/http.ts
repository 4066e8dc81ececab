// One server over HTTP for several clients: both generations of the TypeScript SDK,
// over Streamable HTTP and the older HTTP+SSE, directly and through a proxy on this
// machine, by a URL of its own and by one that the other protocol has too; and after
// the server was killed.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { check, finish, Inbox } from './checks.js';
import { commandLine, passagesOf, textOf, workspace } from './workspace.js';

const told = 5_000; // ms from a change of a file to the notification
const { binary, samples } = commandLine();
const w = workspace(binary, samples);

/** Starts the server at an address and returns where it listens. */
async function serve(address: string): Promise<{ server: ChildProcess; origin: string }> {
  const server = spawn(binary, ['serve', `--http=${address}`, w.folder], { env: { ...process.env, ...w.server.env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    server.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const at = /MCP at (\S+)\/mcp/.exec(said)?.[1];
      if (at) resolve(at);
    });
    server.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
  });
  return { server, origin };
}

/** A reverse proxy on this machine that passes everything on as it comes. */
async function proxy(to: string): Promise<string> {
  const front = createServer((req, res) => {
    const back = request(to + req.url, { method: req.method ?? 'GET', headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    back.on('error', () => res.destroy());
    res.on('close', () => back.destroy());
    req.pipe(back);
  });
  front.listen(0, '127.0.0.1').unref();
  await once(front, 'listening');
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

/** What the clients have in common, as far as it is used here. */
interface Connection {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(p: { uri: string }): Promise<{ contents: unknown[] }>;
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>;
}

/** Asks, reads a passage of a file with a Chinese name, and lists. */
async function use(client: Connection): Promise<void> {
  const result = (await client.callTool({ name: 'retrieve_docs', arguments: { query: '高血压患者饮食要注意什么', path: '高血压.txt' } })) as CallToolResult;
  assert.ok(!result.isError, textOf(result.content));
  const [passage] = passagesOf(result.content);
  assert.ok(passage && decodeURI(passage.uri).includes('/高血压.txt#line='), passage?.uri);
  const { contents } = await client.readResource({ uri: passage.uri });
  assert.equal((contents[0] as { text: string }).text, passage.text);
}

/** Follows a file by `listen`, changes it, and waits to be told. */
async function follow(client: Connection, updated: Inbox<string>, listen: (uri: string) => Promise<unknown>): Promise<void> {
  const file = (await client.listResources()).resources.find((r) => r.name === '高血压.txt');
  assert.ok(file);
  await listen(file.uri);
  w.write(file.name, `${w.read(file.name)}\n\n又一句话，${performance.now()}。\n`);
  await updated.find((uri) => uri === file.uri, told);
}

const info = { name: 'http-client', version: '1.0.0' };

async function oldClient(transport: OldTransport | SSEClientTransport): Promise<OldClient> {
  const updated = new Inbox<string>();
  const client = new OldClient(info);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => updated.push(n.params.uri));
  await client.connect(transport);
  await use(client);
  await follow(client, updated, (uri) => client.subscribeResource({ uri }));
  return client;
}

async function newClient(origin: string): Promise<NewClient> {
  const updated = new Inbox<string>();
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } });
  client.setNotificationHandler('notifications/resources/updated', (n) => updated.push(n.params.uri));
  await client.connect(new NewTransport(new URL('/mcp', origin)));
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
  await use(client);
  await follow(client, updated, (uri) => client.listen({ resourceSubscriptions: [uri] }));
  return client;
}

const { server, origin } = await serve('127.0.0.1:0');
const clients: { close(): Promise<void> }[] = [];
for (const [how, at] of [['directly', origin], ['through a proxy', await proxy(origin)]] as const) {
  await check(`protocol 2025-11-25 over Streamable HTTP, ${how}`, async () => {
    clients.push(await oldClient(new OldTransport(new URL('/mcp', at))));
  });
  await check(`protocol 2026-07-28, ${how}`, async () => {
    clients.push(await newClient(at));
  });
  for (const path of ['/sse', '/mcp']) {
    await check(`HTTP+SSE at ${path}, ${how}`, async () => {
      clients.push(await oldClient(new SSEClientTransport(new URL(path, at))));
    });
  }
}
await check('after the server was killed clients come back', async () => {
  server.removeAllListeners('exit');
  server.kill('SIGKILL');
  await once(server, 'close');
  const again = await serve(new URL(origin).host);
  clients.push(await oldClient(new OldTransport(new URL('/mcp', origin))), await newClient(origin));
  again.server.removeAllListeners('exit');
  for (const client of clients) await client.close().catch(() => {}); // some were of the one that is gone
  again.server.kill();
});
w.remove();
finish();
