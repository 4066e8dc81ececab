package page

import (
	"bytes"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
)

var alice = signin.User{ID: "token:alice", Name: "alice", Scopes: []string{signin.ScopeRead}}

// signIn sends the sign-in form with a token.
func (s *site) signIn(token string, header ...string) int {
	s.t.Helper()
	return s.send(http.MethodPost, "/sign-in", url.Values{"token": {token}, "to": {"/search?q=spacer"}}, header...).Code
}

// TestSignIn checks that no page is shown before sign-in or after the end of the session.
func TestSignIn(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, tokens.ask)
	closed := func(when string) {
		t.Helper()
		for _, to := range append(everyPage, "/events", "/library/state", "/doc?path=asthma.md") {
			if to == "/nowhere" {
				continue
			}
			w := s.send(http.MethodGet, to, nil)
			if w.Code != http.StatusSeeOther && w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), "children") {
				t.Errorf("%s, %s: %d\n%s", when, to, w.Code, w.Body)
			}
		}
	}
	closed("before")
	if got := s.signIn("wrong"); got != http.StatusForbidden || s.cookie != nil {
		t.Fatalf("a wrong token: %d, %v", got, s.cookie)
	}
	if got := s.signIn("secret"); got != http.StatusSeeOther || s.cookie == nil {
		t.Fatalf("the token: %d", got)
	}
	if c := s.cookie; c.Name != "vademecum8765" || !c.HttpOnly || c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || strings.Contains(c.Value, "secret") {
		t.Errorf("%+v", c)
	}
	if page := s.get("/search?q=spacer"); !strings.Contains(page, "asthma.md") || !strings.Contains(page, "Sign out") {
		t.Errorf("%s", page)
	}
	before := *s.cookie
	w := s.send(http.MethodPost, "/sign-out", nil)
	if w.Code != http.StatusSeeOther || s.cookie.MaxAge >= 0 || w.Header().Get("Clear-Site-Data") == "" {
		t.Errorf("%d, %+v", w.Code, s.cookie)
	}
	s.cookie = &before
	closed("signed out")
	s.cookie = nil
	_ = s.signIn("secret")
	delete(tokens, "secret")
	closed("the token is gone")
}

// TestSignInIsNew checks that signing in begins a new session, whatever cookie the browser has.
func TestSignInIsNew(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, tokens.ask)
	s.cookie = &http.Cookie{Name: "vademecum8765", Value: "planted"}
	_ = s.signIn("secret")
	first := *s.cookie
	_ = s.signIn("secret")
	if first.Value == "planted" || first.Value == s.cookie.Value {
		t.Errorf("%q, then %q", first.Value, s.cookie.Value)
	}
	s.cookie = &first
	if w := s.send(http.MethodGet, "/library", nil); w.Code != http.StatusSeeOther {
		t.Errorf("the session before goes on: %d", w.Code)
	}
}

// TestSignInAgain checks that signing in repeatedly, as with providers whose tokens expire soon,
// ends sessions neither of this browser nor of others.
func TestSignInAgain(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, tokens.ask)
	isIn := func(c *http.Cookie) bool {
		s.cookie = c
		return s.send(http.MethodGet, "/library", nil).Code == http.StatusOK
	}
	_ = s.signIn("secret")
	phone := s.cookie
	s.cookie = nil
	_ = s.signIn("secret")
	for n := range 25 {
		before := s.cookie
		_ = s.signIn("secret")
		if now := s.cookie; !isIn(now) || !isIn(phone) || isIn(before) {
			t.Fatalf("sign-in %d: the new session %t, the phone %t, the one before %t", n+2, isIn(now), isIn(phone), isIn(before))
		} else {
			s.cookie = now
		}
	}
}

