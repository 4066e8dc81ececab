package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index"
)

var three = map[string]string{
	"心脏病.txt":        "心脏病患者的症状有胸痛和气短，治疗要遵医嘱。\n心绞痛发作时舌下含服硝酸甘油，十分钟不缓解应当叫救护车。\n",
	"高 血压.txt":       "高血压患者的症状常常不明显，治疗要长期坚持。\n饮食要少盐，每天不超过五克，多吃蔬菜和水果。\n",
	"notes/sugar.md": "# Diabetes 糖尿病\n\n## Food\n\nAvoid sweet drinks; eat whole grains. 患者饮食要少糖。\n\n## Feet\n\nLook at your feet every day. 症状加重时看医生，治疗不要停。\n",
}

// TestTutorialClient is the flow of the tutorial that many people start from.
func TestTutorialClient(t *testing.T) {
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "tutorial")

	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 4 {
		t.Fatalf("tools %+v, %v", tools, err)
	}
	var texts []string
	for _, r := range c.resources() {
		text := c.readText(r.URI)
		if text != three[r.Name] {
			t.Errorf("%s reads %q", r.Name, text)
		}
		texts = append(texts, text)
	}
	if len(texts) != 3 {
		t.Fatalf("%d resources, want 3", len(texts))
	}
	arguments, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	if got := firstText(c.call("index_docs", string(arguments))); !strings.HasPrefix(got, "Indexed 3 documents; 3 in total.") {
		t.Errorf("index_docs answers %q", got)
	}
	for query, want := range map[string]string{"高血压患者的饮食": "高 血压.txt", "心绞痛患者的症状和治疗": "心脏病.txt", "糖尿病 diabetes 患者饮食": "notes/sugar.md"} {
		r := c.call("retrieve_docs", fmt.Sprintf(`{"query": %q, "top_k": 3}`, query))
		found := passages(r)
		if r.IsError || len(found) != 3 {
			t.Errorf("%s: %d embedded resources, want 3: %s", query, len(found), firstText(r))
			continue
		}
		if path := found[0].Meta["path"]; path != want {
			t.Errorf("%s: %v is first, want %s", query, path, want)
		}
		for _, p := range found {
			if got := c.readText(p.URI); got != p.Text {
				t.Errorf("%s reads %q, the passage is %q", p.URI, got, p.Text)
			}
			if !strings.Contains(firstText(r), p.Text) {
				t.Errorf("the text block lacks %q", p.Text)
			}
		}
	}
}

func TestToolSchemas(t *testing.T) {
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(tools.Tools); err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.json", out.String())
}

// TestTranscript pins what a model reads.
func TestTranscript(t *testing.T) {
	dir := folder(t, three)
	writeFile(t, dir, "scan.pdf", "%PDF-1.4")
	writeFile(t, dir, "photo.png", "\x89PNG")
	c := connect(t, serve(t, dir, Options{}), "test")
	var out strings.Builder
	for _, call := range []struct{ tool, arguments string }{
		{"retrieve_docs", `{"query": "how often to look at the feet", "top_k": 2}`},
		{"retrieve_docs", `{"query": "高血压吃多少盐", "top_k": 1, "path": "*.txt"}`},
		{"retrieve_docs", `{"query": "feet", "path": "nowhere/**"}`},
		{"read_doc", `{"path": "notes/sugar.md", "start_line": 3, "end_line": 5}`},
		{"list_docs", `{"path": "*.pdf"}`},
		{"list_docs", `{"path": "nowhere"}`},
		{"index_docs", `{}`},
		{"index_docs", `{"docs": ["A text on ferrets."]}`},
		{"retrieve_docs", `{"query": "ferrets", "top_k": 1}`},
	} {
		fmt.Fprintf(&out, "== %s %s\n%s\n", call.tool, call.arguments, firstText(c.call(call.tool, call.arguments)))
	}
	golden(t, "transcript.txt", strings.ReplaceAll(out.String(), docs.FileURI(dir), "file://FOLDER"))
}

