// Protocol 2026-07-28 over stdio, with the second generation of the TypeScript
// SDK: no initialize, and several subscriptions/listen streams at a time.

import assert from 'node:assert/strict';
import { Client, ProtocolError, SUBSCRIPTION_ID_META_KEY, type Resource } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { check, finish, Inbox, isRunning } from './checks.js';
import { commandLine, describesFile, filesOf, passagesOf, textOf, toolNames, workspace } from './workspace.js';

const told = 2_000; // ms from a change of a file to the notification
const gone = 1_000; // ms from the end of stdin to the end of the process

/** A notification, and the stream it came on. */
interface Told {
  stream: unknown;
  uri?: string;
}

const { binary, samples } = commandLine();
const w = workspace(binary, samples);
const client = new Client({ name: 'modern-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const transport = new StdioClientTransport(w.server);
const updated = new Inbox<Told>();
const listChanged = new Inbox<Told>();
client.setNotificationHandler('notifications/resources/updated', (n) =>
  updated.push({ stream: n.params._meta?.[SUBSCRIPTION_ID_META_KEY], uri: n.params.uri }));
client.setNotificationHandler('notifications/resources/list_changed', (n) =>
  listChanged.push({ stream: n.params?._meta?.[SUBSCRIPTION_ID_META_KEY] }));

async function read(uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  assert.ok(first && 'text' in first, `text of ${uri}`);
  return first.text;
}

function append(resource: Resource, sentence: string): void {
  w.write(resource.name, `${w.read(resource.name)}\n\n${sentence}\n`);
}

/** The stream on which a change of a resource was told. */
async function streamOf(resource: Resource, from: number): Promise<unknown> {
  const { stream } = await updated.find((n) => n.uri === resource.uri, told, from);
  assert.notEqual(stream, undefined, 'the notification names its stream');
  return stream;
}

let list: Resource[] = [];

async function answers(): Promise<void> {
  await check('protocol 2026-07-28 is agreed on', async () => {
    await client.connect(transport);
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.equal(client.getServerVersion()?.name, 'vademecum');
  });
  await check('tools/list shows all tools', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((t) => t.name).sort(), toolNames());
  });
  await check('resources/list shows every file of the folder', async () => {
    list = (await client.listResources()).resources;
    assert.deepEqual(list.map((r) => r.name).sort(), filesOf(w.folder));
    list.forEach((r) => describesFile(r, w.folder));
  });
  await check('resources/read returns the text of a file', async () => {
    const [first] = list;
    assert.ok(first);
    assert.equal(await read(first.uri), w.read(first.name));
  });
  await check('retrieve_docs returns passages that read back', async () => {
    const result = await client.callTool({ name: 'retrieve_docs', arguments: { query: '高血压患者饮食要注意什么', top_k: 3 } });
    assert.ok(!result.isError, textOf(result.content));
    const passages = passagesOf(result.content);
    assert.equal(passages.length, 3);
    for (const p of passages) assert.equal(await read(p.uri), p.text, p.uri);
  });
  await check('an unknown tool is a protocol error', () =>
    assert.rejects(client.callTool({ name: 'no_such_tool' }), (e) => e instanceof ProtocolError && e.code === -32602));
}

async function streams(): Promise<void> {
  const [one, two] = list;
  if (!one || !two) return; // the list is empty, and has been complained of
  const first = await client.listen({ resourceSubscriptions: [one.uri] });
  const second = await client.listen({ resourceSubscriptions: [two.uri], resourcesListChanged: true });
  await check('both streams are told, each of its file', async () => {
    append(one, 'The zebrafish clinic opens on Thursdays.');
    append(two, 'The pangolin ward moved to the third floor.');
    const ids = [await streamOf(one, 0), await streamOf(two, 0)];
    assert.notEqual(ids[0], ids[1], 'two streams');
    for (const n of updated.received) assert.equal(n.stream, n.uri === one.uri ? ids[0] : ids[1], JSON.stringify(n));
  });
  await check('a new file is told to the stream that asked', async () => {
    w.write('new note.md', '# New\n\nA new note.\n');
    const { stream } = await listChanged.find(() => true, told);
    assert.equal(stream, await streamOf(two, 0));
    assert.ok(listChanged.received.every((n) => n.stream === stream), 'and to no other');
  });
  await check('a closed stream is told no more, the other is', async () => {
    await first.close();
    assert.equal(await first.closed, 'local');
    const before = updated.received.length;
    append(one, 'A second change.');
    append(two, 'A second change.');
    await streamOf(two, before);
    // Another round: what was meant for the closed stream would have come by now.
    const middle = updated.received.length;
    append(two, 'A third change.');
    await streamOf(two, middle);
    assert.ok(updated.received.slice(before).every((n) => n.uri === two.uri), JSON.stringify(updated.received.slice(before)));
  });
  await second.close();
}

await answers();
await streams();
await check('the server ends with its client', async () => {
  const pid = transport.pid;
  assert.ok(pid, 'the server was running');
  const start = performance.now();
  await client.close();
  const took = performance.now() - start;
  assert.ok(took < gone, `the server took ${took.toFixed(0)} ms to end`);
  assert.ok(!isRunning(pid), 'the process is gone');
});
w.remove();
finish();
