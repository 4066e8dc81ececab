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
const w = workspace(binary, samples, '笔记 与 资料');

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
  assert.ok(passage && decodeURI(passage.uri).includes('/高血压.txt#L'), passage?.uri);
  for (const uri of [passage.uri, decodeURI(passage.uri), passage.uri.replace(/%[0-9A-F]{2}/g, (e) => e.toLowerCase())]) { // in the header Mcp-Name too
    const { contents } = await client.readResource({ uri });
    assert.equal((contents[0] as { text: string }).text, passage.text, uri);
  }
}

/** Follows a file by `listen`, changes it, and waits to be told. */
async function follow(client: Connection, updated: Inbox<string>, listen: (uri: string) => Promise<unknown>): Promise<void> {
  const file = (await client.listResources()).resources.find((r) => r.name === '高血压.txt');
  assert.ok(file);
  await listen(decodeURI(file.uri));
  w.write(file.name, `${w.read(file.name)}\n\n又一句话，${performance.now()}。\n`);
  await updated.find((uri) => uri === file.uri, told);
}

const info = { name: 'http-client', version: '1.0.0' };

/** A client of the first generation, which begins a session as often as it is asked to. */
class Old {
  private readonly updated = new Inbox<string>();
  private client = new OldClient(info);

  constructor(private readonly transport: () => OldTransport | SSEClientTransport) {}

  async begin(): Promise<this> {
    this.client = new OldClient(info);
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => this.updated.push(n.params.uri));
    await this.client.connect(this.transport());
    return this.goOn();
  }

  async goOn(): Promise<this> {
    await use(this.client);
    await follow(this.client, this.updated, (uri) => this.client.subscribeResource({ uri }));
    return this;
  }

  /** The session of a server that is gone is refused, as hosts have to know to begin another. */
  async comesBack(): Promise<void> {
    await assert.rejects(this.client.listTools(undefined, { timeout: told }));
    await this.client.close();
    await this.begin();
  }

  close = () => this.client.close();
}

/** A client of the second, which has no session. */
class New {
  private readonly updated = new Inbox<string>();
  private readonly client = new NewClient(info, { versionNegotiation: { mode: 'auto' } });

  constructor(private readonly at: string) {}

  async begin(): Promise<this> {
    this.client.setNotificationHandler('notifications/resources/updated', (n) => this.updated.push(n.params.uri));
    await this.client.connect(new NewTransport(new URL('/mcp', this.at)));
    assert.equal(this.client.getNegotiatedProtocolVersion(), '2026-07-28');
    await this.comesBack();
    return this;
  }

  async comesBack(): Promise<void> {
    await use(this.client);
    await follow(this.client, this.updated, (uri) => this.client.listen({ resourceSubscriptions: [uri] }));
  }

  close = () => this.client.close();
}

let { server, origin } = await serve('127.0.0.1:0');

/** Ends the server as a crash does, with all of its streams open. */
async function kill(): Promise<void> {
  server.removeAllListeners('exit');
  server.kill('SIGKILL');
  await once(server, 'close');
}

const clients: { how: string; client: Old | New }[] = [];

async function joins(how: string, client: Old | New): Promise<void> {
  await check(how, async () => {
    clients.push({ how, client: await client.begin() });
  });
}

for (const [way, at] of [['directly', origin], ['through a proxy', await proxy(origin)]] as const) {
  await joins(`protocol 2025-11-25 over Streamable HTTP, ${way}`, new Old(() => new OldTransport(new URL('/mcp', at))));
  await joins(`protocol 2026-07-28, ${way}`, new New(at));
  for (const path of ['/sse', '/mcp']) {
    await joins(`HTTP+SSE at ${path}, ${way}`, new Old(() => new SSEClientTransport(new URL(path, at))));
  }
}
w.write('acknowledged.md', '# Kept\n\nThe word is quixotry.\n');
await check('what was acknowledged before a kill is there after it', async () => {
  const client = new OldClient(info);
  await client.connect(new OldTransport(new URL('/mcp', origin)));
  await client.callTool({ name: 'index_docs', arguments: {} });
  await kill();
  ({ server } = await serve(new URL(origin).host));
  const next = new OldClient(info);
  await next.connect(new OldTransport(new URL('/mcp', origin)));
  const result = (await next.callTool({ name: 'retrieve_docs', arguments: { query: 'quixotry' } })) as CallToolResult;
  assert.ok(passagesOf(result.content)[0]?.uri.includes('/acknowledged.md'), textOf(result.content));
  await next.close();
});
for (const { how, client } of clients) {
  await check(`${how}: comes back after it`, () => client.comesBack());
  await client.close().catch(() => {}); // the stream may be of the server that is gone
}
await kill();
w.remove();
finish();
