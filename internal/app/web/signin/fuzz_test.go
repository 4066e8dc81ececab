package signin

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"
)

// FuzzTokens checks that no token file causes a panic or admits a user without a line, and that no
// error quotes a line, which may be a token.
func FuzzTokens(f *testing.F) {
	good := "alice sha256:" + strings.Repeat("ab", sha256.Size) + " read,index cardio"
	f.Add(good + "\n# bob sha256:00 read\n\nvdm_secret\n")
	f.Add("\xef\xbb\xbf" + good + "\r\n" + good)
	f.Add(strings.Repeat("a", 70_000))
	f.Add("alice " + strings.Repeat("b", 80) + " read made=vdm_secret-secret\r\r\n")
	f.Fuzz(func(t *testing.T, list string) {
		for _, l := range parseLines(list) {
			for _, word := range strings.Fields(list) {
				if l.wrong != nil && strings.HasPrefix(word, TokenPrefix) && len(word) > len(TokenPrefix)+8 && strings.Contains(l.wrong.Error(), word) {
					t.Errorf("an error has the token: %v", l.wrong)
				}
			}
			if l.wrong == nil && (l.entry.check() != nil || !strings.Contains(list, l.entry.Name)) || list[l.at:l.at+len(l.text)] != l.text {
				t.Errorf("%+v is let in", l)
			}
		}
	})
}

// FuzzEnter checks that no invalid token is accepted, and that the challenge is one header without
// any part of the request.
func FuzzEnter(f *testing.F) {
	token, e, err := NewTokenEntry("alice", DocumentScopes, nil)
	if err != nil {
		f.Fatal(err)
	}
	tokens, err := OpenTokenStore("", e.String(), nil)
	if err != nil {
		f.Fatal(err)
	}
	authenticator := &Authenticator{Checkers: []Checker{tokens}, ProviderIssuer: "https://login.example.com", ResourceURL: "https://kb.example.com/mcp"}
	for _, header := range []string{"", "Bearer x", "bearer  x", "Basic YTpi", "Bearer x, Bearer y", "Bearer\tx", "Bearer a.b.c"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://kb.example.com/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header["Authorization"] = []string{header}
		u, refused := authenticator.Authenticate(r, ScopeRead)
		if strings.Contains(header, token) {
			return
		}
		if refused == nil || u.ID != "" {
			t.Fatalf("%q is let in", header)
		}
		if strings.ContainsAny(refused.Challenge, "\r\n") || len(header) > 40 && strings.Contains(refused.Challenge+refused.Reason, header) {
			t.Errorf("%q is answered by %+v", header, refused)
		}
	})
}

// FuzzSessions checks that cookies that this server did not create are refused.
func FuzzSessions(f *testing.F) {
	s := sessionsOf(listed{"a": {ID: "alice", Scopes: DocumentScopes}})
	name, _, err := s.BeginSession(f.Context(), "", "a")
	if err != nil {
		f.Fatal(err)
	}
	c := NewClient(nil, ClientOptions{CookieKey: s.key})
	f.Add(name)
	f.Add(name[:len(name)-1])
	f.Add(s.key.seal(forFlow, `{"state":"s","begun":"2026-11-23T00:00:00Z"}`))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if u, _, err := s.UserOf(t.Context(), text); err == nil && text != name {
			t.Errorf("%q lets in %+v", text, u)
		}
		if _, ok := c.openFlow(text); ok {
			t.Errorf("%q is a sign-in", text)
		}
		if text != name {
			s.EndSession(text)
		}
		if len(s.revocations.known) > 0 {
			t.Errorf("%q ends a session", text)
		}
	})
}
