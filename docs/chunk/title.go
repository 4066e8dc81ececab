package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
)

const (
	maxTitle     = 200 // length of a title or heading in runes; what is longer is cut
	maxFirstLine = 80  // length in runes up to which the first line of a text may be its title
)

// Title returns the title of the text in one line: what the file calls itself,
// or else what the text does, or "".
func (b Blocks) Title(file string) string {
	if file = shorten(file); file != "" {
		return file
	}
	switch b.form {
	case extract.Markdown:
		return markdownTitle(b.body.Text, b.parsed)
	case extract.Org:
		return orgTitle(b.body.Text, b.parsed)
	case extract.RST:
		return topHeading(b.parsed)
	case extract.Plain:
		return firstLineTitle(b.body.Text)
	}
	return ""
}

// topHeading returns the first heading of the top level.
func topHeading(blocks []block) string {
	var top block
	for _, b := range blocks {
		if b.kind == heading && b.title != "" && (top.title == "" || b.level < top.level) {
			top = b
		}
	}
	return top.title
}

// markdownTitle returns the first heading of level 1, else the title in the
// front matter, else the first heading.
func markdownTitle(text string, blocks []block) string {
	first := ""
	for _, b := range blocks {
		if b.kind != heading || b.title == "" {
			continue
		}
		if b.level == 1 {
			return b.title
		}
		if first == "" {
			first = b.title
		}
	}
	if title := frontMatterTitle(text[:frontMatter(text)]); title != "" {
		return title
	}
	return first
}

// firstLineTitle returns the first line that is not blank if it looks like a
// title: short, with a letter in it, and not a sentence.
func firstLineTitle(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > maxFirstLine*utf8.UTFMax {
		return ""
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "#"))
	if line == "" || utf8.RuneCountInString(line) > maxFirstLine || startsItem(line) || !hasLetter(line) {
		return ""
	}
	if r, _ := utf8.DecodeLastRuneInString(line); strings.ContainsRune("。！？；…，、,.!?;:：{}()[]<>\\=|", r) {
		return ""
	}
	return shorten(line)
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// shorten returns s on one line, with single spaces, cut to maxTitle runes.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n++; n > maxTitle {
			return s[:i]
		}
	}
	return s
}
