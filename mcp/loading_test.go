package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/index/sync"
)

// newServer returns a server whose index is not loaded yet.
func newServer(t testing.TB, dir, file string) (*Server, *index.Index) {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: e, Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	return New(ix, Options{ResultsMode: ResultsText, Logger: quietLog, Version: "test", NewTextsLibrary: textsOf(ix)}), ix
}

// stored creates a folder, and saves its complete index.
func stored(t testing.TB, files map[string]string) (dir, file string) {
	t.Helper()
	dir, file = folder(t, files), filepath.Join(t.TempDir(), "x.db")
	_, ix := newServer(t, dir, file)
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Sync(t.Context(), index.Scope{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// sessionOf opens a session, until the end of the test, whose client sends nothing.
func sessionOf(t *testing.T, s *Server) *mcp.ServerSession {
	_, there := mcp.NewInMemoryTransports()
	session, err := s.sdk.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// questions are requests that are answered from the documents. Each returns
// what is said, errors too.
func questions(t *testing.T, s *Server, dir string) map[string]func(context.Context) string {
	tool := func(name, arguments string) func(context.Context) string {
		return func(ctx context.Context) string {
			o, _ := operations.OperationByName(name)
			r, err := s.run(ctx, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(arguments)}}, o)
			if err != nil {
				return err.Error()
			}
			return firstText(r)
		}
	}
	session := sessionOf(t, s)
	list := s.listResources(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, nil })
	return map[string]func(context.Context) string{
		"retrieve_docs": tool("retrieve_docs", `{"query": "alpha mimetype"}`),
		"list_docs":     tool("list_docs", `{}`),
		"read_doc":      tool("read_doc", `{"path": "a.md"}`),
		"resources/list": func(ctx context.Context) string {
			r, err := list(ctx, "resources/list", &mcp.ListResourcesRequest{Session: session, Params: &mcp.ListResourcesParams{}})
			if err != nil {
				return err.Error()
			}
			names := ""
			for _, listed := range r.(*mcp.ListResourcesResult).Resources {
				names += listed.Name
			}
			return names
		},
		"resources/read": func(ctx context.Context) string {
			r, err := s.readResource(ctx, &mcp.ReadResourceRequest{Session: session, Params: &mcp.ReadResourceParams{URI: docs.FileURI(filepath.Join(dir, "a.md"))}})
			if err != nil {
				return err.Error()
			}
			return r.Contents[0].Text
		},
	}
}

// TestQuestionsWaitForAStoredIndex checks that questions at different times wait for an index that
// takes half a minute to load.
func TestQuestionsWaitForAStoredIndex(t *testing.T) {
	t.Parallel()
	dir, file := stored(t, map[string]string{"a.md": "a.md is on alpha"})
	synctest.Test(t, func(t *testing.T) {
		s, ix := newServer(t, dir, file)
		answers := make(map[string]chan string)
		for name, ask := range questions(t, s, dir) {
			answer := make(chan string, 1)
			answers[name] = answer
			go func() { answer <- ask(t.Context()) }()
			time.Sleep(6 * time.Second) // so that the questions come at different times
		}
		synctest.Wait()
		for name, answer := range answers {
			if len(answer) > 0 {
				t.Errorf("%s is answered before the index is loaded: %s", name, <-answer)
				delete(answers, name)
			}
		}
		if err := ix.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		for name, answer := range answers {
			if got := <-answer; !strings.Contains(got, "a.md") || strings.Contains(got, "no such document") || strings.Contains(got, "Not found anywhere in the documents") {
				t.Errorf("%s is answered with %s", name, got)
			}
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestLoadingIsSaid checks that a question that cannot wait for the index is told so, and never
// that there is nothing.
func TestLoadingIsSaid(t *testing.T) {
	t.Parallel()
	dir, file := stored(t, map[string]string{"a.md": "a.md is on alpha"})
	synctest.Test(t, func(t *testing.T) {
		s, ix := newServer(t, dir, file)
		for name, ask := range questions(t, s, dir) {
			began := time.Now()
			if got := ask(t.Context()); !strings.Contains(got, "still being loaded") {
				t.Errorf("%s is answered with %s", name, got)
			}
			if waited := time.Since(began); waited < 40*time.Second || waited > 55*time.Second { // in the time of the synctest bubble
				t.Errorf("%s waited %v", name, waited)
			}
			given, cancel := context.WithCancel(t.Context())
			answer := make(chan string, 1)
			go func() { answer <- ask(given) }()
			synctest.Wait()
			began = time.Now()
			cancel()
			if got := <-answer; !strings.Contains(got, "canceled") || time.Since(began) > 0 {
				t.Errorf("%s, cancelled, is answered after %v with %s", name, time.Since(began), got)
			}
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestNothingIsSaidOfWhatIsIndexed checks that files that no run has reached yet are reported
// neither as missing nor as containing no such word.
func TestNothingIsSaidOfWhatIsIndexed(t *testing.T) {
	t.Parallel()
	dir, file := stored(t, map[string]string{"a.md": "a.md is on alpha"})
	writeFile(t, dir, "b.md", "beta is new")
	synctest.Test(t, func(t *testing.T) {
		s, ix := newServer(t, dir, file)
		if err := ix.Load(t.Context()); err != nil { // no run follows
			t.Fatal(err)
		}
		asked := questions(t, s, dir)
		if got := asked["retrieve_docs"](t.Context()); !strings.Contains(got, "alpha") || !strings.Contains(got, "Not found anywhere in what is indexed so far: mimetype.") {
			t.Errorf("retrieve_docs is answered with %s", got)
		}
		answer, err := ix.Search(t.Context(), index.Query{Text: "beta", Filter: index.Filter{Path: "b.md"}})
		if err != nil || !answer.Incomplete || notice.NothingFound(answer.Incomplete).String() != "Nothing in what is indexed so far matches." {
			t.Errorf("beta is answered with %+v, %v", answer, err)
		}
		if notes := strings.Join(notice.EnglishLines(answer.Notes), "\n"); !strings.Contains(notes, "No document that is indexed so far has a path like b.md.") {
			t.Errorf("noted %s", notes)
		}
		if _, err := ix.Read(t.Context(), index.ReadQuery{Ref: "b.md"}); !errors.Is(err, index.ErrNotIndexedYet) {
			t.Errorf("b.md reads with %v", err)
		}
		if _, err := ix.Read(t.Context(), index.ReadQuery{Ref: "c.md"}); !errors.Is(err, index.ErrNotFound) {
			t.Errorf("c.md reads with %v", err)
		}
		_, err = s.readResource(t.Context(), &mcp.ReadResourceRequest{Session: sessionOf(t, s), Params: &mcp.ReadResourceParams{URI: docs.FileURI(filepath.Join(dir, "b.md"))}})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || !strings.Contains(wire.Message, "not indexed yet") {
			t.Errorf("the resource b.md reads with %v", err)
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestTextsOverALimitAreRefusedAtOnce checks that too many texts are refused without waiting for
// the index, which is never loaded here.
func TestTextsOverALimitAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	dir, file := stored(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		s, ix := newServer(t, dir, file)
		defer ix.Close()
		began := time.Now()
		arguments, err := json.Marshal(map[string]any{"docs": []string{"short", strings.Repeat("a", sync.MaxClientTextBytes+1)}})
		if err != nil {
			t.Fatal(err)
		}
		o, _ := operations.OperationByName("index_docs")
		_, err = s.run(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: arguments}}, o)
		if err == nil || !strings.Contains(err.Error(), "docs[1] is longer than") || time.Since(began) > 0 {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}
