package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"vademecum/internal/web/guard"
	"vademecum/internal/web/signin"
	"vademecum/mcp"
)

// checker lets everyone in until it is closed.
type checker struct{ closed atomic.Bool }

func (c *checker) Check(context.Context, string) (signin.User, error) {
	if c.closed.Load() {
		return signin.User{}, signin.ErrInvalid
	}
	return signin.User{ID: "u", Scopes: signin.Scopes}, nil
}

// noLibrary is one that is asked nothing.
type noLibrary struct{ mcp.Library }

func (noLibrary) Folders() []string { return nil }

// TestStreamOfWhoIsOut: a stream ends when who opened it is not let in any more.
func TestStreamOfWhoIsOut(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	names, err := guard.NewNames("127.0.0.1", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.New(noLibrary{}, mcp.Options{Logger: log})
	door := &checker{}
	over := New(Options{
		Names: names, Door: &signin.Door{Checkers: []signin.Checker{door}}, Logger: log, SSE: true,
		Choose: func(signin.User) (*mcp.Server, error) { return server, nil },
		pace:   pace{early: time.Second, alive: time.Minute, write: time.Minute, again: 5 * time.Millisecond},
	})
	s := httptest.NewServer(over)
	t.Cleanup(s.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x")
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%v", err)
	}
	defer stream.Body.Close()
	if _, err := stream.Body.Read(make([]byte, 4096)); err != nil {
		t.Fatal(err)
	}
	door.closed.Store(true)
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	if n := over.endpoint.Sessions(); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}
