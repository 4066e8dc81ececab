package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// TestHosts holds the names that clients were recorded to give, and the form
// of results that suits them.
func TestHosts(t *testing.T) {
	for name, want := range map[string]ResultsMode{
		"claude-code":                   ResultsResource,
		"claude-ai":                     ResultsResource,
		"gemini-cli-mcp-client":         ResultsResource,
		"gemini-cli-mcp-client-notes":   ResultsResource,
		"opencode":                      ResultsResource,
		"qwen-cli-mcp-client-notes":     ResultsResource,
		"ai-sdk-mcp-client":             ResultsResource,
		"codex-mcp-client":              ResultsText,
		"Visual Studio Code":            ResultsText,
		"Visual Studio Code - Insiders": ResultsText,
		"cursor-vscode":                 ResultsText,
		"Zed":                           ResultsText,
		"Cline":                         ResultsText,
		"openai-agents-mcp":             ResultsText,
		"mcporter":                      ResultsBoth, // shows resources only
		"mcp-inspector":                 ResultsBoth,
		"tutorial-client":               ResultsBoth,
		"":                              ResultsBoth,
	} {
		if got := ResultsAuto.of(&mcp.Implementation{Name: name}); got != want {
			t.Errorf("%q is given %q, want %q", name, got, want)
		}
	}
	if got := ResultsAuto.of(nil); got != ResultsBoth {
		t.Errorf("a client without a name is given %q", got)
	}
	if got := ResultsText.of(&mcp.Implementation{Name: "claude-code"}); got != ResultsText {
		t.Errorf("the mode that the user named is overruled by %q", got)
	}
	for _, h := range hosts {
		if h.evidence == "" || h.name != strings.ToLower(h.name) {
			t.Errorf("%+v", h)
		}
	}
	for _, m := range []string{"auto", "text", "resource", "both"} {
		if got, err := ParseResultsMode(m); err != nil || string(got) != m {
			t.Errorf("%s: %v, %v", m, got, err)
		}
	}
	if _, err := ParseResultsMode("blob"); err == nil {
		t.Error("an unknown mode is accepted")
	}
}

// reading is what a model gets of a passage: where it stands, and its text.
type reading struct{ where, text string }

// textReader shows its model only text, resourceReader only resources, and
// wholeReader everything, in the order of the blocks.
var readers = map[string]func(t *testing.T, r *mcp.CallToolResult, dir string) []reading{
	"text": func(t *testing.T, r *mcp.CallToolResult, _ string) []reading {
		return cited(t, strings.ReplaceAll(allText(r), "\n[", "\n\n["))
	},
	"resource": func(t *testing.T, r *mcp.CallToolResult, dir string) (all []reading) {
		for _, p := range passages(r) {
			path, fragment, err := docs.ParseFileURI(p.URI)
			if err != nil {
				t.Fatal(err)
			}
			var from, to int
			if _, err := fmt.Sscanf(fragment, "line=%d,%d", &from, &to); err != nil {
				t.Fatalf("%s: %v", p.URI, err)
			}
			all = append(all, reading{where(strings.TrimPrefix(path, dir+"/"), from+1, to), p.Text})
		}
		return all
	},
	"whole": func(t *testing.T, r *mcp.CallToolResult, _ string) []reading {
		var out strings.Builder
		for _, c := range r.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				out.WriteString(c.Text + "\n\n")
			case *mcp.EmbeddedResource:
				out.WriteString(c.Resource.Text + "\n\n")
			}
		}
		return cited(t, out.String())
	},
}

func where(path string, first, last int) string {
	if first == last {
		return fmt.Sprintf("%s, line %d", path, first)
	}
	return fmt.Sprintf("%s, lines %d-%d", path, first, last)
}

