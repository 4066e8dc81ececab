// What a server is started with: a folder of its own and an empty cache.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a server is started; both SDKs take it as it is. */
export interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface Workspace {
  folder: string;
  server: Command;
  /** Writes a file of the folder, folders above it included. */
  write(path: string, text: string): void;
  read(path: string): string;
  remove(): void;
}

/** The program and the samples that the script was started with. */
export function commandLine(): { binary: string; samples: string } {
  const [binary, samples] = process.argv.slice(2);
  if (!binary || !samples) {
    console.error('usage: node SCRIPT VADEMECUM SAMPLE_DOCS');
    process.exit(2);
  }
  return { binary, samples };
}

/** The names of all tools, as the tests of the server pin them. */
export function toolNames(): string[] {
  const tools: { name: string }[] = JSON.parse(readFileSync(join(commandLine().samples, '..', 'mcp', 'testdata', 'tools.json'), 'utf8'));
  return tools.map((t) => t.name).sort();
}

/** A copy of `samples`, or an empty folder. */
export function workspace(binary: string, samples?: string, name = 'folder'): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vademecum-client-')));
  const folder = join(root, name);
  mkdirSync(folder);
  if (samples) cpSync(samples, folder, { recursive: true });
  return {
    folder,
    server: { command: binary, args: ['serve', folder], env: { XDG_CACHE_HOME: join(root, 'cache') } },
    write(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Paths of all files under `folder`, with slashes, sorted. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** What both SDKs call a resource, as far as it is checked here. */
interface Listed {
  uri: string;
  name: string;
  title?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
  annotations?: { lastModified?: string | undefined } | undefined;
}

/** Fails unless a listed resource describes its file. */
export function describesFile(resource: Listed, folder: string): void {
  const url = new URL(resource.uri);
  assert.equal(url.protocol, 'file:');
  assert.equal(fileURLToPath(url), join(folder, resource.name));
  assert.match(resource.uri, /^[\x21-\x7e]+$/, 'the URI is percent-encoded');
  assert.ok(resource.title, 'title');
  assert.equal(resource.mimeType, resource.name.endsWith('.md') ? 'text/markdown' : 'text/plain');
  const file = statSync(join(folder, resource.name));
  assert.equal(resource.size, file.size);
  const modified = resource.annotations?.lastModified ?? '';
  assert.equal(Math.floor(Date.parse(modified) / 1000), Math.floor(file.mtimeMs / 1000), `lastModified ${modified}`);
}

/** What both SDKs call a block of content. */
interface Block {
  type: string;
  text?: unknown;
  resource?: unknown;
}

export interface Passage {
  uri: string;
  mimeType: string;
  text: string;
}

/** The text blocks of a tool's result, joined. */
export function textOf(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n');
}

/** The embedded text resources of a tool's result, each checked. */
export function passagesOf(content: readonly Block[]): Passage[] {
  return content
    .filter((block) => block.type === 'resource')
    .map((block) => {
      const { uri, mimeType, text } = block.resource as Partial<Passage>;
      assert.ok(uri && URL.canParse(uri), `URI of a passage: ${uri}`);
      assert.ok(mimeType, 'MIME type of a passage');
      assert.ok(text && text.trim() !== '', 'text of a passage');
      return { uri, mimeType, text };
    });
}
