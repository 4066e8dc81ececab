#!/usr/bin/env bash
# What a model learns of an MCP result depends, in Ax, on whose model it is.
#
# Expected: text, structure, the address of a passage and that a call failed reach each model in the form that its
# maker has for them, such as is_error of Anthropic's, or none of them.
# Seen with @ax-llm/ax 24.0.21 (Node 20): Google's models get the whole result as JSON, structuredContent once more
# beside it, and every text again as a message of the user. OpenAI's and Anthropic's get the text alone: a failure
# looks like an answer, an embedded passage has no address, and structuredContent is gone; where nothing else was sent,
# Anthropic's have its JSON and OpenAI's an empty text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @ax-llm/ax@24.0.21

cat > ask.mjs <<'END'
import { ai, ax, AxMCPClient } from '@ax-llm/ax'
const text = (text) => ({ type: 'text', text })
const results = {
  both: { content: [text('Shelf 7')], structuredContent: { shelf: 7, free: true } },
  structured: { content: [], structuredContent: { shelf: 7 } },
  failed: { isError: true, content: [text('The shelf is locked.')] },
  passage: { content: [{ type: 'resource', resource: { uri: 'note://dose', mimeType: 'text/plain', text: 'Take 5 mg' } }] },
}
const tool = { name: 'find', description: 'Finds it by its name', inputSchema: { type: 'object', properties: { what: { type: 'string', description: 'Its name' } }, required: ['what'] } }
const server = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': (params) => results[params.arguments.what],
}
const nothing = async () => {}
const transport = {
  connect: nothing, sendNotification: nothing, close: nothing,
  send: async ({ id, method, params }) => ({ jsonrpc: '2.0', id, ...(server[method] ? { result: server[method](params) } : { error: { code: -32601, message: 'unknown' } }) }),
}
const makers = {
  openai: {
    call: (args) => ({ id: '1', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: JSON.stringify(args) } }] } }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
    answer: { id: '1', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Answer: ok' } }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
    seen: ({ messages }) => messages.at(-1),
  },
  anthropic: {
    call: (input) => ({ id: '1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: 'c1', name: 'find', input }], stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 } }),
    answer: { id: '1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Answer: ok' }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } },
    seen: ({ messages }) => messages.at(-1).content,
  },
  'google-gemini': {
    call: (args) => ({ candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'find', args } }] }, finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }),
    answer: { candidates: [{ content: { role: 'model', parts: [{ text: 'Answer: ok' }] }, finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } },
    seen: ({ contents }) => contents.at(-1).parts.map(({ functionResponse, ...part }) => functionResponse ? { functionResponse: { ...functionResponse.response, result: JSON.stringify(JSON.parse(functionResponse.response.result)) } } : part),
  },
}
for (const [name, { call, answer, seen }] of Object.entries(makers)) {
  for (const what of Object.keys(results)) {
    let asked = 0
    const fetch = async (address, { body }) => {
      asked++
      if (asked === 2) console.log(`seen ${name}, ${what}: ${JSON.stringify(seen(JSON.parse(body)))}`)
      return new Response(JSON.stringify(asked === 1 ? call({ what }) : answer), { headers: { 'content-type': 'application/json' } })
    }
    const client = new AxMCPClient(transport, { namespace: 'shelf', era: 'legacy' })
    const model = ai({ name, apiKey: 'none', config: { stream: false }, options: { fetch } })
    await ax('question:string -> answer:string').forward(model, { question: 'Where is it?' }, { mcp: [client], stream: false })
  }
}
process.exit(0)
END

node -p "'@ax-llm/ax ' + JSON.parse(fs.readFileSync('node_modules/@ax-llm/ax/package.json')).version"
timeout 60 node ask.mjs 2> log.txt | grep '^seen ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
seen openai, both: {"role":"tool","content":"Shelf 7","tool_call_id":"c1"}
seen openai, structured: {"role":"tool","content":"","tool_call_id":"c1"}
seen openai, failed: {"role":"tool","content":"The shelf is locked.","tool_call_id":"c1"}
seen openai, passage: {"role":"tool","content":"Take 5 mg","tool_call_id":"c1"}
seen anthropic, both: [{"type":"tool_result","content":[{"type":"text","text":"Shelf 7"}],"tool_use_id":"c1"}]
seen anthropic, structured: [{"type":"tool_result","content":"{\n  \"content\": [],\n  \"structuredContent\": {\n    \"shelf\": 7\n  }\n}","tool_use_id":"c1"}]
seen anthropic, failed: [{"type":"tool_result","content":[{"type":"text","text":"The shelf is locked."}],"tool_use_id":"c1"}]
seen anthropic, passage: [{"type":"tool_result","content":[{"type":"text","text":"Take 5 mg"}],"tool_use_id":"c1"}]
seen google-gemini, both: [{"functionResponse":{"result":"{\"content\":[{\"type\":\"text\",\"text\":\"Shelf 7\"}],\"structuredContent\":{\"shelf\":7,\"free\":true}}","structuredContent":{"shelf":7,"free":true}}},{"text":"Shelf 7"}]
seen google-gemini, structured: [{"functionResponse":{"result":"{\"content\":[],\"structuredContent\":{\"shelf\":7}}","structuredContent":{"shelf":7}}}]
seen google-gemini, failed: [{"functionResponse":{"result":"{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"The shelf is locked.\"}]}"}},{"text":"The shelf is locked."}]
seen google-gemini, passage: [{"functionResponse":{"result":"{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"note://dose\",\"mimeType\":\"text/plain\",\"text\":\"Take 5 mg\"}}]}"}},{"text":"Take 5 mg"}]
END