func TestBadArguments(t *testing.T) {
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
		{"retrieve_docs", `{"query": "x", "top_k": "five"}`, `must be whole, got "five"`},
		{"retrieve_docs", `{"query": "x", "top_k": 2.5}`, "must be whole, got 2.5"},
		{"retrieve_docs", `{"query": "x", "also": "y"}`, "also must be a list of texts"},
		{"retrieve_docs", `{"query": "x", "path": "[z"}`, "not a valid glob"},
		{"retrieve_docs", `{"query": "x", "limit": 3}`, `unknown parameter "limit"`},
		{"retrieve_docs", `[1]`, "arguments must be an object"},
		{"read_doc", `{}`, "path is missing"},
		{"read_doc", `{"path": "nope.md"}`, "no such document: nope.md"},
		{"read_doc", `{"path": "../../etc/passwd"}`, "leads out of the folder"},
		{"read_doc", `{"path": "/etc/passwd"}`, "no such document"},
		{"read_doc", `{"path": "a\nb"}`, `no such document: "a\nb"`},
		{"read_doc", `{"uri": "file:///etc/passwd"}`, "no such document"},
		{"read_doc", `{"uri": "file:///a%00b"}`, "NUL"},
		{"read_doc", `{"path": "高 血压.txt", "uri": "file:///x"}`, "not both"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 0}`, "count from 1"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 3, "end_line": 2}`, "not before start_line"},
		{"read_doc", `{"path": "高 血压.txt", "start_line": 99}`, "高 血压.txt"},
		{"list_docs", `{"path": "{a"}`, "not a valid glob"},
		{"index_docs", `{"docs": "text"}`, "docs must be a list of texts"},
		{"index_docs", `{"docs": ["fine", ""]}`, "docs[1] is empty"},
		{"index_docs", `{"paths": ["nope.md"]}`, "nothing in the folder matches nope.md"},
		{"index_docs", `{"paths": ["../x"]}`, "leads out of the folder"},
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
	// Kind to models: numbers as texts, null for what is left out.
	if r := c.call("retrieve_docs", `{"query": "患者饮食", "top_k": "2", "also": null, "path": null}`); r.IsError || len(passages(r)) != 2 {
		t.Errorf("lenient arguments: %s", firstText(r))
	}
}

