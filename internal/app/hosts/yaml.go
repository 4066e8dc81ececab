package hosts

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"vademecum/internal/base/message"
)

// yamlFormat is YAML. A library would move comments and drop empty lines when it writes a file, so
// only the lines of an entry are changed.
type yamlFormat struct {
	list bool // servers are items of a list, not members of a map
}

func (yamlFormat) parse(text []byte) (any, error) {
	var v any
	d := yaml.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&v)
	if errors.Is(err, io.EOF) || err == nil && v == nil {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, message.Errorf("it contains more than one document")
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, message.Errorf("it contains no map")
	}
	return v, nil
}

func (f yamlFormat) put(text []byte, path []string, entry configEntry) ([]byte, error) {
	y, err := readYAML(text, path)
	if err != nil {
		return nil, err
	}
	switch {
	case y.key == nil:
		item, err := f.formatItem(path[1], entry, "  ")
		return y.replaceLines(len(y.lines), len(y.lines), path[0]+":\n"+item), err
	case isEmptyNode(y.servers):
		item, err := f.formatItem(path[1], entry, strings.Repeat(" ", y.key.Column+1))
		if err != nil {
			return nil, err
		}
		return y.addFirstItem(item)
	case len(y.starts) == 0:
		return nil, errForm
	}
	item, err := f.formatItem(path[1], entry, strings.Repeat(" ", y.column))
	if err != nil {
		return nil, err
	}
	if y.at >= 0 {
		from, to := y.itemExtent(y.starts[y.at], y.column)
		return y.replaceLines(from, to, item), nil
	}
	_, end := y.itemExtent(y.starts[len(y.starts)-1], y.column)
	return y.replaceLines(end, end, item), nil
}

func (f yamlFormat) remove(text []byte, path []string) ([]byte, error) {
	y, err := readYAML(text, path)
	if err != nil || y.at < 0 {
		return text, err
	}
	from, to := y.itemExtent(y.starts[y.at], y.column)
	if len(y.starts) > 1 {
		return y.replaceLines(from, to, ""), nil
	}
	begin, end := y.itemExtent(y.key.Line-1, y.key.Column-1)
	colon := y.key.Column + strings.IndexByte(y.lines[begin][y.key.Column-1:], ':')
	before, after := y.lines[begin][:colon], y.lines[begin][colon:]
	if begin+1 == from && end == to && strings.TrimSpace(after) == "" {
		return y.replaceLines(begin, end, ""), nil
	}
	y.lines[begin] = before + " {}" + after // comments beside it stay
	if f.list {
		y.lines[begin] = before + " []" + after
	}
	return y.replaceLines(from, to, ""), nil
}

// formatItem returns an entry as YAML, indented by blanks.
func (f yamlFormat) formatItem(name string, entry configEntry, blanks string) (string, error) {
	var node *yaml.Node
	var err error
	if f.list {
		var only *yaml.Node
		only, err = yamlNode(entry)
		node = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{only}}
	} else {
		node, err = yamlNode(configEntry{{name, entry}})
	}
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(node), e.Close()); err != nil {
		return "", err
	}
	return indentLines(out.String(), blanks), nil
}

// yamlNode converts a value to a node, and keeps the order of its fields.
func yamlNode(v any) (*yaml.Node, error) {
	node := new(yaml.Node)
	entry, ok := v.(configEntry)
	if !ok {
		return node, node.Encode(v)
	}
	node.Kind = yaml.MappingNode
	for _, f := range entry {
		value, err := yamlNode(f.value)
		if err != nil {
			return nil, err
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: f.name}, value)
	}
	return node, nil
}

// yamlLines is a text split into lines, with the positions of the servers in it.
type yamlLines struct {
	lines        []string
	key, servers *yaml.Node
	starts       []int // first line of each server, counted from 0; nil if servers share lines
	column       int   // column at which the servers begin, counted from 0
	at           int   // index of the server that is looked for; -1 if there is none
}

// otherBreaks are the characters other than a line feed that end a line in YAML.
const otherBreaks = "\r\u0085\u2028\u2029"

func readYAML(text []byte, path []string) (yamlLines, error) {
	y := yamlLines{lines: slices.Collect(strings.Lines(string(text))), at: -1}
	if bytes.ContainsAny(text, otherBreaks) {
		return y, errForm
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return y, err
	}
	if len(document.Content) == 0 || isEmptyNode(document.Content[0]) && document.Content[0].Style&yaml.FlowStyle == 0 {
		return y, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return y, errForm
	}
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value == path[0] {
			y.key, y.servers = root.Content[i], root.Content[i+1]
		}
	}
	if y.key != nil && y.servers.Anchor != "" {
		return y, errForm
	}
	if y.key != nil && y.servers.Style&yaml.FlowStyle == 0 {
		y.findServers(path[1])
	}
	return y, nil
}

func (y *yamlLines) findServers(name string) {
	y.column = y.servers.Column - 1
	switch y.servers.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(y.servers.Content); i += 2 {
			key := y.servers.Content[i]
			if key.Value == name {
				y.at = len(y.starts)
			}
			y.starts = append(y.starts, key.Line-1)
		}
	case yaml.SequenceNode:
		for _, item := range y.servers.Content {
			var named struct{ Name string }
			if item.Decode(&named) == nil && named.Name == name {
				y.at = len(y.starts)
			}
			y.starts = append(y.starts, y.dashLine(item.Line-1))
		}
	}
}

// dashLine returns the line with the dash of the item whose text is on a line: that line or one
// before it.
func (y *yamlLines) dashLine(line int) int {
	for line > 0 && !strings.HasPrefix(y.lines[line][min(y.column, len(y.lines[line])):], "-") {
		line--
	}
	return line
}

// itemExtent returns the first line of an item that begins at a column, and the line after its last
// one. The item extends to the next line that is not indented further; comments and empty lines
// before that belong to the next item.
func (y *yamlLines) itemExtent(from, column int) (begin, end int) {
	end = from + 1
	for i := end; i < len(y.lines); i++ {
		content := strings.TrimLeft(y.lines[i], " ")
		if strings.TrimSpace(content) == "" || content[0] == '#' {
			continue
		}
		if len(y.lines[i])-len(content) <= column {
			break
		}
		end = i + 1
	}
	return from, end
}

// replaceLines returns the text with lines[from:to] replaced by text.
func (y *yamlLines) replaceLines(from, to int, text string) []byte {
	before := strings.Join(y.lines[:from], "")
	if text != "" && before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return []byte(before + text + strings.Join(y.lines[to:], ""))
}

// isEmptyNode reports whether a node is an empty map or list, or a key without a value.
func isEmptyNode(node *yaml.Node) bool {
	return node.Tag == "!!null" || len(node.Content) == 0 && node.Kind != yaml.ScalarNode && node.Kind != yaml.AliasNode
}

// addFirstItem adds a server to an empty map or list, or to a key without a value.
func (y *yamlLines) addFirstItem(item string) ([]byte, error) {
	line := y.key.Line - 1
	if y.servers.Line-1 != line {
		return nil, errForm
	}
	at := min(y.servers.Column-1, len(y.lines[line]))
	before, value := y.lines[line][:at], y.lines[line][at:]
	for _, nothing := range []string{"{}", "[]", "null", "~"} {
		if rest, ok := strings.CutPrefix(value, nothing); ok {
			y.lines[line] = strings.TrimRight(before, " ") + strings.TrimRight(rest, " ")
			break
		}
	}
	return y.replaceLines(line+1, line+1, item), nil
}
