package hosts

import (
	"strings"
	"testing"
)

// TestReadsResources checks client names that were recorded.
func TestReadsResources(t *testing.T) {
	for _, c := range []struct {
		reads, isKnown bool
		names          []string
	}{
		{true, true, []string{"claude-code", "claude-ai", "gemini-cli-mcp-client", "gemini-cli-mcp-client-notes", "opencode", "qwen-cli-mcp-client-notes", "kilo", "pi-mcp-notes"}},
		{false, true, []string{"codex-mcp-client", "Visual Studio Code", "Visual Studio Code - Insiders", "cursor-vscode", "Zed", "Cline", "openai-agents-mcp", "ai-sdk-mcp-client", "@langchain/mcp-adapters", "genkit-mcp", "genkit-host", "MCPClient", "vademecum", "copilot-cli", "@cline/core", "continue-cli-client", "crush", "mcphost", "mcp", "mcp (via mcp-remote 0.15.1)", "codex-mcp-client (via mcp-remote 0.15.1)"}},
		{false, false, []string{"mcporter", "mcp-inspector", "mcp-client", "mcporter (via mcp-remote 0.15.1)", "supergateway", "tutorial-client", "notes-for-opencode", ""}}, // the first shows resources only
	} {
		for _, name := range c.names {
			if reads, isKnown := ReadsResources(name); reads != c.reads || isKnown != c.isKnown {
				t.Errorf("%q: %t, known %t", name, reads, isKnown)
			}
		}
	}
	for _, c := range KnownClients() {
		if c.NamePrefix == "" || c.NamePrefix != strings.ToLower(c.NamePrefix) {
			t.Errorf("%q is compared in lower case", c.NamePrefix)
		}
	}
}

// TestResultLimit checks the limits of hosts that have their own.
func TestResultLimit(t *testing.T) {
	for name, want := range map[string][2]int{"copilot-cli": {0, 20_000}, "@cline/core": {7000, 0}, "claude-code": {}, "unknown": {}} {
		if characters, bytes := ResultLimit(name); characters != want[0] || bytes != want[1] {
			t.Errorf("%s: %d characters, %d bytes", name, characters, bytes)
		}
	}
}

// TestHasSearchAndFetch checks names of ChatGPT that were recorded.
func TestHasSearchAndFetch(t *testing.T) {
	for name, want := range map[string]bool{
		"openai-mcp": true, "openai-mcp (ChatGPT)": true, "openai-mcp (Codex)": true, "OpenAI-MCP/1.0.0": true,
		"openai-agents-mcp": false, "codex-mcp-client": false, "claude-ai": false, "": false,
	} {
		if got := ExpectsSearchAndFetch(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
