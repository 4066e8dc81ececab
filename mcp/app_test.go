package mcp

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/index/operations"
)

// plainRenderer renders texts as they are.
type plainRenderer struct{}

func (plainRenderer) Passage(p index.Passage, words index.HighlightWords, _ string) operations.RenderedText {
	return operations.RenderedText{Excerpt: operations.ViewRuns(words.SplitText(p.Text)), HTML: html.EscapeString(p.Text)}
}

func (plainRenderer) Part(d index.DocumentPart, from, to int, passage text.Span, _ index.HighlightWords) string {
	return fmt.Sprintf("%d-%d of %s", passage.StartByte-from, passage.EndByte-from, html.EscapeString(d.Text[from:to]))
}

var testApp = App{HTML: func() string { return "<!DOCTYPE html><title>Results</title>" }, Renderer: plainRenderer{}}

// drawing are the capabilities of a client that can show the page of results.
const drawing = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// wire is a client that exchanges lines with a server over stdio, in one version of the protocol.
type wire struct {
	t            *testing.T
	in           io.Writer
	out          *bufio.Reader
	capabilities string
	isModern     bool // each request states the capabilities of the client
	id           int
}

func newWire(t *testing.T, s *Server, protocol, capabilities string) (w *wire, begun string) {
	t.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(t.Context(), fromClient, toClient) }()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	w = &wire{t: t, in: in, out: bufio.NewReader(out), capabilities: capabilities, isModern: protocol >= "2026"}
	if w.isModern {
		return w, w.ask("server/discover", `{}`)
	}
	begun = w.ask("initialize", `{"protocolVersion":"`+protocol+`","capabilities":`+capabilities+`,"clientInfo":{"name":"test","version":"1"}}`)
	fmt.Fprintln(w.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w, begun
}

// ask sends a request and returns the line with the response.
func (w *wire) ask(method, params string) string {
	w.t.Helper()
	w.id++
	if w.isModern {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + w.capabilities + `,"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}`
		params = strings.Replace("{"+meta+","+params[1:], ",}", "}", 1)
	}
	if _, err := fmt.Fprintf(w.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", w.id, method, params); err != nil {
		w.t.Fatal(err)
	}
	for {
		line, err := w.out.ReadString('\n')
		if err != nil {
			w.t.Fatal(err)
		}
		if strings.Contains(line, fmt.Sprintf(`"id":%d,`, w.id)) {
			return line
		}
	}
}

// appCalls are calls of all tools, including those that only the page calls.
var appCalls = [][2]string{
	{"retrieve_docs", `{"query":"how often to look at the feet"}`},
	{"retrieve_docs", `{"query":"axolotl","path":"nowhere/**"}`},
	{"find_in_docs", `{"text":"the feet"}`},
	{"check_quotes", `{"quotes":["饮食要少盐，每天不超过五克","look at your hands every day","Metformin is taken with meals"]}`},
	{"read_doc", `{"path":"notes/sugar.md"}`},
	{"read_doc", `{"path":"scan.pdf","as":"image"}`},
	{"read_doc", `{"path":"nowhere.md"}`},
	{"list_docs", `{}`},
	{"show_context", `{"uri":"notes/sugar.md#L9"}`},
	{"show_page_image", `{"uri":"scan.pdf#page=1"}`},
}

// TestClientsThatDrawNothing checks that a client that does not declare that it can show the page
// gets, byte for byte, what a server without the page sends, whatever else the client declares.
func TestClientsThatDrawNothing(t *testing.T) {
	t.Parallel()
	files := map[string]string{"scan.pdf": string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f"))}
	for path, body := range three {
		files[path] = body
	}
	dir := folder(t, files)
	with, without := serve(t, dir, Options{App: testApp}), serve(t, dir, Options{})
	for _, s := range []*Server{with, without} {
		connect(t, s, "test").through(`{}`)
	}
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, capabilities := range []string{`{}`, `{"roots":{},"extensions":{}}`, `{"extensions":{"io.modelcontextprotocol/ui":{}}}`, `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`, `{"extensions":{"io.modelcontextprotocol/tasks":{"mimeTypes":["text/html;profile=mcp-app"]}}}`} {
			transcript := func(s *Server) string {
				w, all := newWire(t, s, protocol, capabilities)
				all += w.ask("tools/list", `{}`) + w.ask("resources/list", `{}`) + w.ask("resources/read", `{"uri":"`+testApp.uri()+`"}`)
				for _, c := range appCalls {
					all += w.ask("tools/call", `{"name":"`+c[0]+`","arguments":`+c[1]+`}`)
				}
				return all
			}
			got, want := transcript(with), transcript(without)
			if got != want {
				t.Errorf("%s in %s: a server with the page sends\n%s\none without\n%s", capabilities, protocol, got, want)
			}
			if lines := strings.Count(got, "\n"); lines != 4+len(appCalls) || strings.Contains(got, viewKey) || strings.Contains(got, "ui://vademecum/results-") && !strings.Contains(got, `"error"`) {
				t.Errorf("%s in %s: %d lines\n%s", capabilities, protocol, lines, got)
			}
		}
	}
}

// wireResult is a result as it is transmitted.
type wireResult struct {
	Content json.RawMessage            `json:"content"`
	IsError bool                       `json:"isError"`
	Meta    map[string]json.RawMessage `json:"_meta"`
}

func resultOf(t *testing.T, line string, into any) {
	t.Helper()
	m := struct{ Result any }{into}
	if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.Contains(line, `"result"`) {
		t.Fatalf("%v: %s", err, line)
	}
}

