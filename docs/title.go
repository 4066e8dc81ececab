package docs

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
)

const (
	maxTitle     = 200 // length of a title or heading in runes; what is longer is cut
	maxFirstLine = 80  // length in runes up to which the first line of a text may be its title
)

// title returns the title that the text of d gives itself, or else its file
// name without extension.
func (d *Document) title() string {
	title := ""
	switch d.form {
	case extract.Markdown:
		title = markdownTitle(d.Text, d.blocks)
	case extract.Org:
		title = orgTitle(d.Text, d.blocks)
	case extract.RST:
		title = rstTitle(d.Text, d.blocks)
	case extract.Plain:
		title = firstLineTitle(d.Text)
	}
	if title != "" {
		return title
	}
	return stem(path.Base(d.Path))
}

// stem returns a file name without its extension. A dot in running text, as in
// "v1.5 notes", does not begin an extension.
func stem(name string) string {
	ext := path.Ext(name)
	if len(ext) == len(name) || len(ext) > 10 || strings.ContainsFunc(ext, unicode.IsSpace) {
		return name
	}
	return strings.TrimSuffix(name, ext)
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

// frontMatterTitle finds `title: …` (YAML) or `title = …` (TOML).
func frontMatterTitle(matter string) string {
	for line := range strings.Lines(matter) {
		rest, ok := strings.CutPrefix(line, "title")
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		value := strings.TrimSpace(rest[1:])
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		if strings.ContainsAny(value[:min(1, len(value))], "|>[{&*") {
			return "" // YAML that is more than a plain scalar
		}
		return shorten(value)
	}
	return ""
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
