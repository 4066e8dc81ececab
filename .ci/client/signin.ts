// Clients of both generations of the TypeScript SDK that know the URL of a server and
// nothing else: each registers, sends its person to consent, and has its token renewed.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type OAuthClientInformationMixed, type OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { check, finish } from './checks.js';
import { commandLine, passagesOf, textOf, workspace } from './workspace.js';

const { binary, samples } = commandLine();
const w = workspace(binary, samples);
const tokens = join(w.folder, '..', 'tokens');
const token = execFileSync(binary, ['token', 'new', 'alice', '--tokens', tokens], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const config = join(w.folder, '..', 'config');
const server = spawn(binary, ['serve', '--http=127.0.0.1:0', w.folder, '--tokens', tokens, '--sign-in'], { env: { ...process.env, ...w.server.env, XDG_CONFIG_HOME: config }, stdio: ['ignore', 'ignore', 'pipe'] });
const origin = await new Promise<string>((resolve, reject) => {
  let said = '';
  server.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    const at = /MCP at (\S+)\/mcp/.exec(said)?.[1];
    if (at) resolve(at);
  });
  server.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
});

/** Signs in and allows, as somebody does in a browser, and returns where that leads. */
async function consent(url: URL): Promise<URLSearchParams> {
  let cookies = '';
  const go = async (to: string | URL, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(to, { redirect: 'manual', headers: { cookie: cookies }, ...(form && { method: 'POST', body: new URLSearchParams(form) }) });
    cookies += answer.headers.getSetCookie().map((c) => `${c.split(';')[0]}; `).join('');
    return answer;
  };
  await go(`${origin}/sign-in`, { token });
  const request = /name="request" value="([^"]+)"/.exec(await (await go(url)).text())?.[1];
  assert.ok(request, 'nothing is asked');
  const answer = await go(`${origin}/authorize`, { request, answer: 'allow' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const redirectUrl = 'http://localhost:8090/callback';

/** What a client keeps of a sign-in. */
class Kept {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: 'TypeScript', redirect_uris: [redirectUrl], grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'client_secret_post' };
  readonly asked: URL[] = [];
  private info: OAuthClientInformationMixed | undefined;
  private given: OAuthTokens | undefined;
  private verifier = '';
  clientInformation = (): OAuthClientInformationMixed | undefined => this.info;
  saveClientInformation = (info: OAuthClientInformationMixed): void => void (this.info = info);
  tokens = (): OAuthTokens | undefined => this.given;
  saveTokens = (given: OAuthTokens): void => void (this.given = given);
  redirectToAuthorization = (url: URL): void => void this.asked.push(url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = (): string => this.verifier;
}

/** One generation of the SDK. */
interface Generation {
  transport(kept: Kept): { finishAuth(code: string, iss?: string): Promise<void> };
  connect(transport: unknown): Promise<{ callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>; close(): Promise<void> }>;
}

const info = { name: 'sign-in', version: '1' };
const generations: Record<string, Generation> = {
  '2025-11-25': {
    transport: (kept) => new OldTransport(new URL('/mcp', origin), { authProvider: kept }),
    connect: async (transport) => {
      const client = new OldClient(info);
      await client.connect(transport as OldTransport);
      return client;
    },
  },
  '2026-07-28': {
    transport: (kept) => new NewTransport(new URL('/mcp', origin), { authProvider: kept }),
    connect: async (transport) => {
      const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } });
      await client.connect(transport as NewTransport);
      return client;
    },
  },
};

for (const [version, sdk] of Object.entries(generations)) {
  const kept = new Kept();
  const asks = async (): Promise<void> => {
    const client = await sdk.connect(sdk.transport(kept));
    const result = (await client.callTool({ name: 'retrieve_docs', arguments: { query: '高血压患者饮食要注意什么', path: '高血压.txt' } })) as CallToolResult;
    assert.ok(passagesOf(result.content)[0]?.text.includes('食盐'), textOf(result.content));
    await client.close();
  };
  await check(`${version}: from the URL to a passage`, async () => {
    const first = sdk.transport(kept);
    await assert.rejects(sdk.connect(first));
    const [to] = kept.asked;
    assert.ok(to, 'nobody is sent to consent');
    const back = await consent(to);
    await first.finishAuth(back.get('code') ?? '', back.get('iss') ?? undefined);
    await asks();
  });
  await check(`${version}: its token is renewed`, async () => {
    const before = kept.tokens();
    assert.ok(before);
    kept.saveTokens({ ...before, access_token: 'vdm_access_expired' });
    await asks();
    assert.notEqual(kept.tokens()?.refresh_token, before.refresh_token);
    assert.equal(kept.asked.length, 1);
  });
}
server.removeAllListeners('exit');
server.kill();
await once(server, 'exit'); // until then it writes into what is removed
w.remove();
finish();