// TestSignInSecurely checks that over HTTPS the cookie has the prefix that binds it to the host,
// and that over unencrypted connections no token is accepted.
func TestSignInSecurely(t *testing.T) {
	tokens, secure := tokens{"secret": alice}, false
	s := open(t, notes, func(o *Options) {
		o.Authenticator = &signin.Authenticator{Checkers: []signin.Checker{tokens}}
		o.IsSecure = func(*http.Request) bool { return secure }
	})
	post := func() *http.Response {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://kb.example.com/sign-in", strings.NewReader("token=secret"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := &recorder{header: make(http.Header)}
		s.pages.ServeHTTP(w, r)
		return &http.Response{StatusCode: w.status, Header: w.header}
	}
	if got := post(); got.StatusCode != http.StatusForbidden || len(got.Cookies()) > 0 {
		t.Errorf("in the open: %d, %v", got.StatusCode, got.Cookies())
	}
	secure = true
	got := post()
	if c := got.Cookies(); got.StatusCode != http.StatusSeeOther || len(c) != 1 || c[0].Name != "__Host-vademecum" || !c[0].Secure || !c[0].HttpOnly || c[0].Path != "/" {
		t.Errorf("%d, %v", got.StatusCode, c)
	}
}

// recorder records a response.
type recorder struct {
	header http.Header
	status int
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return len(b), nil }

// TestWithin checks that sign-in leads only to pages of the server.
func TestWithin(t *testing.T) {
	for to, want := range map[string]string{
		"/search?q=a": "/search?q=a", "/doc?path=a%2Fb#passage": "/doc?path=a%2Fb#passage", "": "/", "//evil.com": "/", "///evil.com": "/", "https://evil.com": "/", "/\\evil.com": "/", "javascript:alert(1)": "/",
		"\t//evil.com": "/", "/\t/evil.com": "/", "evil": "/", "/a\r\nSet-Cookie: x=y": "/", "http:/evil.com": "/", "/%0d%0aX: y": "/%0d%0aX: y",
	} {
		if got := within(to); got != want {
			t.Errorf("%q leads to %q", to, got)
		}
	}
}

// TestReadable checks that no token is asked for or accepted over an unencrypted connection.
func TestReadable(t *testing.T) {
	s := open(t, notes, tokens{"secret": alice}.ask)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://kb.example.com/sign-in", strings.NewReader("token=secret"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		s.pages.ServeHTTP(w, r)
		if body := w.Body.String(); w.Code != http.StatusForbidden || strings.Contains(body, `name="token"`) || !strings.Contains(body, "HTTPS") || len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: %d\n%s", method, w.Code, body)
		}
	}
}

