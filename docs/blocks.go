package docs

import (
	"iter"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

// A kind says how a block is joined to others and split.
type kind uint8

const (
	prose   kind = iota // split at sentences
	list                // split at items
	rows                // tables and code: split at lines
	heading             // goes with what follows; nothing is joined across it
	matter              // front matter: goes with what follows
)

// A block is a stretch of whole lines that belongs together. The blocks of a
// text leave out nothing of it but blank lines.
type block struct {
	kind       kind
	level      int    // of a heading: the smaller contains the larger
	title      string // of a heading
	start, end int    // byte range, from a line's start to a line's end without its terminator
}

// appendBlock appends b with the lines up to end that are not blank.
func appendBlock(blocks []block, src string, b block, end int) []block {
	b.start, b.end = text.TrimBlank(src, b.start, end)
	if b.start == b.end {
		return blocks
	}
	return append(blocks, b)
}

// textBlocks yields the blocks of d in order.
func (d *Document) textBlocks() iter.Seq[block] {
	if d.blocks != nil {
		return slices.Values(d.blocks)
	}
	return lineBlocks(d.Text, d.form)
}

// parseBlocks returns the blocks of a text in a markup language, nil of
// another.
func parseBlocks(text string, form extract.Form) []block {
	switch form {
	case extract.Markdown:
		return markdownBlocks(text)
	case extract.Org:
		return orgBlocks(text)
	case extract.RST:
		return rstBlocks(text)
	}
	return nil
}

// maxFrontMatter is the length in bytes above which a text that begins like
// front matter is taken to be something else.
const maxFrontMatter = 64 << 10

// frontMatter returns the length of the YAML or TOML front matter of text with
// its last line end, 0 if it has none.
func frontMatter(text string) int {
	s := lineScanner{text: text[:min(len(text), maxFrontMatter)]}
	start, end, _ := s.next()
	fence := strings.TrimRight(text[start:end], " \t")
	if fence != "---" && fence != "+++" {
		return 0
	}
	assigned := false
	for {
		start, end, ok := s.next()
		if !ok {
			return 0
		}
		line := strings.TrimRight(text[start:end], " \t")
		if line == fence || line == "..." && fence == "---" {
			if assigned {
				return s.pos
			}
			return 0
		}
		// A thematic break may also stand first in a text; what sets front
		// matter apart is that it assigns something.
		separator := ":"
		if fence == "+++" {
			separator = "="
		}
		key, _, found := strings.Cut(line, separator)
		key = strings.TrimSpace(key)
		assigned = assigned || found && key != "" && !strings.ContainsAny(key, " \t")
	}
}
