// What a release, or a build for each system, has made.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const systems = ['linux', 'darwin', 'windows'];
const machines = ['amd64', 'arm64'];

/**
 * The program for each system and machine, from the folder that a release leaves
 * (with the list artifacts.json), or from one with folders such as linux-amd64.
 */
export function binaries(folder) {
  const list = join(folder, 'artifacts.json');
  const made = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8')).filter((a) => a.type === 'Binary').map((a) => ({ system: a.goos, machine: a.goarch, path: resolve(folder, '..', a.path) }))
    : systems.flatMap((system) => machines.map((machine) => ({ system, machine, path: resolve(folder, `${system}-${machine}`, executable(system)) })));
  const missing = made.filter(({ path }) => !existsSync(path));
  if (made.length !== systems.length * machines.length || missing.length > 0) {
    throw new Error(`${folder} does not hold the program for each system: ${missing.map(({ path }) => path).join(', ')}`);
  }
  return made;
}

/** What the program is called on a system. */
export function executable(system) {
  return system === 'windows' ? 'vademecum.exe' : 'vademecum';
}
