package guard

import "testing"

// TestCanonicalURL checks that a URL is normalised as clients do.
func TestCanonicalURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://kb.example.com:443":         "https://kb.example.com",
		"HTTPS://KB.Example.com:443/team/":   "https://kb.example.com/team",
		"http://kb.example.com:80/":          "http://kb.example.com",
		"https://kb.example.com:8443/":       "https://kb.example.com:8443",
		"https://kb.example.com:80":          "https://kb.example.com:80",
		"https://[2001:db8::1]:443/mcp":      "https://[2001:db8::1]/mcp",
		"https://[2001:db8::443]/mcp":        "https://[2001:db8::443]/mcp",
		"https://kb.example.com/MCP":         "https://kb.example.com/MCP",
		"https://kb.example.com/a%2Fb":       "https://kb.example.com/a%2Fb",
		"https://u@kb.example.com/mcp":       "https://u@kb.example.com/mcp",
		"https://kb.example.com/mcp?a=b":     "https://kb.example.com/mcp?a=b",
		"https://kb.example.com.evil:443443": "https://kb.example.com.evil:443443",
		"kb.example.com:443":                 "kb.example.com:443",
		"":                                   "",
	} {
		if got := CanonicalURL(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
