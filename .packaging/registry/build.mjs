// Prints what the registry of MCP servers is told: where the packages of a release are.
//
//   GITHUB_REPOSITORY_OWNER=… node build.mjs VERSION EXTENSION.mcpb > server.json

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [version, extension] = process.argv.slice(2);
const owner = process.env.GITHUB_REPOSITORY_OWNER;
if (!owner) throw new Error('GITHUB_REPOSITORY_OWNER is not set');

/** The registry takes names as they are written, those of images are in small letters. */
const fill = (text) => text.replace('ghcr.io/OWNER', `ghcr.io/${owner.toLowerCase()}`).replace('OWNER', owner).replace('VERSION', version);

const server = JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'server.json'), 'utf8'));
server.name = fill(server.name);
server.version = version;
server.repository = { url: `https://github.com/${owner}/vademecum`, source: 'github' };
for (const part of server.packages) {
  part.identifier = fill(part.identifier);
  if (part.version) part.version = version; // an image has it in its name
  if (part.registryType === 'mcpb') part.fileSha256 = createHash('sha256').update(readFileSync(extension)).digest('hex');
}
console.log(JSON.stringify(server, null, 2));
