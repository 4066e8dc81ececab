package meta

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"vademecum/internal/base/lazyregexp"
)

// readYAML adds the fields of YAML. It returns false if it is invalid.
func (r *fieldReader) readYAML(text string) bool {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return false
	}
	r.lines = strings.Split(text, "\n")
	if len(doc.Content) > 0 && doc.Content[0].Kind == yaml.MappingNode {
		r.addNode("", doc.Content[0], false)
	}
	return true
}

// addNode adds a value to a key; isItem reports that it is an item of a list.
func (r *fieldReader) addNode(key string, n *yaml.Node, isItem bool) {
	switch n.Kind {
	case yaml.MappingNode:
		if key != "" {
			key += "."
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if inner := cleanKey(n.Content[i].Value); inner != "" && len(key)+len(inner) <= maxKey {
				r.addNode(key+inner, n.Content[i+1], false)
			}
		}
	case yaml.SequenceNode:
		if link := r.linkOf(n); link != "" {
			r.add(key, link)
			return
		}
		for _, item := range n.Content {
			r.addNode(key, item, true)
		}
	case yaml.AliasNode: // only aliases of scalars are expanded
		if n.Alias.Kind == yaml.ScalarNode {
			r.addNode(key, n.Alias, isItem)
		}
	case yaml.ScalarNode:
		switch isNull := n.ShortTag() == "!!null"; {
		case !isNull && isItem:
			r.add(key, n.Value)
		case !isNull:
			r.addScalar(key, n.Value)
		case isTagKey(key): // unlike in YAML, #tag is not a comment here
			if source := strings.TrimSpace(r.restOfLine(n)); strings.HasPrefix(source, "#") {
				r.addScalar(key, source)
			}
		}
	}
}

// restOfLine returns the rest of a line from a value on. It returns "" for a very long line, as its
// values would take quadratic time.
func (r *fieldReader) restOfLine(n *yaml.Node) string {
	const longest = 4 << 10
	if n.Line < 1 || n.Line > len(r.lines) || len(r.lines[n.Line-1]) > longest {
		return ""
	}
	line := []rune(r.lines[n.Line-1])
	return string(line[min(max(n.Column-1, 0), len(line)):])
}

// linkOf returns an unquoted link [[name]], which YAML parses as a list within a list, or "" for
// any other list.
func (r *fieldReader) linkOf(n *yaml.Node) string {
	if len(n.Content) != 1 || n.Content[0].Kind != yaml.SequenceNode || n.Content[0].Style&yaml.FlowStyle == 0 {
		return ""
	}
	source := r.restOfLine(n)
	end := strings.Index(source, "]]")
	if end < 0 || !strings.HasPrefix(source, "[[") || strings.HasPrefix(source, "[[[") {
		return ""
	}
	return source[:end+2]
}

// splitEntries splits lines of YAML before each line that begins an entry of the top-level mapping.
func splitEntries(lines []string) []string {
	var entries []string
	for _, line := range lines {
		if n := len(entries); n > 0 && strings.ContainsAny(line[:1], " \t-#]}\n") {
			entries[n-1] += line
			continue
		}
		entries = append(entries, line)
	}
	return entries
}

// assignment matches a line of YAML: its indentation, the text before the value, and the value.
var assignment = lazyregexp.New(`^([ \t]*)((?:-[ \t]+)*(?:[^\s:\["'{-][^:]*:(?:[ \t]+|$))?)(.*)`)

// withQuotedValues returns an invalid entry with quotation marks around the values that need them,
// and with leading tabs replaced by spaces.
func withQuotedValues(entry string) string {
	var out strings.Builder
	for line := range strings.Lines(entry) {
		m := assignment.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		out.WriteString(strings.ReplaceAll(m[1], "\t", "  ") + m[2] + quoteIfNeeded(m[3]) + "\n")
	}
	return out.String()
}

func quoteIfNeeded(value string) string {
	var n yaml.Node
	if yaml.Unmarshal([]byte("key: "+value), &n) == nil {
		return value
	}
	if inner, ok := strings.CutPrefix(value, "["); ok && !strings.HasPrefix(inner, "[") && strings.HasSuffix(inner, "]") {
		items := strings.Split(strings.TrimSuffix(inner, "]"), ",")
		for i, item := range items {
			items[i] = requote(strings.TrimSpace(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return requote(value)
}

// requote returns a text in single quotes, replacing quotation marks that surround it.
func requote(text string) string {
	return "'" + strings.ReplaceAll(withoutQuotes(text), "'", "''") + "'"
}

// withoutQuotes returns a text without surrounding quotation marks.
func withoutQuotes(text string) string {
	if n := len(text); n > 1 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
		return text[1 : n-1]
	}
	return text
}
