package mcp

import (
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestBadArguments(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	long := strings.Repeat("血压 ", 40_000)
	for _, tt := range []struct{ tool, arguments, want string }{
		{"retrieve_docs", `{}`, "query is missing"},
		{"retrieve_docs", `{"query": ""}`, "query is empty"},
		{"retrieve_docs", `{"query": "  "}`, "query is empty"},
		{"retrieve_docs", `{"query": "` + long + `"}`, "too long"},
		{"retrieve_docs", `{"query": 5}`, "query must be a text, got number"},
		{"retrieve_docs", `{"query": "x", "top_k": 0}`, "from 1 to 50, got 0"},
		{"retrieve_docs", `{"query": "x", "top_k": -3}`, "from 1 to 50, got -3"},
		{"retrieve_docs", `{"query": "x", "top_k": 1000}`, "from 1 to 50, got 1000"},
		{"retrieve_docs", `{"query": "x", "top_k": "five"}`, `must be a whole number, got "five"`},
		{"retrieve_docs", `{"query": "x", "top_k": 2.5}`, "must be a whole number, got 2.5"},
		{"retrieve_docs", `{"query": "x", "top_k": 5000000000}`, "from 1 to 50, got 5000000000"},
		{"retrieve_docs", `{"query": "x", "top_k": -1e20}`, "from 1 to 50, got -1e20"},
		{"retrieve_docs", `{"query": "x", "top_k": "Inf"}`, `must be a whole number, got "Inf"`},
		{"retrieve_docs", `{"query": "x", "also": 5}`, "also must be a list of texts, got number"},
		{"retrieve_docs", `{"query": "x", "also": ["y", 5]}`, "also must be a list of texts, got number"},
		{"retrieve_docs", `{"query": "x", "path": "[z"}`, "not a valid glob"},
		{"retrieve_docs", `{"query": "x", "path": ".."}`, "path .. is outside the folder"},
		{"find_in_docs", `{"text": "x", "path": "../"}`, "path ../ is outside the folder"},
		{"list_docs", `{"path": "sub/../.."}`, "path sub/../.. is outside the folder"},
		{"index_docs", `{"paths": [".."]}`, "path .. is outside the folder"},
		{"read_doc", `{"path": ".."}`, "path .. is outside the folder"},
		{"retrieve_docs", `{"query": "x", "path": "file:///a%00b"}`, "NUL"},
		{"retrieve_docs", `{"query": "x", "tags": ["` + strings.Repeat("a", 1001) + `"]}`, "tags must have at most 1000 bytes, got "},
		{"retrieve_docs", `{"query": "x", "tags": ["a` + strings.Repeat(",b", 100) + `"]}`, "tags must have at most 100 conditions"},
		{"retrieve_docs", `{"query": "x", "where": "a=` + strings.Repeat("a", 1000) + `"}`, "where must have at most 1000 bytes"},
		{"retrieve_docs", `{"query": "x", "links_to": "` + strings.Repeat("a", 1001) + `"}`, "links_to must have at most 1000 bytes"},
		{"retrieve_docs", `{"query": "x", "limit": 3}`, `unknown parameter "limit" of retrieve_docs: did you mean top_k?`},
		{"retrieve_docs", `{"query": "x", "topk": 3}`, "did you mean top_k?"},
		{"retrieve_docs", `{"query": "x", "topK": 3}`, "did you mean top_k?"},
		{"retrieve_docs", `{"query": "x", "k": 3}`, "did you mean top_k?"},
		{"retrieve_docs", `{"Query": "x"}`, "did you mean query?"},
		{"retrieve_docs", `{"question": "x"}`, "did you mean query?"},
		{"read_doc", `{"file": "x"}`, "did you mean path?"},
		{"index_docs", `{"path": "x"}`, "did you mean paths?"},
		{"retrieve_docs", `[1]`, "arguments must be an object"},
		{"read_doc", `{}`, "path is missing"},
		{"read_doc", `{"path": "nope.md"}`, "no such document: nope.md"},
		{"read_doc", `{"path": "../../etc/passwd"}`, "is outside the folder"},
		{"read_doc", `{"path": "/etc/passwd"}`, "no such document"},
		{"read_doc", `{"path": "a\nb"}`, `no such document: "a\nb"`},
		{"read_doc", `{"uri": "file:///etc/passwd"}`, "no such document"},
		{"read_doc", `{"uri": "file:///a%00b"}`, "NUL"},
		{"read_doc", `{"path": "高 血压.txt", "uri": "file:///x"}`, "not both"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 0}`, "count from 1"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 3, "end_line": 2}`, "not before start_line"},
		{"read_doc", `{"path": "高 血压.txt", "end_line": 5.5}`, "end_line must be a whole number, got 5.5"},
		{"read_doc", `{"path": "高 血压.txt", "end_line": -5000000000}`, "count from 1"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 5000000000, "end_line": 5000000001}`, "高 血压.txt"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 99}`, "高 血压.txt"},
		{"list_docs", `{"path": "{a"}`, "not a valid glob"},
		{"index_docs", `{"docs": 5}`, "docs must be a list of texts"},
		{"index_docs", `{"docs": "text", "force": "true"}`, "give docs, or paths and force, not both"},
		{"index_docs", `{"force": 1}`, "force must be true or false, got 1"},
		{"list_docs", `{"tag_counts": "some"}`, "tag_counts must be true or false, got some"},
		{"list_docs", `{"cursor": "nope.md"}`, `cursor "nope.md" was not given by list_docs`},
		{"list_docs", `{"cursor": "zzz"}`, `cursor "zzz" was not given by list_docs`},
		{"list_docs", `{"tag_counts": true, "cursor": "#nope"}`, `cursor "#nope" was not given by list_docs`},
		{"index_docs", `{"docs": ["", " \n"]}`, "docs[0] is empty"},
		{"index_docs", `{"paths": ["nope.md"]}`, "nothing in the folder matches nope.md"},
		{"index_docs", `{"paths": ["../x"]}`, "is outside the folder"},
		{"index_docs", `{"force": "yes"}`, "force must be true or false"},
	} {
		r := c.call(tt.tool, tt.arguments)
		got := firstText(r)
		if !r.IsError || !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("%s %.80s: error %v, %q; want one line with %q", tt.tool, tt.arguments, r.IsError, got, tt.want)
		}
	}
	var wire *jsonrpc.Error
	_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete_docs"})
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("an unknown tool: %v", err)
	}
	// Models send numbers as strings, and null for parameters that they leave out.
	if r := c.call("retrieve_docs", `{"query": "患者饮食", "top_k": "2", "also": null, "path": null}`); r.IsError || len(passages(r)) != 2 {
		t.Errorf("lenient arguments: %s", firstText(r))
	}
}

