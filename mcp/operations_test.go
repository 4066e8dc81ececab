package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs/extract/extracttest"
	"vademecum/index"
	"vademecum/index/operations"
)

// exampled are the files that the examples of operations name.
var exampled = map[string]string{
	"paper.pdf":         string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f")),
	"notes/asthma.md":   "# Asthma\n\nAn inhaler opens the bronchi.\n",
	"notes/warfarin.md": "# Warfarin\n\nThe usual dose is 5 mg.\n",
	"pressure.md":       "# Pressure\n\nWhat to eat with high blood pressure: little salt.\n",
}

// offeredNames returns the sorted names of the operations that are offered to a client that cannot
// show the page of results.
func offeredNames(isChatGPT bool) (names []string) {
	for _, newOperation := range operations.All {
		if o := newOperation(); !o.IsAppOnly && (isChatGPT || !o.IsChatGPTOnly) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return names
}

// recorder is a library that records the last question.
type recorder struct {
	Library
	hits  int
	asked []string
}

func (r *recorder) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	reply, err := r.Library.Ask(ctx, q)
	r.hits, r.asked = reply.LoggedHitCount(), q.QueryTexts()
	return reply, err
}

// TestEveryOperation checks for each operation what holds for all tools: it is described; its
// example is answered; the call is counted and logged in one line with the question and the number
// of hits; a parameter of the host is dropped with a note; an argument of the wrong type is refused
// in one line; and it is read-only unless it may change something.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	var log logged
	counted := make(chan ToolCall, 100)
	s := serve(t, folder(t, exampled), Options{Logger: log.logger(), LogQueries: true, OnToolCall: func(c ToolCall) { counted <- c }, HasSearchAndFetch: func(string) bool { return true }, App: testApp})
	c := connectDrawing(t, s, "openai-mcp")
	c.through(`{}`)
	listed, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, newOperation := range operations.All {
		o := newOperation()
		i := slices.IndexFunc(listed.Tools, func(t *mcp.Tool) bool { return t.Name == o.Name })
		if i < 0 || o.Title == "" || o.Description == "" || listed.Tools[i].Annotations.ReadOnlyHint == o.ChangesIndex || MayWrite(o.Name) != o.ChangesIndex {
			t.Fatalf("%s is not described", o.Name)
		}
		if note, err := o.Parse(json.RawMessage(o.ExampleArguments)); err != nil || note != "" {
			t.Errorf("%s %s: %s, %v", o.Name, o.ExampleArguments, note, err)
		}
		told := &recorder{Library: s.library}
		update := func(context.Context, operations.UpdateRequest) (string, error) { return "", nil }
		if _, err := o.Run(t.Context(), operations.CallEnvironment{Library: told, Budget: contentBudget(), Cursors: &s.given, WebPageURL: s.urlOf, Update: update}); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
		for len(counted) > 0 {
			<-counted
		}
		log.take()
		if r := c.call(o.Name, o.ExampleArguments); r.IsError {
			t.Errorf("%s %s is refused: %s", o.Name, o.ExampleArguments, allText(r))
		}
		var want logged
		attrs := []any{"user", "local", "tool", o.Name, "passages", told.hits, "outcome", "answered"}
		if len(told.asked) > 0 {
			attrs = append(attrs, "asked", told.asked)
		}
		want.logger().Info("call", attrs...)
		if got, want := log.take(), want.take(); got != want {
			t.Errorf("%s is logged as %q, want %q", o.Name, got, want)
		}
		if got := <-counted; got.Tool != o.Name || got.Outcome != "answered" || len(counted) > 0 {
			t.Errorf("%s is counted as %+v", o.Name, got)
		}
		hosts := strings.Replace(strings.Replace(o.ExampleArguments, "{", `{"wait_for_previous": true, `, 1), ", }", "}", 1)
		if r := c.call(o.Name, hosts); r.IsError || !o.IsChatGPTOnly && !strings.Contains(allText(r), `no such parameter: "wait_for_previous"`) {
			t.Errorf("%s %s: %s", o.Name, hosts, allText(r))
		}
		for _, p := range o.Parameters {
			if r := c.call(o.Name, fmt.Sprintf(`{%q: {"a": {}}}`, p.Name)); p.ItemFields == nil && (!r.IsError || strings.Contains(firstText(r), "\n") || !strings.Contains(firstText(r), p.Name)) {
				t.Errorf("%s of %s is an object: %s", p.Name, o.Name, allText(r))
			}
			for _, other := range p.Aliases {
				if _, err := newOperation().Parse(json.RawMessage(fmt.Sprintf(`{%q: "x"}`, other))); err == nil && p.Name != "path" {
					t.Errorf("%s has the parameter %s under the name %s", o.Name, p.Name, other)
				}
			}
		}
	}
}

// TestOperationsOfReaders checks that users who may only read are offered all operations except
// those that may change something.
func TestOperationsOfReaders(t *testing.T) {
	t.Parallel()
	s := New(previewed{}, Options{Logger: slog.New(slog.DiscardHandler)})
	ctx := context.WithValue(t.Context(), callerKey{}, caller{onlyReads: true})
	all := func(context.Context, string, mcp.Request) (mcp.Result, error) {
		var list mcp.ListToolsResult
		for _, newOperation := range operations.All {
			list.Tools = append(list.Tools, toolOf(newOperation()))
		}
		return &list, nil
	}
	r, err := s.hideTools(all)(ctx, "tools/list", &mcp.ListToolsRequest{Session: &mcp.ServerSession{}, Params: &mcp.ListToolsParams{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, newOperation := range operations.All {
		o := newOperation()
		isListed := slices.ContainsFunc(r.(*mcp.ListToolsResult).Tools, func(t *mcp.Tool) bool { return t.Name == o.Name })
		if want := !o.ChangesIndex && !o.IsChatGPTOnly && !o.IsAppOnly; isListed != want {
			t.Errorf("%s is listed: %v, want %v", o.Name, isListed, want)
		}
	}
}

// TestTextSize checks that an operation computes the size of a text as that of the content block
// for it.
func TestTextSize(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "salt", "\"<盐>\" & \\\n\t\u2028\x01😀"} {
		if got, want := operations.TextSize(text), sizeOfContent(&mcp.TextContent{Text: text}); got != want {
			t.Errorf("%q has the size %+v, want %+v", text, got, want)
		}
	}
}
