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

	"vademecum/index"
	"vademecum/index/progress"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// checker accepts every token until it is closed.
type checker struct{ closed atomic.Bool }

func (c *checker) Check(context.Context, string) (signin.User, error) {
	if c.closed.Load() {
		return signin.User{}, signin.ErrInvalidToken
	}
	return signin.User{ID: "u", Scopes: signin.DocumentScopes}, nil
}

func (c *checker) CanAcceptTokens() bool { return !c.closed.Load() }

// noLibrary is an empty library.
type noLibrary struct{ mcp.Library }

func (noLibrary) Folders() []string                                      { return nil }
func (noLibrary) WaitFresh(context.Context, index.WaitPurpose) error     { return nil }
func (noLibrary) ChangeNumber() uint64                                   { return 0 }
func (noLibrary) State() (s progress.State)                              { return s }
func (noLibrary) Contents(context.Context) (c index.Contents, err error) { return c, nil }

// openingOf opens a stream of HTTP+SSE to a server with authentication, and returns it after its
// first event.
func openingOf(t *testing.T, authenticator signin.Checker, choose func(signin.User) (*access.View, error)) (over *Server, stream io.Reader) {
	t.Helper()
	names, err := guard.NewAllowedHosts("127.0.0.1", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	over = New(Options{
		AllowedHosts: names, Authenticator: &signin.Authenticator{Checkers: []signin.Checker{authenticator}}, Logger: slog.New(slog.DiscardHandler), ChooseView: choose,
		pace: streamTimeouts{early: time.Second, alive: time.Minute, write: time.Minute, again: 5 * time.Millisecond},
	})
	s := httptest.NewServer(over)
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x")
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if _, err := answer.Body.Read(make([]byte, 4096)); err != nil {
		t.Fatal(err)
	}
	return over, answer.Body
}

func newView() *access.View {
	return &access.View{Server: mcp.New(noLibrary{}, mcp.Options{Logger: slog.New(slog.DiscardHandler)})}
}

// TestStreamOfWhoIsOut checks that a stream ends when its user is no longer admitted.
func TestStreamOfWhoIsOut(t *testing.T) {
	view, authenticator := newView(), &checker{}
	over, stream := openingOf(t, authenticator, func(signin.User) (*access.View, error) { return view, nil })
	if n := over.streams.InUse(); n != 1 {
		t.Errorf("%d streams are counted", n)
	}
	authenticator.closed.Store(true)
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	if n := over.endpoint.SessionCount(); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

// TestStreamOfWhoSeesLess checks that a stream ends when its user may see other folders, or none,
// as it would report changes of the previous ones.
func TestStreamOfWhoSeesLess(t *testing.T) {
	all, some := newView(), newView()
	for name, now := range map[string]func() (*access.View, error){
		"other folders": func() (*access.View, error) { return some, nil },
		"none":          func() (*access.View, error) { return nil, access.ErrNoFolderVisible },
	} {
		var changed atomic.Bool
		_, stream := openingOf(t, &checker{}, func(signin.User) (*access.View, error) {
			if changed.Load() {
				return now()
			}
			return all, nil
		})
		changed.Store(true)
		if _, err := io.ReadAll(stream); err != nil {
			t.Errorf("%s: the stream ends with %v", name, err)
		}
	}
}

// TestTakeStream checks that the streams of a user, or of an address without authentication, are
// limited, except those of this machine.
func TestTakeStream(t *testing.T) {
	asked := watchedServer(t, Options{Authenticator: &signin.Authenticator{}, MaxSessions: 2})
	unasked := watchedServer(t, Options{MaxSessions: 2})
	for i, c := range []struct {
		server        *Server
		user, address string
		want          int
	}{
		{asked, "alice", "127.0.0.1:1", 200},
		{asked, "alice", "192.0.2.1:1", 200},
		{asked, "alice", "192.0.2.2:1", 429},
		{asked, "bob", "192.0.2.1:1", 200},
		{asked, "bob", "192.0.2.1:1", 200},
		{asked, "carol", "192.0.2.1:1", 503},
		{unasked, "", "192.0.2.1:1", 200},
		{unasked, "", "192.0.2.1:2", 200},
		{unasked, "", "192.0.2.1:3", 429},
		{unasked, "", "192.0.2.2:1", 200},
		{unasked, "", "127.0.0.1:1", 200},
		{unasked, "", "127.0.0.1:2", 200},
		{unasked, "", "127.0.0.1:3", 200},
		{unasked, "", "127.0.0.1:4", 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/mcp", nil)
		r.RemoteAddr = c.address
		w := httptest.NewRecorder()
		_, ok := c.server.acquireStream(w, r.WithContext(signin.WithUser(t.Context(), signin.User{ID: c.user})))
		if w.Code != c.want || ok != (c.want == 200) || !ok && w.Header().Get("Retry-After") != "60" {
			t.Errorf("stream %d, of %q at %s: %t, %d, want %d", i, c.user, c.address, ok, w.Code, c.want)
		}
	}
}
