package chunk

import (
	"iter"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/meta"
	"vademecum/docs/text"
)

// lineBlocks yields the blocks of a text that is read line by line: plain text, records, and
// Markdown that is too large for a syntax tree. It holds one paragraph at a time, whatever the
// length of the text.
func lineBlocks(src string, form extract.TextForm) iter.Seq[block] {
	return func(yield func(block) bool) {
		p := lineParser{src: src, form: form, lines: lineScanner{text: src}, yield: yield}
		if form == extract.Markdown || form == extract.PlainText {
			if end := meta.FrontMatterLength(src); end > 0 {
				p.emitBlock(block{kind: matter, end: end})
				p.lines.pos = end
			}
		}
		for !p.done {
			start, end, ok := p.lines.next()
			if !ok {
				break
			}
			if isBlank(src[start:end]) {
				p.closeBlock()
			} else if b, ok := p.headingOrFence(start, end); ok {
				p.closeBlock()
				p.emitBlock(b)
			} else {
				p.extendBlock(start, end)
			}
		}
		p.closeBlock()
	}
}

// A lineParser collects lines into the open block.
type lineParser struct {
	src   string
	form  extract.TextForm
	lines lineScanner
	yield func(block) bool
	done  bool // whether yield has returned false

	open     block
	isOpen   bool
	bars     bool       // whether every line of the open block begins with a bar
	previous headingKey // key of the last non-blank line
}

// headingOrFence returns the heading or the code fence that begins at a line.
func (p *lineParser) headingOrFence(start, end int) (block, bool) {
	line := p.src[start:end]
	switch p.form {
	case extract.LineRecords, extract.Table:
		return block{}, false
	case extract.Markdown:
		if b, ok := p.readFence(start, end); ok {
			return b, true
		}
		if level, title := atxHeading(line); level > 0 {
			return block{kind: heading, level: level, title: title, start: start, end: end}, true
		}
		return p.underlinedTitle(start, end)
	}
	if level, title := headingWithExportTag(line); level > 0 {
		p.previous = headingKey{}
		return block{kind: heading, level: level, title: title, start: start, end: end}, true
	}
	key := headingKeyOf(line)
	previous := p.previous
	p.previous = key
	if key.level > 0 && p.standsAlone(key, previous) {
		return block{kind: heading, level: key.level, title: shortenTitle(line), start: start, end: end}, true
	}
	return p.underlinedTitle(start, end)
}

// standsAlone reports whether the current line, which could be a heading, has text below it, rather
// than being an item in a list whose other items could be headings too.
func (p *lineParser) standsAlone(key, previous headingKey) bool {
	if previous == key {
		return false
	}
	ahead := p.lines
	for first := true; ; first = false {
		start, end, ok := ahead.next()
		if !ok {
			return false
		}
		if isBlank(p.src[start:end]) {
			continue
		}
		if key.numeric && (first || p.isOpen) {
			return false // it needs blank lines around it
		}
		return headingKeyOf(p.src[start:end]) != key
	}
}

// underlinedTitle recognises a one-line title that is underlined with = or -.
func (p *lineParser) underlinedTitle(start, end int) (block, bool) {
	if p.isOpen || end-start > maxHeadingLine {
		return block{}, false
	}
	ahead := p.lines
	from, to, ok := ahead.next()
	if !ok {
		return block{}, false
	}
	title, rule := p.src[start:end], strings.TrimRight(p.src[from:to], " \t")
	level := 0
	switch "" {
	case strings.Trim(rule, "="):
		level = 1
	case strings.Trim(rule, "-"):
		level = 2
	}
	if level == 0 || len(rule) < 3 || 2*len(rule) < utf8.RuneCountInString(title) || !hasLetter(title) || startsListItem(title) {
		return block{}, false
	}
	p.lines = ahead
	return block{kind: heading, level: level, title: shortenTitle(title), start: start, end: to}, true
}

// readFence reads a fenced code block to its end.
func (p *lineParser) readFence(start, end int) (block, bool) {
	mark := markdown.FenceMark(strings.TrimLeft(p.src[start:end], " "))
	if mark == "" {
		return block{}, false
	}
	b := block{kind: rows, start: start, end: end}
	for {
		from, to, ok := p.lines.next()
		if !ok {
			return b, true
		}
		if line := p.src[from:to]; !isBlank(line) {
			b.end = to
			if closing := markdown.FenceMark(strings.TrimLeft(line, " ")); strings.HasPrefix(closing, mark) && strings.TrimSpace(line) == closing {
				return b, true
			}
		}
	}
}

// atxHeading returns the level and the title of a line such as "## Title", or 0 and "".
func atxHeading(line string) (level int, title string) {
	line = strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	rest = strings.TrimSpace(rest)
	// A closing sequence of # must follow a space: in "# C#" there is none.
	if open := strings.TrimRight(rest, "#"); open == "" || strings.HasSuffix(open, " ") {
		rest = open
	}
	return level, headingText([]byte(rest))
}

// extendBlock adds a line to the open block, or opens one.
func (p *lineParser) extendBlock(start, end int) {
	bar := strings.HasPrefix(strings.TrimLeft(p.src[start:min(end, start+maxPadding)], " "), "|")
	if !p.isOpen {
		p.isOpen, p.bars = true, bar
		p.open = block{start: start}
		if startsListItem(p.src[start:end]) {
			p.open.kind = list
		}
	}
	p.bars = p.bars && bar
	p.open.end = end
}

// closeBlock emits the open block.
func (p *lineParser) closeBlock() {
	if !p.isOpen {
		return
	}
	p.isOpen = false
	if p.bars || p.form == extract.LineRecords || p.form == extract.Table {
		p.open.kind = rows
	}
	p.emitBlock(p.open)
}

func (p *lineParser) emitBlock(b block) {
	if p.done {
		return
	}
	b.start, b.end = text.TrimBlankLines(p.src, b.start, b.end)
	p.done = !p.yield(b)
}