// cited takes a text apart at the citations "[1] path, lines 1-2 — headings".
func cited(t *testing.T, text string) (all []reading) {
	t.Helper()
	for part := range strings.SplitSeq("\n\n"+text, "\n\n[") {
		number, rest, ok := strings.Cut(part, "] ")
		if !ok || number != fmt.Sprint(len(all)+1) {
			continue
		}
		head, body, _ := strings.Cut(rest, "\n\n")
		head, _, _ = strings.Cut(head, " — ")
		body, _, _ = strings.Cut(body, "\nNote: ")
		all = append(all, reading{head, strings.TrimSpace(body)})
	}
	return all
}

// TestEveryReaderGetsEveryPassage: whichever part of a result a client leaves
// out, its model has each passage, and beside it where it stands.
func TestEveryReaderGetsEveryPassage(t *testing.T) {
	files := map[string]string{
		"notes/阿司匹林 aspirin.md": "# Aspirin\n\nOne hundred milligrams of aspirin a day.\n",
		"ibuprofen.txt":         "Ibuprofen and aspirin do not go together.\nSay so.\n",
		"c/d/paracetamol.md":    "# Paracetamol\n\n## Or aspirin\n\nParacetamol is kinder to the stomach than aspirin.\n",
	}
	dir := folder(t, files)
	s := serve(t, dir, Options{})
	for client, shows := range map[string][]string{
		"unknown": {"text", "resource"}, "mcporter": {"resource"}, "codex-mcp-client": {"text", "whole"}, "cline": {"text", "whole"},
		"claude-code": {"whole", "resource"}, "gemini-cli-mcp-client": {"whole"}, "opencode": {"whole"}, "qwen-cli-mcp-client-notes": {"whole"},
	} {
		r := connect(t, s, client).call("retrieve_docs", `{"query": "aspirin"}`)
		for _, kind := range shows {
			got := readers[kind](t, r, dir)
			if len(got) != 3 {
				t.Errorf("%s, shown as %s: %d passages, want 3:\n%s", client, kind, len(got), shown(r))
			}
			for _, p := range got {
				path, lines, _ := strings.Cut(p.where, ", line")
				if text, ok := files[path]; !ok || !strings.Contains(text, p.text) || !isAt(text, p.text, strings.TrimPrefix(lines, "s")) {
					t.Errorf("%s, shown as %s: %q stands under %q", client, kind, p.text, p.where)
				}
			}
		}
		// Nobody whose habits are known reads a passage twice.
		if whole := readers["whole"](t, r, dir); client != "unknown" && client != "mcporter" && strings.Count(fmt.Sprint(whole), "One hundred milligrams") != 1 {
			t.Errorf("%s does not get the passage once:\n%s", client, shown(r))
		}
	}
}

// isAt tells whether part is the lines of text that " 3" or " 3-5" names.
func isAt(text, part, lines string) bool {
	var first, last int
	if n, _ := fmt.Sscanf(lines, " %d-%d", &first, &last); n == 1 {
		last = first
	}
	all := strings.Split(text, "\n")
	return first >= 1 && last <= len(all) && strings.TrimSpace(strings.Join(all[first-1:last], "\n")) == part
}

// sent is a result as it crosses the wire.
func sent(t *testing.T, r *mcp.CallToolResult) (characters, bytes int) {
	t.Helper()
	blob, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return utf8.RuneCount(blob), len(blob)
}

func TestLeftOutPassagesAreNamed(t *testing.T) {
	files := make(map[string]string)
	for i := range 50 {
		files[fmt.Sprintf("%02d.md", i)] = strings.Repeat(fmt.Sprintf("Warfarin and the number %d. ", i), 45)
	}
	c := connect(t, serve(t, folder(t, files), Options{Results: ResultsText}), "test")
	text := allText(c.call("retrieve_docs", `{"query": "warfarin", "top_k": 50}`))
	last := strings.Count(text, "\n[") + 1 // passages that are shown, counted by their citations
	for _, want := range []string{fmt.Sprintf("Left out to keep the answer short (read_doc shows them): [%d] ", last+1), ".md, line 1; [", " more passages."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the end of %s", want, text[len(text)-700:])
		}
	}
	if last < 15 {
		t.Errorf("only %d passages are shown", last)
	}
}

