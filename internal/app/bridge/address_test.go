package bridge

import (
	"strings"
	"testing"
)

// TestOthers checks the alternatives for a URL: without duplicates, and with the part after the
// path.
func TestOthers(t *testing.T) {
	for given, want := range map[string]string{
		"http://h":             "http://h/mcp",
		"http://h/mcp":         "http://h/mcp/mcp",
		"http://h/mcp/":        "http://h/mcp http://h/mcp/mcp",
		"http://h/kb/sse":      "http://h/kb/sse/mcp http://h/kb/mcp http://h/mcp",
		"http://h/kb?room=1#x": "http://h/kb/mcp?room=1#x http://h/mcp?room=1#x",
		"http://h/%zz":         "",
	} {
		if got := strings.Join(AlternativeURLs(given), " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

func TestBare(t *testing.T) {
	for given, want := range map[string]string{
		"http://user:hunter2@h:1/mcp?token=x": "http://h:1/mcp",
		"https://token@h/":                    "https://h/",
		"/notes?a":                            "/notes?a",
		"--embed":                             "--embed",
	} {
		if got := RedactURL(given); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}
