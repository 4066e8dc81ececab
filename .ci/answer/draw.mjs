// Draws what Claude Code has written of a session (--output-format stream-json, on
// stdin) as a picture in SVG: the question, the call of the tool with the citations
// that came back, and the answer.
import { readFileSync } from 'node:fs'

const [question] = process.argv.slice(2)
const columns = 92 // of a line; a Chinese character takes two
const lineHeight = 21
const margin = 24
const citations = 3 // of those that came back

const blocks = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line.trim())
  .map((line) => JSON.parse(line))
  .flatMap((event) => event.message?.content ?? [])
const call = blocks.find((block) => block.type === 'tool_use')
const result = blocks.find((block) => block.type === 'tool_result')
const answer = blocks.findLast((block) => block.type === 'text')
if (!call || !result || !answer) throw new Error('there is no call with a result and an answer')

const lines = [
  ...wrap(question, '> ', '  ').map((text) => ({ text, kind: 'asked' })),
  {},
  ...wrap(`vademecum · retrieve_docs(${JSON.stringify(call.input)})`, '⏺ ', '  ').map((text) => ({ text, kind: 'call' })),
  ...found().map((text, i) => ({ text: `  ${i ? ' ' : '⎿'} ${text}`, kind: 'quiet' })),
  {},
  ...answer.text.split('\n').flatMap((line, i) =>
    wrap(line.replace(/^#+ /, ''), i ? '  ' : '⏺ ', '  ').map((text) => ({ text, kind: line.startsWith('— ') ? 'source' : 'said' })),
  ),
]
process.stdout.write(picture(lines))

function found() {
  const text = result.content.map((block) => block.text ?? '').join('\n')
  const all = [...text.matchAll(/^\[\d+\] .*/gm)].map(([line]) => line)
  const rest = all.length - citations
  return [...all.slice(0, citations), ...(rest > 0 ? [`… ${rest} more`] : [])].map((line) => wrap(line, '', '')[0])
}

// wrap breaks a text between words, or between Chinese characters.
function wrap(text, first, others) {
  const out = []
  let line = first
  for (const word of text.match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+|\s+/g) ?? []) {
    if (width(line + word) > columns && !/^[\s，。；：、！？）”]$/.test(word)) {
      out.push(line.trimEnd())
      line = others + word.trimStart()
    } else line += word
  }
  return [...out, line.trimEnd()]
}

function width(text) {
  return [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 2 : 1), 0)
}

function picture(lines) {
  const height = lines.length * lineHeight + 2 * margin
  const drawn = lines
    .map(({ text, kind }, i) => text && `  <text class="${kind}" x="${margin}" y="${margin + 15 + i * lineHeight}">${escape(text)}</text>\n`)
    .filter(Boolean)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 ${height}" width="840" height="${height}" role="img" aria-label="${escape(question)}">
  <style>
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK SC", "PingFang SC", "Microsoft YaHei", monospace; fill: #e6e6e6; white-space: pre; }
    .asked { fill: #ffffff; font-weight: bold; }
    .call { fill: #8ab4f8; }
    .quiet { fill: #9aa0a6; }
    .source { fill: #81c995; font-weight: bold; }
  </style>
  <rect width="840" height="${height}" rx="10" fill="#1e1f22"/>
${drawn}</svg>
`
}

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter])
}
