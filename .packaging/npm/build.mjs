// Lays out the packages for npm: one with the program for each system and machine, and
// one that everybody installs, which starts the program of the machine.
//
//   node build.mjs BINARIES VERSION OUT
//
// MCP_NAME is the name that the registry of MCP servers has the package under, and
// REPOSITORY_URL where its source is; without them the packages do not say so.

import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binaries, executable } from '../binaries.mjs';

const [folder, version, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const licence = join(here, '..', '..', 'LICENSE');
const { MCP_NAME: mcpName, REPOSITORY_URL: url } = process.env;
const repository = url ? { type: 'git', url: `git+${url}.git` } : undefined;

/** What npm calls systems and machines. */
const os = { linux: 'linux', darwin: 'darwin', windows: 'win32' };
const cpu = { amd64: 'x64', arm64: 'arm64' };

function write(at, about) {
  writeFileSync(join(at, 'package.json'), JSON.stringify(about, null, 2) + '\n');
  copyFileSync(licence, join(at, 'LICENSE'));
}

const main = JSON.parse(readFileSync(join(here, 'vademecum', 'package.json'), 'utf8'));
const ours = binaries(folder).map(({ system, machine, path }) => {
  const name = `${main.name}-${os[system]}-${cpu[machine]}`;
  const bin = join(out, name, 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(path, join(bin, executable(system)));
  chmodSync(join(bin, executable(system)), 0o755);
  write(join(out, name), {
    name, version, description: `The program of ${main.name} for ${system} on ${machine}`, license: main.license,
    repository, os: [os[system]], cpu: [cpu[machine]], files: ['bin'], preferUnplugged: true,
  });
  return name;
});

cpSync(join(here, 'vademecum'), join(out, main.name), { recursive: true });
write(join(out, main.name), {
  ...main, version, mcpName, repository,
  optionalDependencies: Object.fromEntries(ours.map((name) => [name, version])),
});
