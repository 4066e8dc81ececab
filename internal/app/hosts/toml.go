package hosts

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// tomlFormat is TOML. No library keeps comments when it writes TOML, so only the lines of an
// entry's tables are changed.
type tomlFormat struct{}

func (tomlFormat) parse(text []byte) (any, error) {
	v := map[string]any{}
	err := toml.Unmarshal(text, &v)
	if bad := new(toml.DecodeError); errors.As(err, &bad) {
		line, column := bad.Position()
		return nil, message.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return v, err
}

func (tomlFormat) put(text []byte, path []string, entry configEntry) ([]byte, error) {
	table, err := tomlTable(path, entry)
	if err != nil {
		return nil, err
	}
	blocks, err := tableLines(text, path)
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return append(endWithBlankLine(text), table...), nil
	}
	for _, b := range slices.Backward(blocks[1:]) {
		text = cutLines(text, b)
	}
	return slices.Concat(text[:blocks[0].from], []byte(table), text[blocks[0].to:]), nil
}

func (tomlFormat) remove(text []byte, path []string) ([]byte, error) {
	blocks, err := tableLines(text, path)
	for _, b := range slices.Backward(blocks) {
		text = cutLines(text, b)
	}
	return text, err
}

// lineRange is a range of bytes of a text that consists of whole lines.
type lineRange struct{ from, to int }

// tableLines returns the ranges of lines of the table at a path and of its subtables.
func tableLines(text []byte, path []string) (blocks []lineRange, err error) {
	var p unstable.Parser
	p.Reset(text)
	open := false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		at, header := -1, []string(nil)
		for key := e.Key(); key.Next(); {
			if at < 0 {
				at = bytes.LastIndexByte(text[:key.Node().Raw.Offset], '\n') + 1
			}
			header = append(header, string(key.Node().Data))
		}
		last := len(blocks) - 1
		if open {
			blocks[last].to = commentsStart(text, at)
		}
		if open = len(header) >= len(path) && slices.Equal(header[:len(path)], path); !open {
			continue
		}
		if last >= 0 && isBlank(text[blocks[last].to:at]) {
			blocks[last].to = len(text)
		} else {
			blocks = append(blocks, lineRange{at, len(text)})
		}
	}
	return blocks, p.Error()
}

// commentsStart returns the start of the comments and empty lines that precede the line at an
// offset and belong to it.
func commentsStart(text []byte, at int) int {
	for at > 0 {
		start := bytes.LastIndexByte(text[:at-1], '\n') + 1
		if line := bytes.TrimSpace(text[start:at]); len(line) > 0 && line[0] != '#' {
			return at
		}
		at = start
	}
	return at
}

// cutLines returns a text without some lines, and without an empty line before them that separates
// them from others.
func cutLines(text []byte, b lineRange) []byte {
	rest := text[b.to:]
	if isBlank(rest) || rest[0] == '\n' {
		if before, ok := bytes.CutSuffix(text[:b.from], []byte("\n\n")); ok {
			b.from = len(before) + 1
		}
	}
	return slices.Concat(text[:b.from], rest)
}

// endWithBlankLine returns a text with an empty line at its end, so that a table can be appended.
func endWithBlankLine(text []byte) []byte {
	text = slices.Clip(text)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	if isBlank(text) {
		return text
	}
	return append(text, '\n')
}

// tomlTable returns a table as TOML, with its header and followed by its subtables.
func tomlTable(path []string, entry configEntry) (string, error) {
	var keys []string
	for _, part := range path {
		keys = append(keys, tomlKey(part))
	}
	table, inner := "["+strings.Join(keys, ".")+"]\n", ""
	for _, f := range entry {
		below, isTable := toEntry(f.value)
		if isTable {
			text, err := tomlTable(append(slices.Clip(path), f.name), below)
			if err != nil {
				return "", err
			}
			inner += "\n" + text
			continue
		}
		line, err := toml.Marshal(map[string]any{f.name: f.value})
		if err != nil {
			return "", err
		}
		table += string(line)
	}
	return table + inner, nil
}

// toEntry converts a map to a configEntry, sorted by name; ok is false for other values. A configEntry is
// returned as it is.
func toEntry(v any) (configEntry, bool) {
	switch v := v.(type) {
	case configEntry:
		return v, true
	case map[string]any:
		var entry configEntry
		for name, value := range v {
			entry = append(entry, entryField{name, value})
		}
		slices.SortFunc(entry, func(a, b entryField) int { return strings.Compare(a.name, b.name) })
		return entry, true
	}
	return nil, false
}

var bareKey = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

func tomlKey(name string) string {
	if bareKey.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
