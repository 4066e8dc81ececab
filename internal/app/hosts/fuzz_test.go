package hosts

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzJSON(f *testing.F) {
	for _, text := range []string{"", "{}", "{ }", `{"a": 1,}`, `{"mcpServers": {}}`, `{"mcpServers": {"a": 1, /* b */}, // c` + "\n}", `{"mcpServers": {"vademecum": 1, "b": 2}}`, "{\t\"a\":[\n]}", "//a\n{//b\n}//c"} {
		f.Add([]byte(text))
	}
	fuzz(f, jsonFormat{}, "mcpServers")
}

func FuzzTOML(f *testing.F) {
	for _, text := range []string{"", "# a", "a = 1", "[mcp_servers]\n", "[mcp_servers.vademecum]\na = 1 # b\n# c\n[d]", "[mcp_servers.vademecum.env]\nA = ''", "mcp_servers.a.b = 1", "[[a]]\n[[a]]", "a = '''\n[mcp_servers.vademecum]\n'''", "[mcp_servers.\"vademecum\"]"} {
		f.Add([]byte(text))
	}
	fuzz(f, tomlFormat{}, "mcp_servers")
}

func FuzzYAML(f *testing.F) {
	for _, text := range []string{"", "# a", "a: 1", "extensions:", "extensions: {}\n", "extensions: null # a", "extensions:\n  a: 1\n # b\nc: |\n  d\n", "extensions:\n  vademecum: &x 1\nb: *x", "---\n...", "extensions:\n  vademecum:\n  b: >+\n   c\n\n"} {
		f.Add([]byte(text))
	}
	fuzz(f, yamlFormat{}, "extensions")
}

func FuzzYAMLList(f *testing.F) {
	for _, text := range []string{"", "a: 1", "mcpServers:\n- name: a\n", "mcpServers:\n  -\n    name: vademecum\n  - name: b # c\n", "mcpServers: []", "mcpServers:\n- - a\n"} {
		f.Add([]byte(text))
	}
	fuzz(f, yamlFormat{list: true}, "mcpServers")
}

func FuzzInputs(f *testing.F) {
	for _, text := range []string{"", "{}", `{"inputs": []}`, `{"inputs": [{"id": "a"} /* b */, // c` + "\n]}", `{"inputs": [{"name": "vademecum"}, 1,]}`, "{\"inputs\": [\n\t// a\n]}", `{"inputs": {}}`} {
		f.Add([]byte(text))
	}
	fuzz(f, inputsFormat{}, "inputs")
}

// fuzz checks for any file that an entry is added or refused, that nothing else is lost, including
// comments, that a second time changes nothing, and that the entry can be removed again.
func fuzz(f *testing.F, kind format, key string) {
	path := []string{key, "vademecum"}
	entry := configEntry{{"name", "vademecum"}, {"command", "/a b/'\"\\"}, {"args", []string{"serve", "# notes: [a]"}}, {"env", configEntry{{"A.B", "1"}}}}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, e := decode(raw)
		if isTooDeep(text) {
			return
		}
		before, err := kind.parse(text)
		if err != nil {
			return
		}
		after, err := editText(kind, text, path, entry)
		if err != nil {
			return
		}
		_, had := lookup(before, path)
		if missing, ok := contains(after, text, key); !had && !ok {
			t.Errorf("%q is lost between\n%s\nand\n%s", missing, text, after)
		}
		if again, err := editText(kind, after, path, entry); err != nil || !bytes.Equal(again, after) {
			t.Errorf("the second time makes of\n%s\nthis:\n%s\n%v", after, again, err)
		}
		if back, _ := decode(e.encode(after)); !bytes.Equal(back, after) && e.lineBreak != "\n" {
			t.Errorf("%q is read back as %q", after, back)
		}
		left, err := editText(kind, after, path, nil)
		if err != nil {
			t.Fatalf("it cannot be removed from\n%s\n%v", after, err)
		}
		if missing, ok := contains(left, text, key); !had && !ok {
			t.Errorf("%q is lost between\n%s\nand, after its removal,\n%s", missing, text, left)
		}
	})
}

// contains reports whether a text contains all of another, in order, apart from blanks, commas,
// brackets of empty values, and the key that may become empty; otherwise it returns what is
// missing.
func contains(text, other []byte, key string) (missing string, ok bool) {
	solid := func(text []byte) string {
		return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", ",", "", "{", "", "}", "", "[", "", "]", "", "null", "", "~", "", `"`, "", key, "", ":", "", "...", "").Replace(string(text))
	}
	rest := solid(text)
	for _, c := range []byte(solid(other)) {
		at := strings.IndexByte(rest, c)
		if at < 0 {
			return string(c), false
		}
		rest = rest[at+1:]
	}
	return "", true
}
