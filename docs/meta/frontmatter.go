package meta

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFrontMatter is the length in bytes above which a text that begins like
// front matter is taken to be something else.
const maxFrontMatter = 64 << 10

// FrontMatter returns the length of the YAML or TOML front matter of a text with
// its last line end, 0 if it has none.
func FrontMatter(text string) int {
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
	return 0
}

// nextLine returns the line at a position without its end, and where the next one
// begins.
func nextLine(text string, pos int) (line string, next int) {
	line, _, _ = strings.Cut(text[pos:], "\n")
	return line, min(pos+len(line)+1, len(text))
}

// fieldsOf reads what front matter assigns, in its order.
func fieldsOf(matter string) []Field {
	lines := strings.Split(strings.TrimSuffix(matter, "\n"), "\n")
	if len(lines) < 3 {
		return nil
	}
	isTOML := strings.HasPrefix(lines[0], "+")
	r := fieldReader{lines: lines[1 : len(lines)-1]}
	for len(r.lines) > 0 {
		if isTOML {
			r.toml()
		} else {
			r.yaml()
		}
	}
	return r.fields
}

// A fieldReader takes lines off the front of front matter. It knows as much of
// YAML and TOML as front matter has: scalars, lists in brackets or one item a line,
// and values within others. The rest (anchors, tags of types, texts of several
// lines) is left out, and so is each line that is neither.
type fieldReader struct {
	lines  []string
	fields []Field
	path   []level // of YAML: the keys that the next line may be within
	table  string  // of TOML
}

// level is a key with the column at which it stands.
type level struct {
	column int
	key    string
}

func (r *fieldReader) take() string {
	line := r.lines[0]
	r.lines = r.lines[1:]
	return line
}

// yaml reads what begins with the next line.
func (r *fieldReader) yaml() {
	line := r.take()
	body := strings.TrimSpace(line)
	column := len(line) - len(strings.TrimLeft(line, " \t"))
	if item, ok := strings.CutPrefix(body, "-"); ok && (item == "" || item[0] == ' ' || item[0] == '\t') {
		if n := len(r.path); n > 0 && column >= r.path[n-1].column {
			r.item(r.path[n-1].key, strings.TrimSpace(item))
		}
		return
	}
	key, value, ok := cutKey(body)
	if !ok {
		return
	}
	for n := len(r.path); n > 0 && column <= r.path[n-1].column; n-- {
		r.path = r.path[:n-1]
	}
	if n := len(r.path); n > 0 {
		key = r.path[n-1].key + "." + key
	}
	const deepest = 4
	if len(r.path) < deepest {
		r.path = append(r.path, level{column, key})
	}
	if value != "" && strings.ContainsRune("|>", rune(value[0])) {
		r.skipDeeper(column)
		return
	}
	r.assign(key, alone, r.joined(value))
}

// item reads an item of a list, which may itself assign something.
func (r *fieldReader) item(key, value string) {
	if inner, rest, ok := cutKey(value); ok && !strings.ContainsAny(inner, " \"'") {
		key, value = key+"."+inner, rest
	}
	r.assign(key, inItem, r.joined(value))
}

// skipDeeper drops the lines of a text that stands within a key.
func (r *fieldReader) skipDeeper(column int) {
	for len(r.lines) > 0 {
		line := r.lines[0]
		if strings.TrimSpace(line) != "" && len(line)-len(strings.TrimLeft(line, " \t")) <= column {
			return
		}
		r.take()
	}
}

// toml reads what begins with the next line.
func (r *fieldReader) toml() {
	line := strings.TrimSpace(r.take())
	if inner, ok := strings.CutPrefix(line, "["); ok {
		inner, _, _ = strings.Cut(inner, "]")
		r.table = cleanKey(strings.Trim(inner, "["))
		return
	}
	key, value, ok := strings.Cut(line, "=")
	key = cleanKey(key)
	if !ok || key == "" {
		return
	}
	if r.table != "" {
		key = r.table + "." + key
	}
	value = strings.TrimSpace(value)
	for _, quotes := range []string{`"""`, `'''`} {
		if rest, ok := strings.CutPrefix(value, quotes); ok {
			for !strings.Contains(rest, quotes) && len(r.lines) > 0 {
				rest = r.take()
			}
			return
		}
	}
	r.assign(key, alone, r.joined(value))
}

// joined returns a list in brackets with those of its items that are on the next
// lines.
func (r *fieldReader) joined(value string) string {
	if !strings.HasPrefix(value, "[") || strings.HasPrefix(value, "[[") || strings.Contains(value, "]") {
		return value
	}
	var whole strings.Builder
	whole.WriteString(value)
	for n, line := range r.lines[:min(len(r.lines), maxValues)] {
		if _, _, isKey := cutKey(strings.TrimSpace(line)); isKey && n == 0 {
			return value // the bracket is never closed
		}
		whole.WriteString(" " + strings.TrimSpace(line))
		if strings.Contains(line, "]") {
			r.lines = r.lines[n+1:]
			return whole.String()
		}
	}
	return value
}

