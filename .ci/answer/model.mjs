// A model on the loopback address that a script plays, for a host that speaks the
// Messages API: it asks retrieve_docs what the user asks, and answers with what the
// host gave it back of the best passage, word for word, and with its citation.
// Prints its address. What it cannot do it says in its answer.
import http from 'node:http'

const tool = 'retrieve_docs'
const shown = 12 // lines of a passage

const server = http.createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (request.method !== 'POST') return response.end()
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}')
    if (request.url.includes('count_tokens')) return json(response, { input_tokens: 1 })
    const message = reply(body)
    body.stream ? stream(response, message) : json(response, message)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))

function reply(body) {
  const result = blocks(body).findLast((block) => block.type === 'tool_result')
  const name = (body.tools ?? []).map((t) => t.name).find((n) => n.endsWith(tool))
  let content = { type: 'text', text: `${tool} was not offered to the model` }
  if (result) content.text = quote(textOf(result))
  else if (name) content = { type: 'tool_use', id: 'toolu_1', name, input: { query: question(body) } }
  return {
    id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [content],
    stop_reason: content.type === 'tool_use' ? 'tool_use' : 'end_turn', stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

const blocks = (body) =>
  (body.messages ?? [])
    .filter((m) => m.role === 'user')
    .flatMap((m) => (typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content))

// The last text of the user that the host has not added itself.
const question = (body) =>
  blocks(body).filter((b) => b.type === 'text' && !b.text.startsWith('<')).at(-1)?.text ?? ''

const textOf = (result) =>
  typeof result.content === 'string' ? result.content : result.content.map((c) => c.text ?? '').join('\n')

// The first passage: its citation, "[1] FILE, lines 1-2 · HEADINGS", and what follows
// up to the next.
function quote(text) {
  const found = text.match(/^\[1\] (.+?, [a-z]+ [\d–-]+.*)\n([\s\S]*?)(?=\n\[2\] |$(?![\s\S]))/m)
  if (!found) return `no citation reached the model: ${text}`
  const [, citation, passage] = found
  const lines = passage
    .split('\n')
    .map((line) => line.replace(/^\[Resource from [^\]]*\] /, '')) // of the host
    .filter((line) => line.trim() && !line.startsWith('```'))
  return `${lines.slice(0, shown).join('\n')}\n\n— ${citation}`
}

function json(response, value) {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(value))
}

function stream(response, message) {
  const [block] = message.content
  const call = block.type === 'tool_use'
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: call ? { ...block, input: {} } : { ...block, text: '' } },
    {
      type: 'content_block_delta', index: 0,
      delta: call ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } : { type: 'text_delta', text: block.text },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  response.setHeader('Content-Type', 'text/event-stream')
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}
