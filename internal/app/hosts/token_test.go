package hosts

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTokenIsNamed: an entry for a server that asks for a token says where the host has
// it from, a second time changes nothing, and afterwards all is as it was.
func TestTokenIsNamed(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		for name, before := range files(h) {
			m := linux(t)
			write(t, h.ConfigFile(m), before)
			after := install(t, m, h, asks)
			if !strings.Contains(after, asks.Token) && !strings.Contains(after, TokenPlaceholder) && !strings.Contains(after, "vademecum-token") {
				t.Errorf("%s: no token in\n%s", name, after)
			}
			if second := install(t, m, h, asks); second != after {
				t.Errorf("%s: the second time makes\n%s\nof\n%s", name, second, after)
			}
			uninstall(t, m, h)
			if restored := content(t, h.ConfigFile(m)); restored != string(before) {
				t.Errorf("%s: restored is\n%s\nand not\n%s", name, restored, before)
			}
		}
	})
}

// TestTokenStays: what somebody has written in the place of TokenPlaceholder, or has set by
// hand, stays for the same server, and is not taken to another one or to a folder.
func TestTokenStays(t *testing.T) {
	elsewhere := asks
	elsewhere.URL = "https://other.example.org/mcp"
	unasked := asks
	unasked.Token = ""
	withFile(t, func(t *testing.T, h Host) {
		for _, then := range []Server{elsewhere, notes} {
			m := linux(t)
			placed := strings.NewReplacer(TokenPlaceholder, "vdm_secret", asks.Token+"}", "vdm_secret}", "VADEMECUM_TOKEN'", "vdm_secret'", "vademecum-token}", "vdm_secret}", "secrets.VADEMECUM_TOKEN", "vdm_secret").Replace(install(t, m, h, asks))
			if !strings.Contains(placed, "vdm_secret") {
				t.Fatalf("no place for it in\n%s", placed)
			}
			write(t, h.ConfigFile(m), []byte(placed))
			for _, again := range []Server{asks, unasked} {
				if kept := install(t, m, h, again); !strings.Contains(kept, "vdm_secret") || strings.Contains(kept, TokenPlaceholder) {
					t.Errorf("of\n%s\nis kept\n%s", placed, kept)
				}
			}
			if moved := install(t, m, h, then); strings.Contains(moved, "vdm_secret") {
				t.Errorf("it is taken to %s%q:\n%s", then.URL, then.Args, moved)
			}
		}
	})
}

// TestOwnHeaders: other headers stay beside that of the token.
func TestOwnHeaders(t *testing.T) {
	h, _ := FindHost("cursor")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"url": "https://example.org/mcp", "headers": {"X-Team": "a"}}}}`))
	if got := install(t, m, h, asks); !strings.Contains(got, `"X-Team": "a"`) || !strings.Contains(got, `"Authorization": "Bearer ${env:VADEMECUM_TOKEN}"`) {
		t.Error(got)
	}
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"url": "https://example.org/mcp", "headers": {"authorization": "Basic a"}}}}`))
	if got := install(t, m, h, asks); strings.Contains(got, "Bearer") {
		t.Error(got)
	}
}

