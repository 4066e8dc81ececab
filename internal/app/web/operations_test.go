package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// countedLibrary counts the questions that have not passed the limiter.
type countedLibrary struct {
	access.Library
	turns            *QuestionLimiter
	asked, unlimited int
}

func (l *countedLibrary) Ask(_ context.Context, q index.Question) (index.Reply, error) {
	l.asked++
	if running, _ := l.turns.counts(); running == 0 && q.Cost() != index.CostReading {
		l.unlimited++
	}
	switch q.(type) {
	case index.Query:
		return index.Answer{}, nil
	case index.FindQuery:
		return index.Findings{}, nil
	case index.QuoteQuery:
		return index.CheckedQuotes{}, nil
	}
	return index.DocumentPart{}, nil
}

func (*countedLibrary) List(context.Context, index.Filter) ([]index.Document, error) {
	return nil, nil
}

func (*countedLibrary) ExplainNoMatch(context.Context, index.Filter) ([]notice.Note, error) {
	return nil, nil
}

func (*countedLibrary) FreshnessNotes() []notice.Note { return nil }

// TestEveryOperationIsLimited checks that all questions that an operation asks pass the limiter.
func TestEveryOperationIsLimited(t *testing.T) {
	asked := 0
	for _, newOperation := range operations.All {
		counted := &countedLibrary{turns: NewQuestionLimiter(1, false, NewStats(""))}
		o := newOperation()
		if _, err := o.Parse(json.RawMessage(o.ExampleArguments)); err != nil {
			t.Fatal(err)
		}
		call := operations.CallEnvironment{
			Library: counted.turns.LimitLibrary(counted), Budget: index.Budget{Characters: 10_000, Bytes: 10_000}, Cursors: new(operations.RecentCursors),
			WebPageURL: func(string, string, string) string { return "" },
			Update:     func(context.Context, operations.UpdateRequest) (string, error) { return "", nil },
		}
		if _, err := o.Run(t.Context(), call); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
		if asked += counted.asked; counted.unlimited > 0 {
			t.Errorf("%s asks %d times, %d of them beside the limiter", o.Name, counted.asked, counted.unlimited)
		}
	}
	if asked < 6 { // list_docs and index_docs ask no questions
		t.Errorf("all operations ask %d times", asked)
	}
}

// TestEveryOperationNeedsItsRight checks that a user who may only read can call all operations
// except those that may change something, alone and in a batch.
func TestEveryOperationNeedsItsRight(t *testing.T) {
	over := watchedServer(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}})
	view := access.View{Server: mcp.New(noLibrary{}, mcp.Options{Logger: slog.New(slog.DiscardHandler)})}
	over.o.ChooseView = func(signin.User) (*access.View, error) { return &view, nil }
	for _, newOperation := range operations.All {
		o := newOperation()
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, o.Name, o.ExampleArguments)
		for _, body := range []string{call, "[" + call + "]"} {
			r := httptest.NewRequest(http.MethodPost, "http://localhost:8765/mcp", strings.NewReader(body))
			r.RemoteAddr = "127.0.0.1:1"
			r.Header.Set("Authorization", "Bearer "+signin.ScopeRead)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			answer := httptest.NewRecorder()
			over.ServeHTTP(answer, r)
			if isRefused := answer.Code == http.StatusForbidden; isRefused != o.ChangesIndex {
				t.Errorf("%s of who may only read: %d %s", body, answer.Code, answer.Body)
			}
		}
	}
}
