#!/usr/bin/env bash
# Genkit's plugin for OpenAI-compatible models leaves out what a tool is for.
#
# Expected: a model that is offered a tool gets its description, as the field `description` of a
# function in the request for a chat completion.
# Seen with genkit 1.42.0 and @genkit-ai/compat-oai 1.42.0 (Node 20): the request has the tool's name
# and the schema of its parameters, descriptions of these included, and no description of the tool.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error genkit@1.42.0 @genkit-ai/compat-oai@1.42.0

cat > ask.mjs <<'END'
import { createServer } from 'node:http'
import { genkit, z } from 'genkit'
import { openAICompatible } from '@genkit-ai/compat-oai'

// A model on the loopback address that keeps what it is asked.
let asked
const answer = { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }] }
const model = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  asked = JSON.parse(body)
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(answer))
})
await new Promise((ready) => model.listen(0, '127.0.0.1', ready))

const baseURL = `http://127.0.0.1:${model.address().port}/v1`
const ai = genkit({ plugins: [openAICompatible({ name: 'local', apiKey: 'none', baseURL })] })
const shelf = ai.defineTool(
  { name: 'shelf', description: 'Says on which shelf a book stands.', inputSchema: z.object({ title: z.string().describe('The title of the book.') }), outputSchema: z.string() },
  async () => 'Shelf 7.',
)
await ai.generate({ model: 'local/m', prompt: 'Where is it?', tools: [shelf] })
const { name, description, parameters } = asked.tools[0].function
console.log(`name: ${name}`)
console.log(`description: ${description}`)
console.log(`parameter: ${parameters.properties.title.description}`)
process.exit(0)
END

for package in genkit @genkit-ai/compat-oai; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
name: shelf
description: undefined
parameter: The title of the book.
END
