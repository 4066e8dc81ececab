package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestHealthURL(t *testing.T) {
	for at, want := range map[string]string{
		"127.0.0.1:8765":                "http://127.0.0.1:8765/healthz",
		"0.0.0.0:80":                    "http://localhost:80/healthz",
		"[::]:80":                       "http://localhost:80/healthz",
		":80":                           "http://localhost:80/healthz",
		"kb.example.com:80":             "http://kb.example.com:80/healthz",
		"https://kb.example.com":        "https://kb.example.com/healthz",
		"https://kb.example.com/notes":  "https://kb.example.com/notes/healthz",
		"http://127.0.0.1:8765/mcp":     "http://127.0.0.1:8765/healthz",
		"https://kb.example.com/a/mcp/": "https://kb.example.com/a/healthz",
		"127.0.0.1:8765/mcp":            "",
		"127.0.0.1":                     "",
		"127.0.0.1:":                    "",
		"ftp://kb.example.com":          "",
		"https://me:secret@kb/":         "",
	} {
		u, err := healthURL(at)
		if got := ""; err == nil {
			if got = u.String(); got != want {
				t.Errorf("%s is asked at %s, want %q", at, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func TestAskHealth(t *testing.T) {
	code := http.StatusOK
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, r.URL.Path)
	})
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	defer secure.Close()
	ask := func(server *httptest.Server) error {
		t.Helper()
		at, err := url.Parse(server.URL + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		return checkHealth(t.Context(), at)
	}
	for _, server := range []*httptest.Server{plain, secure} {
		if err := ask(server); err != nil {
			t.Error(err)
		}
	}
	for _, code = range []int{http.StatusServiceUnavailable, http.StatusFound, http.StatusNoContent} {
		if err := ask(plain); err == nil || !strings.Contains(err.Error(), "answers") {
			t.Errorf("%d: %v", code, err)
		}
	}
	plain.Close()
	if err := ask(plain); err == nil {
		t.Error("a server that is gone is well")
	}
}