// cutKey takes "key: value" apart.
func cutKey(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if ok && value != "" && value[0] != ' ' && value[0] != '\t' || strings.HasPrefix(line, "#") {
		return "", "", false
	}
	key = cleanKey(key)
	return key, strings.TrimSpace(value), ok && key != ""
}

// cleanKey is the form of a key, "" when it can be none.
func cleanKey(key string) string {
	const longest = 100
	if key = Fold(strings.Trim(strings.TrimSpace(key), `"'`)); len(key) > longest || strings.ContainsAny(key, "{}[]") {
		return ""
	}
	return key
}

// The places in which a value stands.
const (
	alone  = iota // after its key
	inItem        // in a line of a list
)

// assign adds values to a key.
func (r *fieldReader) assign(key string, place int, raw string) {
	values := valuesOf(raw)
	if IsTagKey(key) && strings.HasPrefix(raw, "#") { // no comment, whatever YAML says
		values = splitTags(raw)
	}
	if place == alone && !strings.HasPrefix(raw, "[") {
		switch {
		case IsTagKey(key):
			values = splitTags(raw)
		case key == "aliases" || key == "alias":
			values = splitAny(strings.Join(values, ","), ",，")
		}
	}
	at := slices.IndexFunc(r.fields, func(f Field) bool { return f.Key == key })
	for _, v := range values {
		if v == "" || len(v) > maxValue || !utf8.ValidString(v) {
			continue
		}
		if at < 0 {
			if at = len(r.fields); at >= maxFields {
				return
			}
			r.fields = append(r.fields, Field{Key: strings.Clone(key)})
		}
		if f := &r.fields[at]; len(f.Values) < maxValues {
			f.Values = append(f.Values, strings.Clone(v))
		}
	}
}

// tagSeparators part the tags in a line.
const tagSeparators = ",，、;；"

// splitTags takes tags apart that stand in one line: with commas between, or else
// with spaces.
func splitTags(raw string) []string {
	if !strings.HasPrefix(raw, "#") {
		raw = strings.Join(valuesOf(raw), ",")
	}
	if strings.ContainsAny(raw, tagSeparators) {
		return splitAny(raw, tagSeparators)
	}
	return strings.Fields(raw)
}

// splitAny splits a text at each of some characters.
func splitAny(s, separators string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// valuesOf returns the items of a list in brackets, or else the one scalar.
func valuesOf(raw string) []string {
	inner, ok := strings.CutPrefix(raw, "[")
	if !ok {
		return []string{scalar(raw)}
	}
	if strings.HasPrefix(raw, "[[") && !strings.HasPrefix(raw, "[[[") { // links, which people leave without quotes
		inner = raw
	}
	var all []string
	for inner != "" && inner[0] != ']' {
		var item string
		item, inner = cutItem(inner)
		if v := scalar(strings.TrimSpace(item)); v != "" {
			all = append(all, v)
		}
	}
	return all
}

// cutItem takes the first item off a list, up to the comma or bracket after it that
// stands in no quotes and no link.
func cutItem(s string) (item, rest string) {
	s = strings.TrimLeft(s, " \t")
	for i := 0; i < len(s); i++ {
		switch {
		case (s[i] == '"' || s[i] == '\'') && i == 0:
			if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
				i = end + 1
			}
		case strings.HasPrefix(s[i:], "[["):
			if end := strings.Index(s[i:], "]]"); end >= 0 {
				i += end + 1
			}
		case s[i] == ',':
			return s[:i], s[i+1:]
		case s[i] == ']':
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// scalar returns a value without its quotes and without a comment, "" for none.
func scalar(raw string) string {
	if raw == "" {
		return ""
	}
	if q := raw[0]; q == '"' || q == '\'' {
		if end := strings.LastIndexByte(raw, q); end > 0 {
			return unquoted(raw[:end+1])
		}
		return raw[1:]
	}
	if raw[0] == '#' || raw[0] == '{' {
		return ""
	}
	if at := strings.Index(raw, " #"); at >= 0 {
		raw = raw[:at]
	}
	if raw = strings.TrimSpace(raw); raw == "~" || raw == "null" {
		return ""
	}
	return raw
}

func unquoted(s string) string {
	if s[0] == '\'' {
		return strings.TrimSpace(strings.ReplaceAll(s[1:len(s)-1], "''", "'"))
	}
	if plain, err := strconv.Unquote(s); err == nil {
		return strings.TrimSpace(plain)
	}
	return strings.TrimSpace(s[1 : len(s)-1])
}