func TestResultsModes(t *testing.T) {
	s := serve(t, folder(t, three), Options{})
	for client, want := range map[string]ResultsMode{
		"claude-ai": ResultsResource, "claude-code": ResultsResource, "gemini-cli-mcp-client-x": ResultsResource,
		"Visual Studio Code": ResultsText, "cursor-vscode": ResultsText, "Zed": ResultsText, "codex-mcp-client": ResultsText,
		"anything else": ResultsBoth, "": ResultsBoth,
	} {
		c := connect(t, s, client)
		r := c.call("retrieve_docs", `{"query": "look at your feet every day 患者饮食", "top_k": 2}`)
		inText := strings.Contains(firstText(r), "Look at your feet every day.")
		embedded := len(passages(r)) == 2
		got := ResultsBoth
		switch {
		case inText && !embedded:
			got = ResultsText
		case embedded && !inText:
			got = ResultsResource
		case !inText && !embedded:
			got = ""
		}
		if got != want {
			t.Errorf("%q is given %q, want %q: %s", client, got, want, firstText(r))
		}
		if !strings.Contains(firstText(r), "notes/sugar.md, lines ") {
			t.Errorf("%q: the text does not say where: %s", client, firstText(r))
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

func TestLongResultsAreCut(t *testing.T) {
	files := make(map[string]string)
	for i := range 60 {
		files[fmt.Sprintf("%02d.md", i)] = strings.Repeat(fmt.Sprintf("Warfarin and the number %d. ", i), 45)
	}
	files["long.md"] = strings.Repeat("One line of a long document.\n", 5000)
	files["one line.txt"] = strings.Repeat("没有换行的很长的一行。", 5000)
	files["crlf.txt"] = strings.Repeat("A line with another end.\r\n", 4000)
	c := connect(t, serve(t, folder(t, files), Options{}), "test")
	r := c.call("retrieve_docs", `{"query": "warfarin", "top_k": 50}`)
	text := firstText(r)
	if len(text) > 2*textBudget || !strings.Contains(text, "[50] ") || !strings.Contains(text, "left out to keep the answer short: read_doc with uri file://") {
		t.Errorf("%d bytes of text", len(text))
	}
	first := firstText(c.call("read_doc", `{"path": "long.md"}`))
	if len(first) > textBudget+1000 {
		t.Fatalf("%d bytes without a cut", len(first))
	}
	for path, want := range map[string]string{"long.md": files["long.md"], "one line.txt": files["one line.txt"], "crlf.txt": files["crlf.txt"]} {
		if got := c.readOn(path); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: read on to the end it has %d bytes, the file %d", path, len(got), len(want))
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

func TestListDocsPages(t *testing.T) {
	files := make(map[string]string)
	for i := range 250 {
		files[fmt.Sprintf("%03d.md", i)] = "text"
	}
	c := connect(t, serve(t, folder(t, files), Options{}), "test")
	seen := make(map[string]bool)
	cursor, pages := "", 0
	for {
		text := firstText(c.call("list_docs", fmt.Sprintf(`{"cursor": %q}`, cursor)))
		pages++
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(line, "- "); ok {
				seen[name[:6]] = true
			}
		}
		_, rest, more := strings.Cut(text, "More: call list_docs with cursor ")
		if !more {
			break
		}
		if _, err := fmt.Sscanf(rest, "%q", &cursor); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 250 || pages != 3 {
		t.Errorf("%d documents on %d pages", len(seen), pages)
	}
	if n := len(c.resources()); n != 250 {
		t.Errorf("%d resources", n)
	}
}

func TestIndexDocsProgressAndCancel(t *testing.T) {
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	for i := range 400 {
		writeFile(t, dir, fmt.Sprintf("more/%d.md", i), strings.Repeat(fmt.Sprintf("Sentence %d of many. ", i), 200))
	}
	params := &mcp.CallToolParams{Name: "index_docs", Arguments: json.RawMessage(`{"force": true}`)}
	params.SetProgressToken("p")
	r, err := c.CallTool(t.Context(), params)
	if err != nil || !strings.Contains(firstText(r), "403 in total") {
		t.Errorf("index_docs: %s, %v", firstText(r), err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "more")); err != nil {
		t.Fatal(err)
	}
}

// manyTexts are the arguments of a call that takes a while.
func manyTexts(t *testing.T) (texts []string, arguments json.RawMessage) {
	t.Helper()
	for i := range 3000 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("Text %d tells of ferret number %d. ", i, i), 120))
	}
	arguments, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	return texts, arguments
}

// TestTextsOutliveTheLimit: a call that has taken long enough tells how far it
// is, the work goes on, and who asks again waits for it.
func TestTextsOutliveTheLimit(t *testing.T) {
	s := serve(t, folder(t, three), Options{})
	c := connect(t, s, "test")
	c.call("index_docs", `{}`)
	texts, arguments := manyTexts(t)
	f := s.flights.joinTexts(s.life, texts, s.ix)
	over := make(chan time.Time, 1)
	over <- time.Now()
	r, err := s.await(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, f, over)
	s.flights.leave(f)
	if err != nil || !strings.HasPrefix(firstText(r), "Still indexing: ") || !strings.Contains(firstText(r), " of 3000 texts can be found; it goes on by itself.") {
		t.Fatalf("%s, %v", firstText(r), err)
	}
	again := s.flights.joinTexts(s.life, texts, s.ix)
	s.flights.leave(again)
	if again != f {
		t.Error("the same texts are added twice at a time")
	}
	if got := firstText(c.call("index_docs", string(arguments))); !strings.HasPrefix(got, "Indexed 3000 documents; 3003 in total.") {
		t.Errorf("at the end: %.200s", got)
	}
}

// TestTextsProgressAndCancel: what a cancelled call has added stays.
func TestTextsProgressAndCancel(t *testing.T) {
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	c.call("index_docs", `{}`)
	_, arguments := manyTexts(t)
	params := &mcp.CallToolParams{Name: "index_docs", Arguments: arguments}
	params.SetProgressToken("p")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for p := range c.progress {
			if p.Total == 3000 && p.Progress > 0 && p.Message == fmt.Sprintf("%.0f of 3000 texts", p.Progress) {
				cancel()
			}
		}
	}()
	if r, err := c.CallTool(ctx, params); err == nil {
		t.Fatalf("not cancelled: %.200s", firstText(r))
	}
	var already int
	got := firstText(c.call("index_docs", string(arguments)))
	_, line, _ := strings.Cut(got, "\n")
	if _, err := fmt.Sscanf(line, "Indexed already: %d documents.", &already); err != nil || already == 0 || already == 3000 {
		t.Errorf("%d were there already: %.200s", already, got)
	}
}

// TestFlights: a run that was cancelled must not answer the next call.
func TestFlights(t *testing.T) {
	s := serve(t, folder(t, three), Options{})
	if err := s.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	scope := index.Scope{Force: true}
	first := s.flights.join(t.Context(), scope, s.ix)
	if again := s.flights.join(t.Context(), scope, s.ix); again == first {
		s.flights.leave(again)
	}
	s.flights.leave(first)
	next := s.flights.join(t.Context(), scope, s.ix)
	defer s.flights.leave(next)
	<-next.done
	if next.err != nil || next.report.Indexed != 3 {
		t.Errorf("the next call is answered with %+v, %v", next.report, next.err)
	}
}
