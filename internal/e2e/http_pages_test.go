package e2e

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// visitor is a browser without scripts.
type visitor struct {
	*http.Client
	t   *testing.T
	url string
}

func visit(t *testing.T, s *httpServer) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{&http.Client{Jar: jar}, t, s.url}
}

// page returns the page at a path, with the status before it.
func (v *visitor) page(path string) string {
	v.t.Helper()
	answer, err := v.Get(v.url + path)
	return v.read(answer, err)
}

func (v *visitor) read(answer *http.Response, err error) string {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer.Status + "\n" + string(body)
}

// signIn sends the sign-in form with a token.
func (v *visitor) signIn(token string) string {
	v.t.Helper()
	answer, err := v.PostForm(v.url+"/sign-in", url.Values{"token": {token}, "to": {"/library"}})
	return v.read(answer, err)
}

// TestPages: the program shows its folder to users of its machine, and its instructions for
// hosts have the right paths.
func TestPages(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	v := visit(t, s)
	await(t, "the folder is indexed", func() bool { return strings.Contains(v.page("/library/state"), "Up to date.") })
	if page := v.page("/search?q=spacer"); !strings.Contains(page, "<mark>spacer</mark>") {
		t.Errorf("%s", page)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	add := v.page("/add")
	for _, want := range []string{dir, filepath.Base(exe), "claude-desktop", s.url + "/mcp"} {
		if !strings.Contains(add, want) {
			t.Errorf("no %s in\n%s", want, add)
		}
	}
	if page := v.page("/sign-in"); !strings.HasPrefix(page, "200") || strings.Contains(page, "Token") {
		t.Errorf("nobody need sign in:\n%s", page)
	}
}

// TestPagesOfUsers: users sign in, see only their folders, and are signed out when their
// token is revoked; the log records who looked, and not at what.
func TestPagesOfUsers(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	cardio := t.TempDir()
	if err := os.WriteFile(filepath.Join(cardio, "valve.md"), []byte("# Valve\n\nA valve that murmurs.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, "--allow", "alice="+cardio, ownIndex(t), ownIndex(t), dir, cardio)
	v, w := visit(t, s), visit(t, s)
	if page := v.page("/library"); !strings.Contains(page, `name="token"`) {
		t.Fatalf("nobody is asked:\n%s", page)
	}
	if page := v.signIn(alice + "x"); !strings.HasPrefix(page, "403") || strings.Contains(page, alice) {
		t.Errorf("a wrong token: %s", page)
	}
	for who, token := range map[*visitor]string{v: alice, w: bob} {
		if page := who.signIn(token); !strings.HasPrefix(page, "200") {
			t.Fatalf("%s", page)
		}
		await(t, "the folders are indexed", func() bool { return strings.Contains(who.page("/library/state"), "Up to date.") })
	}
	if page := v.page("/search?q=murmurs"); !strings.Contains(page, "valve.md") {
		t.Errorf("alice does not see hers:\n%s", page)
	}
	for _, path := range []string{"/search?q=valve", "/library", "/library/documents", "/try?q=valve", "/doc?path=" + url.QueryEscape(filepath.Base(cardio)) + "/valve.md", "/add"} {
		if page := w.page(path); strings.Contains(page, "murmurs") || strings.Contains(page, cardio) {
			t.Errorf("bob sees it at %s:\n%s", path, page)
		}
	}
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, "the token counts no more", func() bool { return strings.Contains(v.page("/library"), `name="token"`) })
	_ = s.cmd.Process.Signal(os.Interrupt)
	log := s.log()
	for _, want := range []string{`msg="signed in" user=alice address=127.0.0.1`, `msg="sign-in refused" address=127.0.0.1 at=/sign-in`, `msg="tokens read again: 0, 2 fewer (alice, bob)"`} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
	if !strings.Contains(log, "msg=page user=alice doing=search") || strings.Contains(log, "murmurs") || strings.Contains(log, alice) {
		t.Errorf("the log says:\n%s", log)
	}
}
