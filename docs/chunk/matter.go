package chunk

import "strings"

// frontMatterTitle finds `title: …` (YAML) or `title = …` (TOML).
func frontMatterTitle(matter string) string {
	s := lineScanner{text: matter}
	for start, end, ok := s.next(); ok; start, end, ok = s.next() {
		rest, ok := strings.CutPrefix(matter[start:end], "title")
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		return shortenTitle(scalarValue(strings.TrimSpace(rest[1:]), s))
	}
	return ""
}

// scalarValue returns a value of YAML or TOML, which may continue on the following lines; "" for a
// list or a map.
func scalarValue(value string, after lineScanner) string {
	if value == "" {
		return ""
	}
	switch value[0] {
	case '"', '\'':
		return unquote(value)
	case '|', '>':
		return indentedLines(after)
	case '[', '{', '&', '*':
		return ""
	}
	value, _, _ = strings.Cut(value, " #")
	return headingText([]byte(value))
}

// unquote returns the text within quotation marks: single quotes are escaped by doubling, double
// quotes by a backslash.
func unquote(value string) string {
	mark := value[:1]
	inner := strings.TrimSuffix(value[1:], mark)
	if len(inner) == len(value)-1 { // a comment follows, or the closing mark is missing
		if end := strings.LastIndex(inner, mark+" #"); end >= 0 {
			inner = inner[:end]
		}
	}
	if mark == "'" {
		return strings.ReplaceAll(inner, "''", "'")
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(inner)
}

// indentedLines returns the lines of a block scalar.
func indentedLines(s lineScanner) string {
	var lines []string
	for start, end, ok := s.next(); ok && len(lines) < maxTitle; start, end, ok = s.next() {
		line := s.text[start:end]
		if strings.TrimLeft(line, " ") == line {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}
