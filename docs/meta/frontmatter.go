package meta

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxFrontMatter is the length in bytes above which a text that begins like
// front matter is taken to be something else.
const maxFrontMatter = 64 << 10

// FrontMatterLength returns the length of the YAML or TOML front matter of a text with
// its last line end, 0 if it has none.
func FrontMatterLength(text string) int {
	head := text[:min(len(text), maxFrontMatter)]
	line, pos := nextLine(head, 0)
	fence := strings.TrimRight(line, " \t")
	if fence != "---" && fence != "+++" {
		return 0
	}
	assigned := false
	for pos < len(head) {
		line, pos = nextLine(head, pos)
		line = strings.TrimRight(line, " \t")
		if line == fence || line == "..." && fence == "---" {
			if assigned {
				return pos
			}
			return 0
		}
		// A thematic break may also begin a text; front matter has an assignment.
		separator := ":"
		if fence == "+++" {
			separator = "="
		}
		key, _, found := strings.Cut(line, separator)
		key = strings.TrimSpace(key)
		assigned = assigned || found && key != "" && !strings.ContainsAny(key, " \t")
	}
	return 0
}

// nextLine returns the line at a position without its end, and where the next one
// begins.
func nextLine(text string, pos int) (line string, next int) {
	line, _, _ = strings.Cut(text[pos:], "\n")
	return line, min(pos+len(line)+1, len(text))
}

// fieldsOf reads what front matter assigns, in its order. What the libraries refuse as
// a whole they are given again in parts, so that one odd line does not cost the others.
func fieldsOf(matter string) []Field {
	lines := strings.SplitAfter(strings.TrimSuffix(matter, "\n"), "\n")
	if len(lines) < 3 {
		return nil
	}
	const maxLines = 1000 // that are read in parts
	isTOML, lines := lines[0][0] == '+', lines[1:len(lines)-1]
	whole, lines := strings.Join(lines, ""), lines[:min(len(lines), maxLines)]
	var r fieldReader
	switch {
	case isTOML && !r.readTOML(whole):
		r = fieldReader{}
		for _, line := range lines {
			r.readTOML(line)
		}
	case !isTOML && !r.readYAML(whole):
		for _, entry := range splitEntries(lines) {
			if !r.readYAML(entry) {
				r.readYAML(withQuotedValues(entry))
			}
		}
	}
	return r.fields
}

// A fieldReader gathers what front matter assigns.
type fieldReader struct {
	fields []Field
	lines  []string // of the YAML that is being read
	table  string   // of TOML
}

// maxKey is the maximum length of a key in bytes, including the keys it is nested in.
const maxKey = 200

// cleanKey returns the form of a key, "" when it can be none.
func cleanKey(key string) string {
	if key = Fold(strings.Trim(strings.TrimSpace(key), `"'`)); len(key) > maxKey || strings.ContainsAny(key, "{}[]") {
		return ""
	}
	return key
}

// add adds a value to a key, unless it is text of several lines.
func (r *fieldReader) add(key, value string) {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > maxValue || strings.Contains(value, "\n") || !utf8.ValidString(value) {
		return
	}
	at := slices.IndexFunc(r.fields, func(f Field) bool { return f.Key == key })
	if at < 0 {
		if at = len(r.fields); at >= maxFields {
			return
		}
		r.fields = append(r.fields, Field{Key: strings.Clone(key)})
	}
	if f := &r.fields[at]; len(f.Values) < maxValues {
		f.Values = append(f.Values, strings.Clone(value))
	}
}

// addScalar adds a single value of a key, which may contain several tags or aliases.
func (r *fieldReader) addScalar(key, value string) {
	values := []string{value}
	switch {
	case IsTagKey(key):
		values = splitTags(value)
	case isAliasKey(key):
		values = splitAny(value, ",，")
	}
	for _, v := range values {
		r.add(key, v)
	}
}

// tagSeparators part the tags in a line.
const tagSeparators = ",，、;；"

// splitTags splits tags on one line: by commas, or else by spaces.
func splitTags(line string) []string {
	if strings.ContainsAny(line, tagSeparators) {
		return splitAny(line, tagSeparators)
	}
	return strings.Fields(line)
}

// splitAny splits a text at each of some characters.
func splitAny(s, separators string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
