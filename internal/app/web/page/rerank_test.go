package page

import (
	"context"
	"slices"
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/internal/app/web/access"
)

// reranked is a library with a reranker on another machine.
type reranked struct {
	access.Library
	plain []bool // for each question, whether the reranker was left out
}

func (l *reranked) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	if q, ok := q.(index.Query); ok {
		l.plain = append(l.plain, q.WithoutReranker)
	}
	return l.Library.Ask(ctx, q)
}

func (l *reranked) Overview(ctx context.Context) (index.Overview, error) {
	o, err := l.Library.Overview(ctx)
	for i := range o.Folders {
		o.Folders[i].RerankHost = "rerank.example"
	}
	return o, err
}

// TestReranker checks that the reranker is used when a question is sent and not while it is typed,
// and that the page says where passages are sent.
func TestReranker(t *testing.T) {
	s := open(t, notes, nil)
	l := &reranked{Library: s.view.Library}
	s.view.Library = l
	s.get("/search?q=spacer&part=results&typing=1")
	s.get("/search?q=spacer")
	if want := []bool{true, false}; !slices.Equal(l.plain, want) {
		t.Errorf("it is left out %v, want %v", l.plain, want)
	}
	if page := s.get("/library"); !strings.Contains(page, "passages found are sent to rerank.example") || strings.Contains(page, "no text leaves the machine") {
		t.Errorf("where passages go is not told:\n%s", page)
	}
}
