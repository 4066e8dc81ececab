// Package zim reads the pages of the desktop wiki Zim, which are text files with a header.
package zim

import (
	"bytes"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// IsWikiPage reports whether a file begins like a page of Zim.
func IsWikiPage(start []byte) bool {
	return bytes.HasPrefix(start, []byte("Content-Type: text/x-zim-wiki"))
}

var (
	headerLine = lazyregexp.New(`^([A-Za-z-]+): (.*)$`)
	heading    = lazyregexp.New(`^(={2,6}) (.*?)(?: =+)?\s*$`)
	item       = lazyregexp.New(`^(\t*)(\*|\d+\.|[a-zA-Z]\.|\[[ *xX<>]?\]) (.*)$`)
	link       = lazyregexp.New(`\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]`)
	picture    = lazyregexp.New(`\{\{[^{}\n]*\}\}`)
	mark       = lazyregexp.New(`\*\*(\S(?:.*?\S)?)\*\*|__(\S(?:.*?\S)?)__|''(.+?)''|([^:]|^)//(\S(?:.*?[^\s:])?)//`)
	script     = lazyregexp.New(`[_^]\{([^{}\n]*)\}`)
	tableRule  = lazyregexp.New(`^\|[-:|]+\|$`)
)

// Read reads a page (Zim's manual, "Wiki Syntax").
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	file, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	p := page{}
	lines := strings.Split(strings.ReplaceAll(file.Text, "\r\n", "\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) != "" {
		if m := headerLine.FindStringSubmatch(lines[0]); m != nil && m[1] == "Creation-Date" && len(m[2]) >= 10 {
			p.date = m[2][:10]
		}
		lines = lines[1:]
	}
	for _, line := range lines {
		p.readLine(line)
	}
	p.endBlock()
	c, err := p.w.Content()
	c.Date, c.Encoding, c.IsEncodingGuessed, c.ExtractionNote = p.date, file.Encoding, file.IsEncodingGuessed, file.ExtractionNote
	return c, err
}

// A page converts the lines of a page to Markdown.
type page struct {
	w         markdown.Writer
	date      string
	paragraph strings.Builder
	rows      [][]string
	code      strings.Builder
	isCode    bool
	codeEnd   string
}

func (p *page) readLine(line string) {
	trimmed := strings.TrimSpace(line)
	switch m := heading.FindStringSubmatch(line); {
	case p.isCode && trimmed == p.codeEnd:
		p.w.WriteCodeBlock("", p.code.String())
		p.code.Reset()
		p.isCode = false
	case p.isCode:
		p.code.WriteString(line + "\n")
	case trimmed == "'''" || strings.HasPrefix(trimmed, "{{{code:"):
		p.endBlock()
		if p.isCode, p.codeEnd = true, "'''"; trimmed != "'''" {
			p.codeEnd = "}}}"
		}
	case m != nil:
		p.endBlock()
		p.w.WriteHeading(7-len(m[1]), plain(m[2]))
	case strings.HasPrefix(trimmed, "|") && strings.HasSuffix(trimmed, "|") && len(trimmed) > 1:
		if !tableRule.MatchString(trimmed) {
			p.rows = append(p.rows, strings.Split(plain(strings.Trim(trimmed, "|")), "|"))
		}
	case trimmed == "":
		p.endBlock()
	default:
		p.readText(line)
	}
}

func (p *page) readText(line string) {
	m := item.FindStringSubmatch(line)
	if m == nil {
		p.paragraph.WriteString(plain(strings.TrimSpace(line)) + "\n")
		return
	}
	if p.paragraph.Len() > 0 || len(p.rows) > 0 {
		p.endBlock()
	}
	marker := m[2]
	switch {
	case marker == "*":
		marker = markdown.Bullet
	case marker == "[*]":
		marker = markdown.Bullet + " [x]"
	case strings.HasPrefix(marker, "["):
		marker = markdown.Bullet + " [ ]"
	}
	p.w.WriteListItem(len(m[1]), marker, plain(m[3]))
}

// endBlock ends and writes the current paragraph, table or code block.
func (p *page) endBlock() {
	if len(p.rows) > 0 {
		p.w.WriteTable(p.rows)
		p.rows = nil
	}
	p.w.WriteCodeBlock("", p.code.String())
	p.code.Reset()
	p.w.WriteParagraph(p.paragraph.String())
	p.paragraph.Reset()
}

// plain returns a line of text without its markup, except that the marks of struck-out text, which are
// the same in Markdown, are kept.
func plain(line string) string {
	if !strings.ContainsAny(line, "{[*_'/") { // most lines have no markup, and the expressions are slow
		return line
	}
	line = picture.ReplaceAllString(line, "")
	line = link.ReplaceAllString(line, "$1")
	line = mark.ReplaceAllString(line, "$1$2$3$4$5")
	return script.ReplaceAllStringFunc(line, scriptText)
}

// scriptText returns the text of a superscript or subscript, given with its markup. A raised number gets
// superscript characters, so that 10⁶ does not become 106.
func scriptText(match string) string {
	text := match[len("^{") : len(match)-len("}")]
	if match[0] == '^' {
		return markdown.Superscript(text)
	}
	return text
}
