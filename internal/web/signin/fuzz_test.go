package signin

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"
)

// FuzzTokens: no list of tokens brings its reader down, lets in whom no line of it
// names, or has a line in an error: it may be a token.
func FuzzTokens(f *testing.F) {
	good := "alice sha256:" + strings.Repeat("ab", sha256.Size) + " read,index cardio"
	f.Add(good + "\n# bob sha256:00 read\n\nvdm_secret\n")
	f.Add("\xef\xbb\xbf" + good + "\r\n" + good)
	f.Add(strings.Repeat("a", 70_000))
	f.Fuzz(func(t *testing.T, list string) {
		users, _ := parse(strings.NewReader(list), func(_ int, err error) {
			for _, word := range strings.Fields(list) {
				if strings.HasPrefix(word, prefix) && len(word) > len(prefix)+8 && strings.Contains(err.Error(), word) {
					t.Errorf("an error has the token: %v", err)
				}
			}
		})
		for hash, u := range users {
			line := Entry{u.Name, hash, u.Scopes, u.Groups}
			if err := line.check(); err != nil || u.ID != "token:"+u.Name || !strings.Contains(list, u.Name) {
				t.Errorf("%+v is let in: %v", u, err)
			}
		}
	})
}

// FuzzEnter: whatever a request has for a token, who has none is not let in, and the
// challenge is one header that has nothing of it.
func FuzzEnter(f *testing.F) {
	token, e, err := NewEntry("alice", Scopes, nil)
	if err != nil {
		f.Fatal(err)
	}
	tokens, err := OpenTokens("", e.String(), nil)
	if err != nil {
		f.Fatal(err)
	}
	door := &Door{Checkers: []Checker{tokens}, Issuer: "https://login.example.com", Resource: "https://kb.example.com/mcp"}
	for _, header := range []string{"", "Bearer x", "bearer  x", "Basic YTpi", "Bearer x, Bearer y", "Bearer\tx", "Bearer a.b.c"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://kb.example.com/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header["Authorization"] = []string{header}
		u, refused := door.Enter(r, ScopeRead)
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
