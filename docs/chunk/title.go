package chunk

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/meta"
	"vademecum/internal/base/script"
)

const (
	maxTitle     = 200 // maximum length of a title or heading in runes; longer ones are cut
	maxFirstLine = 80  // maximum length, in runes, of a first line that may be the title
)

// Title returns the title of the text on one line: propertyTitle, the title in the properties of
// the file, unless that is ""; otherwise the title in the front matter or header of the text, or a
// heading before any other text; "" if there is none. A heading further below, such as "Abstract",
// is the title of a part only.
func (b Blocks) Title(propertyTitle, fileName string) string {
	if propertyTitle = shortenTitle(propertyTitle); propertyTitle != "" {
		return propertyTitle
	}
	switch b.form {
	case extract.Markdown:
		return b.markdownTitle(fileName)
	case extract.Org:
		return orgTitle(b.body.Text, b.parsed)
	case extract.RST:
		return rstTitle(b.body.Text, b.parsed)
	case extract.PlainText:
		if !isProse(fileName) {
			return headerTitle(b.body.Text)
		}
		return plainTitle(b.body.Text)
	}
	return ""
}

// plainTitle returns the title in the front matter or the header, or else the first line.
func plainTitle(text string) string {
	matter := meta.FrontMatterLength(text)
	if title := frontMatterTitle(text[:matter]); title != "" {
		return title
	}
	if title := headerTitle(text[matter:]); title != "" {
		return title
	}
	if title := shortenTitle(meta.BookTitle(text[matter:])); title != "" {
		return title
	}
	return firstLineTitle(text[matter:])
}

// markdownTitle returns the title in the front matter or the header, or else the heading at the
// start of the text.
func (b Blocks) markdownTitle(name string) string {
	text := b.body.Text
	matter := meta.FrontMatterLength(text)
	if title := frontMatterTitle(text[:matter]); title != "" {
		return title
	}
	if title := headerTitle(text[matter:]); title != "" {
		return title
	}
	if len(b.body.Parts) > 0 {
		switch b.body.Parts[0].Kind {
		case extract.Sheet:
			return "" // its headings are the names of sheets
		case extract.Slide:
			return b.slideTitle(name)
		}
	}
	lead, ok := leadingHeading(b.parsed, func(b block) bool { return isOrnament(text[b.start:b.end]) })
	switch {
	case !ok:
		return firstHTMLHeading(text[matter:])
	case lead.level == 1 && !isOnlyTopHeading(b.parsed, lead) && !mayBeTitleOfFile(name, lead.title):
		return ""
	case lead.level == 1, isSlug(name) && isOnlyTopHeading(b.parsed, lead):
		return lead.title
	}
	return ""
}

// slideTitle returns the title of the first slide of a presentation if the file name is
// meaningless, such as "10.pptx".
func (b Blocks) slideTitle(name string) string {
	stem, _, _ := strings.Cut(name, ".")
	first := b.body.Parts[0]
	if hasLetter(stem) || len(b.parsed) == 0 || b.parsed[0].kind != heading || b.parsed[0].title == fmt.Sprint("Slide ", first.Number) {
		return ""
	}
	return b.parsed[0].title
}

// mayBeTitleOfFile reports whether the first of several top-level headings is the title of a note,
// rather than of its first part, such as "Ingredients" before "Directions" in a recipe. It is if
// the file name shares a word with it or is meaningless.
func mayBeTitleOfFile(name, title string) bool {
	stem := strings.ToLower(name)
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		stem = stem[:dot]
	}
	if !hasLetter(stem) || slices.Contains([]string{"readme", "index", "_index", "main", "home", "default"}, stem) {
		return true
	}
	title = strings.ToLower(title)
	isSign := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }
	for _, word := range strings.FieldsFunc(stem, isSign) {
		for _, other := range strings.FieldsFunc(title, isSign) {
			if word == other && len(word) > 2 || areWordForms(word, other) {
				return true
			}
		}
	}
	return sharesCharacterPair(stem, title)
}

// areWordForms reports whether two words in lower case have the same first 5 bytes or more, so that they are
// probably forms of the same word, or one is a compound that begins with the other: "restore" and
// "restoring", "scaletesting" and "scale".
func areWordForms(a, b string) bool {
	const least = 5 // bytes
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= least
}

// sharesCharacterPair reports whether two Chinese names share two consecutive characters.
func sharesCharacterPair(a, b string) bool {
	runes := []rune(a)
	for i := range len(runes) - 1 {
		if script.IsEastAsian(runes[i]) && strings.Contains(b, string(runes[i:i+2])) {
			return true
		}
	}
	return false
}

// leadingHeading returns the first heading if nothing but front matter and insignificant blocks
// precedes it.
func leadingHeading(blocks []block, isNothing func(block) bool) (block, bool) {
	for _, b := range blocks {
		switch {
		case b.kind == heading && b.title != "":
			return b, true
		case b.kind != matter && b.kind != heading && !isNothing(b):
			return block{}, false
		}
	}
	return block{}, false
}

// isOnlyTopHeading reports whether all other headings are below this one.
func isOnlyTopHeading(blocks []block, top block) bool {
	return !slices.ContainsFunc(blocks, func(b block) bool {
		return b.kind == heading && b.title != "" && b.level <= top.level && b.start != top.start
	})
}

// isSlug reports whether the name of a file is meant for machines, such as "ch04-02-references.md",
// rather than for its author, such as "Kyoto.md" or "2024-11-05.md".
func isSlug(name string) bool {
	stem := name
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		stem = name[:dot]
	}
	letters := false
	for _, r := range stem {
		switch {
		case 'a' <= r && r <= 'z':
			letters = true
		case '0' <= r && r <= '9', r == '-', r == '_', r == '.':
		default:
			return false
		}
	}
	return letters
}

// isProse reports whether the first line of a file with that name may be its title. It is false for
// source code, and for PDF, where the largest text has been rejected as the title.
func isProse(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return true
	}
	switch strings.ToLower(name[dot+1:]) {
	case "txt", "text", "rtf", "doc":
		return true
	}
	return false
}

// firstLineTitle returns the first non-blank line if it looks like a title: short, with a letter,
// and not a sentence.
func firstLineTitle(text string) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > maxFirstLine*utf8.UTFMax {
		return ""
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "#"))
	if _, title := headingWithExportTag(line); title != "" {
		line = title
	}
	if line == "" || utf8.RuneCountInString(line) > maxFirstLine || startsListItem(line) || !hasLetter(line) || isCommand(line) {
		return ""
	}
	if r, _ := utf8.DecodeLastRuneInString(line); strings.ContainsRune("。！？；…，、,.!?;:：{}()[]<>\\=|", r) {
		return ""
	}
	return shortenTitle(line)
}

// isCommand reports whether a line is a command for a terminal or in a script.
func isCommand(line string) bool {
	_, ok := cutAnyPrefix(line, "$ ", "> ", "% ", "!/")
	return ok
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// shortenTitle returns s on one line, with single spaces, cut to maxTitle runes.
func shortenTitle(s string) string {
	s = strings.Clone(strings.Join(strings.Fields(s), " ")) // so that a single word does not keep the whole text in memory
	n := 0
	for i := range s {
		if n++; n > maxTitle {
			return s[:i]
		}
	}
	return s
}
