// Lays out the desktop extension: its manifest and the program for each system, in one
// file for all, because hosts and the registry offer no choice.
//
//   node build.mjs BINARIES VERSION OUT
//
// REPOSITORY_URL is where the source is; without it the manifest does not say so. The
// result is not signed: a signature stands behind the end of the archive, and hosts
// refuse such a file.

import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binaries, executable } from '../binaries.mjs';

const [folder, version, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { REPOSITORY_URL: url } = process.env;

const manifest = JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8'));
manifest.version = version;
if (url) {
  Object.assign(manifest, { repository: { type: 'git', url: `${url}.git` }, homepage: url, support: `${url}/issues` });
}

for (const part of ['server', 'mcpb-resources']) {
  cpSync(join(here, part), join(out, part), { recursive: true });
}
writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest, null, 2) + '\n');
copyFileSync(join(here, '..', '..', 'LICENSE'), join(out, 'LICENSE'));
for (const { system, machine, path } of binaries(folder)) {
  if (system === 'windows' && machine === 'arm64') continue; // Windows runs the other one there, and no host can choose
  const at = join(out, 'server', `${system}-${machine}`);
  mkdirSync(at, { recursive: true });
  copyFileSync(path, join(at, executable(system)));
  chmodSync(join(at, executable(system)), 0o755);
}
