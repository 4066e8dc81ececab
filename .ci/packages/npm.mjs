// Installs the packages for npm from their files into an empty project, and uses them
// as people and hosts do. Nothing is fetched.
//
//   node npm.mjs PACKAGES VERSION SAMPLES

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './session.mjs';

const [packages, version, samples] = process.argv.slice(2);
const tmp = mkdtempSync(join(tmpdir(), 'vademecum-npm-'));
const project = join(tmp, 'project');
const env = { ...process.env, HOME: tmp, XDG_CACHE_HOME: join(tmp, 'cache'), npm_config_cache: join(tmp, 'npm'), npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
const own = `vademecum-${process.platform}-${process.arch}`;

function fail(text) { throw new Error(text); }

function run(command, args, cwd = project) {
  const { status, signal, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
  return { code: status ?? signal, out: stdout, said: stderr };
}

function must(command, args, cwd) {
  const ran = run(command, args, cwd);
  if (ran.code !== 0) fail(`${command} ${args.join(' ')}: ${ran.code}: ${ran.said}`);
  return ran.out;
}

/** Packs all packages and returns their files by name. */
function pack() {
  const names = readdirSync(packages);
  for (const name of names) {
    const { scripts } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
    if (scripts) fail(`${name} runs something`);
    must('npm', ['pack', '--pack-destination', tmp, join(packages, name)], tmp);
  }
  return Object.fromEntries(names.map((name) => [name, `file:${join(tmp, `${name}-${version}.tgz`)}`]));
}

function install() {
  const { vademecum, ...others } = pack();
  if (Object.keys(others).length !== 6) fail(`there are packages for ${Object.keys(others)}`);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies: { vademecum }, overrides: others }));
  must('npm', ['install']);
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')).sort();
  if (installed.join() !== `vademecum,${own}`) fail(`installed were ${installed}`);
}

const npx = (...args) => ['--no', '--', 'vademecum', ...args];

function answers() {
  if (!must('npx', npx('search', samples, '高血压患者饮食要注意什么')).startsWith('1. 高血压.txt, line')) fail('another passage is first');
  if (!must('npx', npx('version')).startsWith(`vademecum ${version}`)) fail('it is another version');
  const wrong = run('npx', npx('search', '--nonsense'));
  if (wrong.code !== 2 || !wrong.said.includes('--nonsense')) fail(`a wrong flag ends it with ${wrong.code}: ${wrong.said}`);
}

async function serves() {
  const started = { command: join(project, 'node_modules', '.bin', 'vademecum'), args: ['serve', samples], env };
  const answer = await ask(started, '高血压患者饮食要注意什么');
  if (!answer.text.includes('高血压.txt') || answer.version !== version) fail(JSON.stringify(answer));
  for (const [signal, code] of [['SIGTERM', 0], ['SIGINT', 0], ['SIGHUP', 'SIGHUP']]) {
    const server = spawn(started.command, started.args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => server.on('exit', (status, by) => resolve(status ?? by)));
    server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) + '\n');
    await new Promise((resolve) => server.stdout.once('data', resolve)); // now the program runs
    server.kill(signal);
    const late = setTimeout(() => server.kill('SIGKILL'), 30_000);
    const got = await ended;
    clearTimeout(late);
    if (got !== code) fail(`${signal} ends it with ${got}, not ${code}`);
  }
}

function tellsWhatIsMissing() {
  rmSync(join(project, 'node_modules', own), { recursive: true });
  const ran = run('npx', npx('version'));
  if (ran.code !== 1 || !ran.said.includes(own)) fail(`${ran.code}: ${ran.said}`);
}

try {
  install();
  answers();
  await serves();
  tellsWhatIsMissing();
  if (existsSync(join(project, 'node_modules', own))) fail('it was fetched');
} finally {
  rmSync(tmp, { recursive: true, force: true, maxRetries: 10 });
}
