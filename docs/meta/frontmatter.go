package meta

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxFrontMatter is the maximum length of front matter, in bytes. A longer text with the same start
// is something else.
const maxFrontMatter = 64 << 10

// FrontMatterLength returns the length of the YAML or TOML front matter of a text, including its
// last line end, or 0 if there is none.
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
		// A thematic break may also begin a text, but front matter contains an assignment.
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

// nextLine returns the line at a position, without its line end, and the start of the next line.
func nextLine(text string, pos int) (line string, next int) {
	line, _, _ = strings.Cut(text[pos:], "\n")
	return line, min(pos+len(line)+1, len(text))
}

// fieldsOf returns the fields of front matter, in order. If a library rejects the whole text, it is
// parsed again in parts, so that one invalid line does not affect the others.
func fieldsOf(matter string) []Field {
	lines := strings.SplitAfter(strings.TrimSuffix(matter, "\n"), "\n")
	if len(lines) < 3 {
		return nil
	}
	const maxLines = 1000 // maximum lines parsed in parts
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

// A fieldReader collects the fields of front matter.
type fieldReader struct {
	fields []Field
	lines  []string // lines of the YAML being read
	table  string   // current table in TOML
}

// maxKey is the maximum length of a key in bytes, including the keys that contain it.
const maxKey = 200

// cleanKey returns the normalised form of a key, or "" if it is not valid.
func cleanKey(key string) string {
	if key = Fold(strings.Trim(strings.TrimSpace(key), `"'`)); len(key) > maxKey || strings.ContainsAny(key, "{}[]") {
		return ""
	}
	return key
}

// add adds a value to a key, unless it has several lines or is too long.
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

// addScalar adds a single value to a key. It may contain several tags or aliases.
func (r *fieldReader) addScalar(key, value string) {
	values := []string{value}
	switch {
	case isTagKey(key):
		values = splitTags(value)
	case isAliasKey(key):
		values = splitAny(value, ",，")
	}
	for _, v := range values {
		r.add(key, v)
	}
}

// tagSeparators are the characters that separate tags on a line.
const tagSeparators = ",，、;；"

// splitTags splits the tags on a line, at commas and the like or else at spaces.
func splitTags(line string) []string {
	if strings.ContainsAny(line, tagSeparators) {
		return splitAny(line, tagSeparators)
	}
	return strings.Fields(line)
}

// splitAny splits a text at any of the separators.
func splitAny(s, separators string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
