#!/usr/bin/env bash
# Two clients give texts the vectors of other texts where a server does not answer in the order of the question.
#
# Expected: in OpenAI's format each vector has the number of its text, "index", and clients go by it.
# Seen with @langchain/openai 1.6.0, @langchain/core 1.4.0, ai 7.0.173 and @ai-sdk/openai-compatible 3.0.92 (Node 20), and a
# server that answers in the order in which it is done: both take the list as it comes, so that a search finds the wrong
# documents. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --legacy-peer-deps @langchain/openai@1.6.0 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4.6.7

cat > ask.mjs <<'END'
import { createServer } from 'node:http'
import { OpenAIEmbeddings } from '@langchain/openai'
import { embedMany } from 'ai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
// A server whose vector of a text is its length, and which is done with the last text first.
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const data = [JSON.parse(body).input].flat().map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0] }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', model: 'test', data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } }))
})
await new Promise(done => server.listen(0, '127.0.0.1', done))
const baseURL = `http://127.0.0.1:${server.address().port}/v1`
const texts = ['a', 'bb', 'ccc']
const langchain = new OpenAIEmbeddings({ apiKey: 'test', model: 'test', configuration: { baseURL } })
console.log('@langchain/openai', texts.join(), (await langchain.embedDocuments(texts)).map(([length]) => length).join())
const model = createOpenAICompatible({ name: 'test', apiKey: 'test', baseURL }).embeddingModel('test')
console.log('ai', texts.join(), (await embedMany({ model, values: texts })).embeddings.map(([length]) => length).join())
process.exit(0)
END

for package in @langchain/openai @langchain/core ai @ai-sdk/openai-compatible; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
@langchain/openai a,bb,ccc 3,2,1
ai a,bb,ccc 3,2,1
END