// TestOwnVariables: a variable that somebody has set stays as it is.
func TestOwnVariables(t *testing.T) {
	h, _ := FindHost("gemini")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"command": "/opt/vademecum", "env": {"OPENAI_API_KEY": "$MINE"}}}}`))
	if got := install(t, m, h, both); !strings.Contains(got, `"OPENAI_API_KEY": "$MINE"`) {
		t.Error(got)
	}
}

// TestInputs: of what VS Code asks its user for, only what the entry needs is added, and
// taken away with it.
func TestInputs(t *testing.T) {
	h, _ := FindHost("vscode")
	for _, before := range []string{
		"{\n  \"inputs\": [\n    {\"type\": \"promptString\", \"id\": \"other\"} // mine\n  ],\n  \"servers\": {\n    \"other\": {\"command\": \"npx\"}\n  }\n}\n",
		"{\n  \"inputs\": [\n    {\"id\": \"other\"},\n  ],\n}\n",
		"{\"inputs\": [{\"id\": \"other\"}]}",
	} {
		m := linux(t)
		write(t, h.ConfigFile(m), []byte(before))
		after := install(t, m, h, asks)
		if strings.Count(after, `"id"`) != 2 || !strings.Contains(after, `"id": "vademecum-token"`) {
			t.Errorf("%s\nbecomes\n%s", before, after)
		}
		write(t, h.ConfigFile(m), []byte(strings.ReplaceAll(after, "other", "another"))) // so that the backup is not brought back
		uninstall(t, m, h)
		if left := content(t, h.ConfigFile(m)); strings.Contains(left, "vademecum") || !strings.Contains(left, `"another"`) || strings.Contains(before, "// mine") != strings.Contains(left, "// mine") {
			t.Errorf("%s\nleaves\n%s", after, left)
		}
	}
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"inputs": [{"id": "vademecum-token", "description": "of mine"}]}`))
	if after := install(t, m, h, asks); strings.Count(after, `"id"`) != 1 || !strings.Contains(after, "of mine") {
		t.Error(after)
	}
	write(t, filepath.Join(h.ConfigFile(m)), []byte(`{"inputs": {}}`))
	if _, err := h.PlanAddEdit(m, asks); err == nil {
		t.Error("what is no list is taken for one")
	}
}

// TestTokenGiven: a variable that the user names takes the place of the one that the
// entry has, and of nothing else there. Where the entry names none, what is in it stays.
func TestTokenGiven(t *testing.T) {
	given := asks
	given.Token, given.IsTokenGiven = "MY_OWN", true
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		named := strings.Contains(install(t, m, h, asks), asks.Token) && !h.SupportsOnlyStdio()
		if after := install(t, m, h, given); strings.Contains(after, "MY_OWN") != named || named && strings.Contains(after, asks.Token) {
			t.Errorf("the name is not replaced:\n%s", after)
		}
		edit, err := h.PlanAddEdit(m, given)
		if err != nil || edit.HasChanges() || edit.KeepsToken() == (named || strings.Contains(content(t, h.ConfigFile(m)), TokenPlaceholder)) {
			t.Errorf("a second time: %v, %v\n%s", err, edit.KeepsToken(), edit.Diff())
		}
	})
	for host, before := range map[string]string{
		"cursor":   `{"mcpServers": {"vademecum": {"url": "https://example.org/mcp", "headers": {"X-Team": "a", "authorization": "Bearer ${env:OTHER}"}}}}`,
		"continue": "mcpServers:\n- name: vademecum\n  type: streamable-http\n  url: https://example.org/mcp\n  requestOptions:\n    timeout: 3\n    headers:\n      X-Team: a\n      Authorization: Bearer ${{ secrets.OTHER }}\n",
	} {
		h, m := hostNamed(t, host), linux(t)
		write(t, h.ConfigFile(m), []byte(before))
		if after := install(t, m, h, given); !strings.Contains(after, "X-Team") || !strings.Contains(after, "MY_OWN") || strings.Contains(after, "OTHER") || strings.Contains(before, "timeout") != strings.Contains(after, "timeout") {
			t.Errorf("%s: %s", host, after)
		}
	}
}

// TestPlaceOfToken: what holds the place of a token lets nobody in, so that its owner is
// told again to put one there.
func TestPlaceOfToken(t *testing.T) {
	moved := asks
	moved.URL += "2"
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		before := install(t, m, h, asks)
		edit, err := h.PlanAddEdit(m, moved)
		if holds := strings.Contains(before, TokenPlaceholder); err != nil || edit.KeepsToken() == holds {
			t.Errorf("%v: it keeps a token: %v, of\n%s", err, edit.KeepsToken(), before)
		}
	})
	h, m := hostNamed(t, "cursor"), linux(t)
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer YOUR_TOKEN"}}}}`))
	if after := install(t, m, h, asks); !strings.Contains(after, `"Bearer ${env:VADEMECUM_TOKEN}"`) {
		t.Error(after)
	}
}