// TestLedFromElsewhere checks that a request that follows a link on another site gets a page that
// repeats it with the cookie, not the sign-in page.
func TestLedFromElsewhere(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, tokens.ask)
	w := s.send(http.MethodGet, "/search?q=spacer", nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `http-equiv="refresh"`) || strings.Contains(w.Body.String(), "asthma") {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
	for from, want := range map[string]string{
		"/":                                "/?again=1",
		"/doc?path=a+b.md&at=line%3D1%2C2": "/doc?again=1&at=line%3D1%2C2&path=a+b.md#passage",
		"/doc?path=a.md&again=1":           "/doc?path=a.md",
	} {
		page := html.UnescapeString(s.get(from, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"))
		if !strings.Contains(page, `content="0; url=`+want+`"`) || !strings.Contains(page, `<a href="`+want+`">`) {
			t.Errorf("%s leads on to\n%s, want %s", from, page, want)
		}
	}
	w = s.send(http.MethodGet, "/search?q=spacer", nil, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate")
	if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || to != "/sign-in?to=%2Fsearch%3Fq%3Dspacer" {
		t.Errorf("%d, %s", w.Code, to)
	}
}

// TestRights checks that a user finds nothing from a folder that the rules hide, on any page.
func TestRights(t *testing.T) {
	tokens := tokens{"a": alice, "b": {ID: "bob", Scopes: []string{signin.ScopeRead}}, "n": {ID: "nobody", Scopes: []string{signin.ScopeRead}}}
	other, _ := newView(t, map[string]string{"cardio/heart.md": "# Heart\n\nA valve that leaks murmurs.\n"})
	var s *site
	s = open(t, notes, func(o *Options) {
		o.Authenticator = &signin.Authenticator{Checkers: []signin.Checker{tokens}}
		o.ChooseView = func(u signin.User) (*access.View, error) {
			switch u.ID {
			case alice.ID:
				return s.view, nil
			case "bob":
				return other, nil
			}
			return nil, access.ErrNoFolderVisible
		}
	})
	_ = s.signIn("b")
	for _, to := range append(everyPage, "/search?q=asthma", "/doc?path="+url.QueryEscape(s.dir)+"/asthma.md", "/doc?path=file%3A%2F%2F"+url.QueryEscape(s.dir)+"/asthma.md", "/doc?path=../001/asthma.md") {
		w := s.send(http.MethodGet, to, nil)
		for _, secret := range []string{"helps children", "lungs", "高血压", ">asthma.md", "odd name"} {
			if to == "/doc?path=odd+name+%231.txt" && secret == "odd name" || strings.Contains(to, "tag=lungs") && secret == "lungs" {
				continue // the form repeats the question
			}
			if body := w.Body.String(); strings.Contains(body, secret) && !strings.Contains(secret, "高血压") {
				t.Errorf("%s tells of %s:\n%s", to, secret, body)
			}
		}
	}
	if page := s.get("/search?q=valve"); !strings.Contains(page, "heart.md") {
		t.Errorf("nor of what is there:\n%s", page)
	}
	s.cookie = nil
	_ = s.signIn("n")
	if w := s.send(http.MethodGet, "/library", nil); w.Code != http.StatusForbidden {
		t.Errorf("who sees nothing gets %d", w.Code)
	}
}

// TestSignInIsLogged checks that sign-ins and sign-outs are logged with the address.
func TestSignInIsLogged(t *testing.T) {
	var said bytes.Buffer
	s := open(t, notes, func(o *Options) {
		tokens{"secret": alice}.ask(o)
		o.Logger = slog.New(slog.NewTextHandler(&said, nil))
	})
	for _, want := range []struct {
		do    func()
		lines string
	}{
		{func() { _ = s.signIn("wrong") }, ""},
		{func() { _ = s.signIn("secret") }, `msg="signed in" user=alice address=192.0.2.1`},
		{func() { s.send(http.MethodPost, "/sign-out", nil) }, `msg="signed out" user=alice address=192.0.2.1`},
		{func() { s.cookie = nil; s.send(http.MethodPost, "/sign-out", nil) }, ""},
	} {
		said.Reset()
		want.do()
		if got := said.String(); strings.Count(got, "\n") > 1 || !strings.Contains(got, want.lines) || want.lines == "" && got != "" || strings.Contains(got, "secret") {
			t.Errorf("%q is logged, want %q", got, want.lines)
		}
	}
}

// TestTokenInEntries checks that the snippets for hosts refer to a token only if the server
// requires one that users have.
func TestTokenInEntries(t *testing.T) {
	const named = "Bearer ${VADEMECUM_TOKEN}"
	own := tokens{"secret": alice}
	s := open(t, notes, own.ask)
	_ = s.signIn("secret")
	if page := s.get("/add"); !strings.Contains(page, named) || !strings.Contains(page, "Bearer YOUR_TOKEN") {
		t.Errorf("with tokens: %s", page)
	}
	s = open(t, notes, func(o *Options) {
		own.ask(o)
		o.Authenticator.ProviderIssuer = "https://login.example.com"
	})
	_ = s.signIn("secret")
	if page := s.get("/add"); strings.Contains(page, named) || !strings.Contains(page, "/mcp") {
		t.Errorf("with a provider: %s", page)
	}
	if page := open(t, notes, nil).get("/add"); strings.Contains(page, named) {
		t.Errorf("with nobody asked: %s", page)
	}
}
