package page

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestBelow checks that everything that a page under a path prefix links to, loads or sends, and
// its cookies, have the prefix, and that the text of a document is not changed by that.
func TestBelow(t *testing.T) {
	files := map[string]string{"html.md": "# Html\n\nWrite <a href=\"/search\"> and action=\"/x\", spacer.\n"}
	for path, text := range notes {
		files[path] = text
	}
	s := open(t, files, func(o *Options) {
		tokens{"secret": alice}.ask(o)
		o.PathPrefix = "/kb"
	})
	leads := func(w *http.Response, want string) {
		t.Helper()
		if to := w.Header.Get("Location"); w.StatusCode != http.StatusSeeOther || to != want {
			t.Errorf("%d leads to %s, want %s", w.StatusCode, to, want)
		}
	}
	leads(s.send(http.MethodGet, "/search?q=spacer", nil).Result(), "/kb/sign-in?to=%2Fsearch%3Fq%3Dspacer")
	leads(s.send(http.MethodPost, "/sign-in", url.Values{"token": {"secret"}, "to": {"/search?q=spacer"}}).Result(), "/kb/search?q=spacer")
	if s.cookie == nil || s.cookie.Path != "/kb" {
		t.Fatalf("the cookie is %+v", s.cookie)
	}
	paths := regexp.MustCompile(`(?:\s[a-uw-z][a-z-]*="|url=)(/[^"]*)`) // without the attribute value, whose content is sent back
	for _, to := range append(everyPage, "/doc?path=html.md", "/search?q=spacer&part=results", "/library/state", "/sign-in?problem=denied") {
		page := s.send(http.MethodGet, to, nil).Body.String()
		found := paths.FindAllStringSubmatch(page, -1)
		for _, m := range found {
			if !strings.HasPrefix(m[1], "/kb/") || strings.HasPrefix(m[1], "/kb/kb") {
				t.Errorf("%s has %s", to, m[0])
			}
		}
		if len(found) == 0 && to != "/library/state" {
			t.Errorf("%s leads nowhere:\n%s", to, page)
		}
	}
	if page := s.get("/doc?path=html.md&as=written"); !strings.Contains(page, "&lt;a href=&#34;/search&#34;&gt; and action=&#34;/x&#34;,") {
		t.Errorf("the text is another:\n%s", page)
	}
	leads(s.send(http.MethodPost, "/sign-out", nil).Result(), "/kb/sign-in")
	s.cookie = nil
	if page := s.get("/search?q=spacer", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); !strings.Contains(page, `content="0; url=/kb/search?`) {
		t.Errorf("who is led here goes to\n%s", page)
	}
}

// TestCookieBelow checks that other servers of the host do not receive the cookie.
func TestCookieBelow(t *testing.T) {
	s := open(t, notes, func(o *Options) {
		tokens{"secret": alice}.ask(o)
		o.PathPrefix = "/kb"
		o.IsSecure = func(*http.Request) bool { return true }
	})
	if _ = s.signIn("secret"); s.cookie == nil || s.cookie.Name != "__Secure-vademecum" || s.cookie.Path != "/kb" || !s.cookie.Secure {
		t.Errorf("%+v", s.cookie)
	}
	if page := s.get("/library"); !strings.Contains(page, "Sign out") {
		t.Errorf("it does not count:\n%s", page)
	}
}