// TestLenientArguments checks that strings that models send for values of other types are accepted.
func TestLenientArguments(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for _, tt := range []struct{ tool, arguments, want string }{
		{"index_docs", `{"force": "true"}`, "Indexed 3 documents; 3 in total."},
		{"index_docs", `{"force": "False"}`, "Unchanged: 3"},
		{"index_docs", `{"docs": "", "force": ""}`, "Unchanged: 3"},
		{"index_docs", `{"docs": "a text"}`, "Indexed 1 document; 4 in total."},
		{"index_docs", `{"docs": "[\"one\", \"two\"]"}`, "Indexed 2 documents; 6 in total."},
		{"index_docs", `{}`, "Indexed 0 documents; 6 in total.\nUnchanged: 3 documents.\nIn addition to the files: 3 documents of this session."},
		{"list_docs", `{"tag_counts": "true"}`, "0 tags"},
		{"list_docs", `{"tag_counts": "false", "cursor": ""}`, "6 documents"},
		{"read_doc", `{"path": "notes/sugar.md", "start_line": 5, "end_line": 5000000000}`, "notes/sugar.md, lines 5-9"},
		{"read_doc", `{"path": "notes/sugar.md", "start_line": 5.0, "end_line": 1e20}`, "notes/sugar.md, lines 5-9"},
		{"read_doc", `{"path": "notes/sugar.md", "start_line": "5", "end_line": "1e999"}`, "notes/sugar.md, lines 5-9"},
	} {
		if r := c.call(tt.tool, tt.arguments); r.IsError || !strings.Contains(firstText(r), tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.tool, tt.arguments, firstText(r), tt.want)
		}
	}
}

// TestHostsParameters checks that the parameter that Gemini CLI adds to every tool, and that its
// model fills in, is ignored.
func TestHostsParameters(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "gemini-cli-mcp-client")
	for tool, arguments := range map[string]string{
		"retrieve_docs": `{"query": "患者饮食", "wait_for_previous": false}`,
		"read_doc":      `{"path": "notes/sugar.md", "wait_for_previous": true}`,
		"list_docs":     `{"wait_for_previous": true, "limit": 5}`,
		"index_docs":    `{"wait_for_previous": null}`,
	} {
		r := c.call(tool, arguments)
		if text := allText(r); r.IsError || !strings.Contains(text, `no such parameter: `) || !strings.Contains(text, `"wait_for_previous"`) {
			t.Errorf("%s %s: error %v, %s", tool, arguments, r.IsError, text)
		}
		if tool == "retrieve_docs" && len(passages(r)) == 0 {
			t.Errorf("%s finds nothing: %s", tool, allText(r))
		}
	}
	// It is not taken for a parameter that is given as well.
	if r := c.call("retrieve_docs", `{"query": "患者饮食", "top_k": 1, "limit": 3}`); r.IsError || len(passages(r)) != 1 {
		t.Errorf("top_k beside limit: %s", allText(r))
	}
}

// TestOneWording checks that rewordings are accepted as a single string or as JSON in a string.
func TestOneWording(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for _, also := range []string{`"少盐"`, `["少盐"]`, `"[\"少盐\", \"每天\"]"`, `""`, `null`} {
		if r := c.call("retrieve_docs", `{"query": "饮食", "also": `+also+`}`); r.IsError || len(passages(r)) == 0 {
			t.Errorf("also %s: %s", also, allText(r))
		}
	}
}