// TestClientsThatDraw checks that a client that can show the page is offered the page and its
// tools, that its model gets the same content as others, and that the views of results match the
// golden files.
func TestClientsThatDraw(t *testing.T) {
	t.Parallel()
	files := map[string]string{"scan.pdf": string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f"))}
	for path, body := range three {
		files[path] = body
	}
	dir := folder(t, files)
	s := serve(t, dir, Options{App: testApp})
	connect(t, s, "test").through(`{}`)
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		w, begun := newWire(t, s, protocol, drawing)
		other, _ := newWire(t, s, protocol, `{}`)
		if !strings.Contains(begun, `"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`) {
			t.Errorf("in %s the server says %s", protocol, begun)
		}
		var list struct {
			Tools []struct {
				Name string
				Meta struct{ UI json.RawMessage } `json:"_meta"`
			}
		}
		resultOf(t, w.ask("tools/list", `{}`), &list)
		var offered []string
		for _, tool := range list.Tools {
			offered = append(offered, tool.Name)
			want := ""
			switch o, _ := operations.OperationByName(tool.Name); {
			case o.IsAppOnly:
				want = `{"visibility":["app"]}`
			case o.HasView:
				want = `{"resourceUri":"` + testApp.uri() + `"}`
			}
			if string(tool.Meta.UI) != want {
				t.Errorf("in %s %s is drawn by %s, want %s", protocol, tool.Name, tool.Meta.UI, want)
			}
		}
		if want := slices.Sorted(slices.Values(append(offeredNames(false), "show_context", "show_page_image"))); !slices.Equal(offered, want) {
			t.Errorf("in %s %s are offered, want %s", protocol, offered, want)
		}
		var resources struct{ Resources []mcp.Resource }
		resultOf(t, w.ask("resources/list", `{}`), &resources)
		if first := resources.Resources[0]; first.URI != testApp.uri() || first.MIMEType != appMIME || len(resources.Resources) != 4 {
			t.Errorf("in %s are listed %+v", protocol, resources.Resources)
		}
		if read := w.ask("resources/read", `{"uri":"`+testApp.uri()+`"}`); !strings.Contains(read, `DOCTYPE html`) || !strings.Contains(read, `"mimeType":"text/html;profile=mcp-app"`) || !strings.Contains(read, `"resourceDomains":[]`) {
			t.Errorf("in %s the page is read as %s", protocol, read)
		}
		var views strings.Builder
		for _, c := range appCalls {
			params := `{"name":"` + c[0] + `","arguments":` + c[1] + `}`
			var got, want wireResult
			resultOf(t, w.ask("tools/call", params), &got)
			if o, _ := operations.OperationByName(c[0]); !o.IsAppOnly {
				resultOf(t, other.ask("tools/call", params), &want)
				if string(got.Content) != string(want.Content) || got.IsError != want.IsError {
					t.Errorf("%s %s in %s: the model gets\n%s\nand elsewhere\n%s", c[0], c[1], protocol, got.Content, want.Content)
				}
			}
			view := got.Meta[viewKey]
			if len(view) > 48<<10 {
				t.Errorf("%s %s: the view has %d bytes", c[0], c[1], len(view))
			}
			fmt.Fprintf(&views, "== %s %s\n%s\n", c[0], c[1], cmp.Or(string(view), "none"))
		}
		golden(t, "views.txt", strings.ReplaceAll(undated(views.String()), docs.FileURI(dir), "file://FOLDER"))
	}
}

// undated returns a text without the date of today, which the files have.
func undated(text string) string {
	return regexp.MustCompile(`"date":"[^"]+"`).ReplaceAllString(text, `"date":"TODAY"`)
}

// TestViewsAreBounded checks that a view has a limited size, and that what is left out is counted
// or can be requested.
func TestViewsAreBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one question after the other finds no races")
	}
	files := make(map[string]string)
	for i := range 60 {
		files[fmt.Sprintf("%02d.md", i)] = fmt.Sprintf("# Salt %d\n\n", i) + strings.Repeat(fmt.Sprintf("Salt <b>&\"%d\"</b> in \u0001 bread. ", i), 150) + "\n" + strings.Repeat("salt\n", 40)
	}
	s := serve(t, folder(t, files), Options{App: testApp})
	connect(t, s, "test").through(`{}`)
	w, _ := newWire(t, s, "2025-11-25", drawing)
	other, _ := newWire(t, s, "2025-11-25", `{}`)
	quotes := strings.Repeat(`,"`+strings.Repeat("Salt in bread, and ", 40)+`"`, index.MaxQuotes)[1:]
	for _, c := range [][2]string{
		{"retrieve_docs", fmt.Sprintf(`{"query":"salt in bread","top_k":%d}`, index.MaxTopK)},
		{"find_in_docs", `{"text":"salt"}`}, {"check_quotes", `{"quotes":[` + quotes + `]}`}, {"read_doc", `{"path":"01.md"}`},
		{"show_context", `{"uri":"01.md#L3","reach":8,"question":"salt"}`},
	} {
		var r, plain wireResult
		params := `{"name":"` + c[0] + `","arguments":` + c[1] + `}`
		resultOf(t, w.ask("tools/call", params), &r)
		if size := len(r.Meta[viewKey]); size == 0 || size > 48<<10 {
			t.Errorf("the view of %s has %d bytes", c[0], size)
		}
		if o, _ := operations.OperationByName(c[0]); !o.IsAppOnly {
			if resultOf(t, other.ask("tools/call", params), &plain); string(r.Content) != string(plain.Content) {
				t.Errorf("beside a view, %s has %d bytes for the model, and without %d", c[0], len(r.Content), len(plain.Content))
			}
		}
	}
}
