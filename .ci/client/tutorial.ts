// The flow of the well-known tutorial client, with the first generation of the
// TypeScript SDK (protocol 2025-11-25) over stdio.

import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  ErrorCode,
  McpError,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  type CallToolResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { check, finish, Inbox, isRunning } from './checks.js';
import { commandLine, describesFile, filesOf, passagesOf, textOf, toolNames, workspace, type Passage, type Workspace } from './workspace.js';

const told = 2_000; // ms from a change of a file to the notification
const gone = 1_000; // ms from the end of stdin to the end of the process

const questions = [
  ['高血压患者饮食要注意什么', '高血压.txt'],
  ['How many daily steps are linked with lower mortality?', 'research/step-count-mortality.md'],
  ['What should I do when blood sugar drops too low?', 'notes/insulin-hypoglycaemia.md'],
] as const;

class Session {
  readonly updated = new Inbox<string>();
  readonly listChanged = new Inbox<string>();
  readonly client = new Client({ name: 'tutorial-client', version: '1.0.0' });
  private readonly transport: StdioClientTransport;

  constructor(w: Workspace) {
    this.transport = new StdioClientTransport(w.server);
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => this.updated.push(n.params.uri));
    this.client.setNotificationHandler(ResourceListChangedNotificationSchema, (n) => this.listChanged.push(n.method));
  }

  connect(): Promise<void> {
    return this.client.connect(this.transport);
  }

  async call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args }, CallToolResultSchema)) as CallToolResult;
  }

  /** All resources, and how many pages they came in. */
  async resources(): Promise<{ list: Resource[]; pages: number }> {
    const list: Resource[] = [];
    for (let pages = 1, cursor: string | undefined; ; pages++) {
      // Without a cursor there are no params at all.
      const page = await this.client.listResources(cursor === undefined ? undefined : { cursor });
      list.push(...page.resources);
      cursor = page.nextCursor;
      if (cursor === undefined) return { list, pages };
      assert.ok(pages < 100, 'the list ends');
    }
  }

  /**
   * The resource called `name`, listed after a list_changed from position
   * `from` on. An earlier edit may be told late, so each one is followed.
   */
  async listedAfterTold(name: string, from: number): Promise<Resource> {
    const deadline = Date.now() + told;
    for (;;) {
      await this.listChanged.find(() => true, deadline - Date.now(), from);
      from = this.listChanged.received.length;
      const resource = (await this.resources()).list.find((r) => r.name === name);
      if (resource) return resource;
    }
  }

  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri });
    assert.equal(contents.length, 1);
    const [first] = contents;
    assert.ok(first && 'text' in first, `text of ${uri}`);
    return first.text;
  }

  /** Closes the connection; the server has to end by itself. */
  async close(): Promise<void> {
    const pid = this.transport.pid;
    assert.ok(pid, 'the server was running');
    const start = performance.now();
    await this.client.close();
    const took = performance.now() - start;
    assert.ok(took < gone, `the server took ${took.toFixed(0)} ms to end`);
    assert.ok(!isRunning(pid), 'the process is gone');
  }
}

async function lists(s: Session, w: Workspace): Promise<Resource[]> {
  await check('tools/list shows all tools', async () => {
    const { tools } = await s.client.listTools();
    assert.deepEqual(tools.map((t) => t.name).sort(), toolNames());
    const search = tools.find((t) => t.name === 'retrieve_docs')?.inputSchema.properties ?? {};
    for (const tool of tools) {
      assert.ok(tool.description && tool.annotations, `${tool.name} has a description and annotations`);
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        const filter = search[name]; // filters are described once
        assert.ok('description' in schema || (filter && 'description' in filter), `${tool.name}: ${name} has a description`);
      }
    }
  });
  let list: Resource[] = [];
  await check('resources/list shows every file of the folder', async () => {
    ({ list } = await s.resources());
    assert.deepEqual(list.map((r) => r.name).sort(), filesOf(w.folder));
    list.forEach((r) => describesFile(r, w.folder));
  });
  await check('resources/read returns the text of each file', async () => {
    assert.notEqual(list.length, 0);
    for (const r of list) assert.equal(await s.read(r.uri), w.read(r.name), r.name);
  });
  await check('resources/templates/list and prompts/list answer', async () => {
    assert.notEqual((await s.client.listResourceTemplates()).resourceTemplates.length, 0);
    assert.deepEqual((await s.client.listPrompts()).prompts.map((p) => p.name), ['answer_from_docs']);
  });
  return list;
}

