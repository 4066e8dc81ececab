// Installs the desktop extension as a host does, and starts it: by the functions of the
// official package, which hosts have too. Every file is then made one that nobody may
// run, as Claude Desktop on macOS has it.
//
//   node mcpb.mjs EXTENSION.mcpb SAMPLES

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { ask } from './session.mjs';

const [extension, samples] = process.argv.slice(2);
const tmp = mkdtempSync(join(tmpdir(), 'vademecum mcpb ')); // hosts unpack into folders with spaces
const question = '高血压患者饮食要注意什么';

function fail(text) { throw new Error(text); }

function filesOf(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
}

/** Makes a copy of the extension with files that nobody may run. */
function unpacked(name) {
  const folder = join(tmp, name);
  cpSync(join(tmp, 'extension'), folder, { recursive: true });
  for (const file of filesOf(folder)) chmodSync(file, 0o600);
  return folder;
}

/** What a host starts on a system. */
async function config(folder, userConfig, system = process.platform) {
  const real = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { ...real, value: system });
  try {
    return await getMcpConfigForManifest({
      manifest: JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')),
      extensionPath: folder, systemDirs: { HOME: tmp }, userConfig, pathSeparator: system === 'win32' ? '\\' : '/',
    });
  } finally {
    Object.defineProperty(process, 'platform', real);
  }
}

const env = { HOME: tmp, XDG_CACHE_HOME: join(tmp, 'cache') };

async function answersWithout() {
  const started = await config(unpacked('plain'), { folders: [samples] });
  if (!started.args.includes('${user_config.model}') || started.env.VADEMECUM_API_KEY !== '${user_config.key}') {
    fail(`this host fills in what is not set: ${JSON.stringify(started)}`);
  }
  const answer = await ask({ ...started, env: { ...env, ...started.env } }, question);
  if (!answer.text.includes('高血压.txt') || answer.said !== '') fail(JSON.stringify(answer));
}

async function answersWithSeveral() {
  mkdirSync(join(tmp, 'my notes'));
  writeFileSync(join(tmp, 'my notes', 'garden.md'), '# Garden\n\nThe zinnias are watered on Tuesdays.\n');
  const started = await config(unpacked('several'), { folders: [samples, join(tmp, 'my notes')], model: 'builtin', key: 'secret' });
  const answer = await ask({ ...started, env: { ...env, ...started.env } }, 'zinnias');
  if (!answer.text.includes('garden.md') || answer.said !== '') fail(JSON.stringify(answer));
}

/** On another machine the launcher starts another program: here one that tells where it is. */
async function choosesByMachine() {
  const folder = unpacked('machines');
  for (const file of filesOf(join(folder, 'server')).filter((path) => !path.endsWith('.sh'))) {
    writeFileSync(file, '#!/bin/sh\necho "$0"\n');
  }
  const bin = join(tmp, 'bin');
  mkdirSync(bin);
  const started = await config(folder, { folders: [samples] });
  for (const [system, machine, want] of [
    ['Linux', 'x86_64', 'linux-amd64'], ['Linux', 'aarch64', 'linux-arm64'], ['Darwin', 'x86_64', 'darwin-amd64'], ['Darwin', 'arm64', 'darwin-arm64'],
    ['Linux', 'riscv64', ''], ['FreeBSD', 'amd64', ''],
  ]) {
    writeFileSync(join(bin, 'uname'), `#!/bin/sh\ncase $1 in -s) echo ${system} ;; -m) echo ${machine} ;; esac\n`, { mode: 0o755 });
    const { stdout, stderr, status } = spawnSync(started.command, started.args, { env: { PATH: `${bin}:${process.env.PATH}` }, encoding: 'utf8' });
    if (want ? stdout !== join(folder, 'server', want, 'vademecum') + '\n' : status !== 1 || !stderr.startsWith('vademecum: ')) {
      fail(`${system} on ${machine}: ${stdout}${stderr}`);
    }
  }
}

async function startsOnWindows() {
  const folder = join(tmp, 'extension');
  const { command, args } = await config(folder, { folders: ['C:\\notes'] }, 'win32');
  if (!command.endsWith('.exe') || !existsSync(command)) fail(`there is no ${command}`);
  if (args.join(' ') !== 'serve --embed ${user_config.model} -- C:\\notes') fail(args.join(' '));
}

/** A host asks for nothing that has no words in the other language. */
function translated() {
  const manifest = JSON.parse(readFileSync(join(tmp, 'extension', 'manifest.json'), 'utf8'));
  const file = manifest.localization.resources.replace('${locale}', 'zh-Hans');
  const words = JSON.parse(readFileSync(join(tmp, 'extension', file), 'utf8'));
  for (const key of ['display_name', 'description', 'long_description', 'keywords']) {
    if (typeof words[key] !== typeof manifest[key]) fail(`${file} has no ${key}`);
  }
  for (const [name, { title, description }] of Object.entries(manifest.user_config)) {
    if (!title || !description || !words.user_config[name]?.title || !words.user_config[name]?.description) fail(`${file} has no ${name}`);
  }
  const named = (tools) => tools.map(({ name }) => name).join();
  if (named(words.tools) !== named(manifest.tools)) fail(`${file} has other tools`);
}

try {
  if (!await unpackExtension({ mcpbPath: extension, outputDir: join(tmp, 'extension'), silent: true })) fail('it cannot be unpacked');
  if (await config(join(tmp, 'extension'), {})) fail('it starts without a folder');
  await answersWithout();
  await answersWithSeveral();
  await choosesByMachine();
  await startsOnWindows();
  translated();
} finally {
  rmSync(tmp, { recursive: true, force: true, maxRetries: 10 });
}
