// A session as a host has it: over the streams of a program that it has started.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const longest = 60_000;

/** Starts a server, asks it a question, and returns the text of the answer. */
export async function ask({ command, args, env }, question) {
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  server.stderr.on('data', (bytes) => { said += bytes; });
  server.stdin.on('error', () => {}); // it has ended, as its answer will say
  const ended = new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code, signal) => resolve(code ?? signal));
  });
  const timer = setTimeout(() => server.kill('SIGKILL'), longest);
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  const answer = async (id) => {
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error(`the server has ended (${await ended}): ${said}`);
      const message = JSON.parse(value);
      if (message.id === id && message.error) throw new Error(message.error.message);
      if (message.id === id) return message.result;
    }
  };
  try {
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'packages', version: '1' } } });
    const { serverInfo } = await answer(1);
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'retrieve_docs', arguments: { query: question, top_k: 1 } } });
    const { content, isError } = await answer(2);
    if (isError) throw new Error(JSON.stringify(content));
    server.stdin.end();
    const code = await ended;
    if (code !== 0) throw new Error(`the server has ended with ${code}: ${said}`);
    return { version: serverInfo.version, text: content.map((c) => c.text ?? c.resource?.text).join('\n'), said };
  } finally {
    clearTimeout(timer);
    server.kill('SIGKILL');
  }
}