async function retrieves(s: Session, w: Workspace, list: Resource[]): Promise<void> {
  await check('index_docs counts the texts of all files', async () => {
    const texts = list.map((r) => w.read(r.name));
    const result = await s.call('index_docs', { docs: texts });
    assert.ok(!result.isError, textOf(result.content));
    assert.equal(textOf(result.content).split('\n')[0], `Indexed ${texts.length} documents; ${texts.length} in total.`);
  });
  for (const [query, expected] of questions) {
    await check(`retrieve_docs: ${query}`, async () => {
      const result = await s.call('retrieve_docs', { query, top_k: 3 });
      assert.ok(!result.isError, textOf(result.content));
      assert.notEqual(textOf(result.content), '', 'a block that a person can read');
      const passages = passagesOf(result.content);
      assert.equal(passages.length, 3);
      const best = list.find((r) => r.name === expected);
      assert.ok(best && passages[0] && new URL(passages[0].uri).href.startsWith(best.uri), `the first is ${passages[0]?.uri}`);
      for (const p of passages) assert.equal(await s.read(p.uri), p.text, p.uri);
      // A client that leaves resources out has each passage in the text, below its
      // citation, between two lines of backticks that it does not hold. All of it is in the
      // first block, for clients that give their model no other.
      assert.deepEqual(result.content.map((b) => b.type), ['text', 'resource', 'resource', 'resource']);
      let text = textOf(result.content.slice(0, 1));
      passages.forEach((p, i) => {
        const lines = text.split('\n');
        const fence = lines.find((line) => /^`{3,}$/.test(line)) ?? '';
        const citation = lines.slice(0, lines.indexOf(fence)).join('\n'); // where it stands, and what else there is of it
        assert.ok(citation.startsWith(`[${i + 1}] `), text);
        assert.ok(!p.text.split('\n').some((line) => line.trim() === fence), text);
        const block = `${citation}\n${fence}\n${p.text.replace(/\n$/, '')}\n${fence}\n`;
        assert.ok(text.startsWith(block), text);
        text = text.slice(block.length).trimStart();
      });
    });
  }
}

async function refuses(s: Session): Promise<void> {
  await check('an unknown tool is a protocol error', () =>
    assert.rejects(s.call('no_such_tool', {}), (e) => e instanceof McpError && e.code === ErrorCode.InvalidParams));
  const bad: [string, Record<string, unknown>][] = [
    ['retrieve_docs', {}],
    ['retrieve_docs', { query: '' }],
    ['retrieve_docs', { query: 'salt', top_k: 0 }],
    ['retrieve_docs', { query: 'salt', top_k: 1000 }],
    ['retrieve_docs', { query: 'salt', top_k: 'five' }],
    ['retrieve_docs', { query: 'x'.repeat(100_000) }],
    ['retrieve_docs', { query: 'salt', topk: 3 }],
    ['read_doc', { path: '../../etc/passwd' }],
    ['read_doc', { path: 'no such file.md' }],
    ['index_docs', { docs: 5 }],
  ];
  for (const [tool, args] of bad) {
    await check(`bad arguments are answered: ${tool} ${JSON.stringify(args).slice(0, 60)}`, async () => {
      const result = await s.call(tool, args);
      assert.equal(result.isError, true, textOf(result.content));
      assert.match(textOf(result.content), /^.{10,300}$/, 'one line');
    });
  }
  await check('a parameter that a host adds is ignored, with a note', async () => {
    const result = await s.call('retrieve_docs', { query: 'salt', wait_for_previous: false });
    assert.ok(!result.isError && passagesOf(result.content).length > 0, textOf(result.content));
    assert.match(textOf(result.content), /Ignored.*wait_for_previous/);
  });
  await check('an unknown resource is a protocol error', () =>
    assert.rejects(s.client.readResource({ uri: 'file:///no/such/\u0001%0a.md' }), (e) => e instanceof McpError));
}

async function follows(s: Session, w: Workspace, list: Resource[]): Promise<void> {
  const edited = list.find((r) => r.name.endsWith('.txt'));
  if (!edited) return; // the list is empty, and has been complained of
  const found = async (query: string, sentence: string): Promise<Passage> => {
    const [best] = passagesOf((await s.call('retrieve_docs', { query, top_k: 3 })).content);
    assert.ok(best && best.text.includes(sentence), `the first passage is ${JSON.stringify(best)}`);
    return best;
  };
  await check('an edited file is told to its subscriber and found', async () => {
    await s.client.subscribeResource({ uri: edited.uri });
    w.write(edited.name, `${w.read(edited.name)}\n\nThe zebrafish clinic opens on Thursdays at nine.\n`);
    await s.updated.find((uri) => uri === edited.uri, told);
    await found('When does the zebrafish clinic open?', 'The zebrafish clinic opens on Thursdays');
  });
  const created = '新建 folder/随笔 one.md';
  await check('a new file is told, listed and found', async () => {
    const before = s.listChanged.received.length;
    w.write(created, '# Pangolin\n\nThe pangolin ward moved to the third floor.\n');
    const resource = await s.listedAfterTold(created, before);
    describesFile(resource, w.folder);
    const best = await found('Where is the pangolin ward?', 'third floor');
    assert.ok(new URL(best.uri).href.startsWith(resource.uri), best.uri);
    assert.equal(await s.read(best.uri), best.text);
  });
  await check('only the subscribed file was told', () => {
    assert.deepEqual([...new Set(s.updated.received)], [edited.uri]);
  });
}

async function pages(binary: string): Promise<void> {
  const w = workspace(binary);
  const names = Array.from({ length: 650 }, (_, i) => `note ${String(i).padStart(4, '0')}.md`);
  names.forEach((name, i) => w.write(name, `# Note ${i}\n\nThis is note number ${i}.\n`));
  const s = new Session(w);
  await check('a long list comes in pages and is complete', async () => {
    await s.connect();
    const { list, pages } = await s.resources();
    assert.ok(pages > 1, 'more than one page');
    assert.deepEqual(list.map((r) => r.name).sort(), names);
  });
  await check('the server of the long list ends', () => s.close());
  w.remove();
}

const { binary, samples } = commandLine();
const w = workspace(binary, samples);
const s = new Session(w);
await check('initialize is answered', () => s.connect());
const list = await lists(s, w);
await retrieves(s, w, list);
await refuses(s);
await follows(s, w, list);
await check('the server ends with its client', () => s.close());
w.remove();
await pages(binary);
finish();