// TestResultsAreBounded: what is sent is counted, and not the passages alone.
func TestResultsAreBounded(t *testing.T) {
	files := make(map[string]string)
	for i := range 60 {
		long := strings.Repeat("很长的文件夹名", 9)
		files[fmt.Sprintf("%s/%s/%s/%02d.md", long, long, long, i)] = strings.Repeat(fmt.Sprintf("Warfarin <b>华法林</b> & the number %d. ", i), 30)
	}
	files["long.md"] = strings.Repeat("One line of a long document.\n", 5000)
	files["quotes.md"] = strings.Repeat("\"\\\t<&>\n", 9000)
	files["one line.txt"] = strings.Repeat("没有换行的很长的一行。", 5000)
	dir := folder(t, files)
	for i := range 90 {
		writeFile(t, dir, fmt.Sprintf("%s/%d.png", strings.Repeat("图片", 30), i), "\x89PNG")
	}
	for _, mode := range []ResultsMode{ResultsText, ResultsResource, ResultsBoth} {
		c := connect(t, serve(t, dir, Options{Results: mode}), "test")
		for _, call := range []struct{ tool, arguments string }{
			{"retrieve_docs", `{"query": "warfarin 华法林", "top_k": 50}`},
			{"retrieve_docs", fmt.Sprintf(`{"query": "warfarin %s", "top_k": 50}`, strings.Repeat("unheardofword ", 500))},
			{"retrieve_docs", fmt.Sprintf(`{"query": "warfarin", "path": %q}`, strings.Repeat("路径<>&", 1500))},
			{"read_doc", `{"path": "long.md"}`}, {"read_doc", `{"path": "quotes.md"}`}, {"read_doc", `{"path": "one line.txt"}`},
			{"read_doc", fmt.Sprintf(`{"path": %q}`, strings.Repeat("x<>&", 20_000))},
			{"list_docs", `{}`}, {"index_docs", `{}`},
		} {
			r := c.call(call.tool, call.arguments)
			if characters, bytes := sent(t, r); characters > 24_000 || bytes > 38_000 {
				t.Errorf("%s: %s %.60s: %d characters, %d bytes", mode, call.tool, call.arguments, characters, bytes)
			}
		}
		r := c.call("retrieve_docs", `{"query": "warfarin 华法林", "top_k": 50}`)
		if characters, bytes := sent(t, r); characters < 12_000 && bytes < 30_000 {
			t.Errorf("%s: only %d characters and %d bytes of 50 passages", mode, characters, bytes)
		}
		if text := allText(r); !strings.Contains(text, "Left out to keep the answer short: ") || !strings.Contains(text, " more passages.") {
			t.Errorf("%s: what is left out is not told: %s", mode, text[max(0, len(text)-700):])
		}
		for _, path := range []string{"long.md", "one line.txt", "quotes.md"} {
			if got, want := c.readOn(path), files[path]; strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
				t.Errorf("%s: read on to the end it has %d bytes, the file %d", path, len(got), len(want))
			}
		}
	}
}

// readOn reads a document with read_doc, part after part.
func (c *client) readOn(path string) string {
	c.t.Helper()
	var all strings.Builder
	arguments := fmt.Sprintf(`{"path": %q}`, path)
	for range 20 {
		text := firstText(c.call("read_doc", arguments))
		_, text, _ = strings.Cut(text, "\n\n")
		part, rest, more := strings.Cut(text, "\n\n(cut here to keep the answer short: read on with uri ")
		all.WriteString(part)
		if !more {
			return all.String()
		}
		if !strings.HasSuffix(path, "one line.txt") {
			all.WriteString("\n")
		}
		arguments = fmt.Sprintf(`{"uri": %q}`, strings.TrimSuffix(rest, ")"))
	}
	c.t.Fatalf("%s never ends", path)
	return ""
}
