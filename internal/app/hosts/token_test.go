package hosts

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTokenIsNamed checks that an entry for a server that requires a token says where the host gets
// it, that a second install changes nothing, and that uninstall restores the file.
func TestTokenIsNamed(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		for name, before := range files(h) {
			m := linux(t)
			write(t, h.ConfigFile(m), before)
			after := install(t, m, h, asks)
			if !strings.Contains(after, asks.TokenVariable) && !strings.Contains(after, TokenPlaceholder) && !strings.Contains(after, "vademecum-token") {
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

// TestTokenStays checks that a token that the user has written into an entry is kept for the same
// server, and not for another server or a folder.
func TestTokenStays(t *testing.T) {
	elsewhere := asks
	elsewhere.URL = "https://other.example.org/mcp"
	unasked := asks
	unasked.TokenVariable = ""
	withFile(t, func(t *testing.T, h Host) {
		for _, then := range []Server{elsewhere, notes} {
			m := linux(t)
			placed := strings.NewReplacer(TokenPlaceholder, "vdm_secret", asks.TokenVariable+"}", "vdm_secret}", "VADEMECUM_TOKEN'", "vdm_secret'", "vademecum-token}", "vdm_secret}", "secrets.VADEMECUM_TOKEN", "vdm_secret").Replace(install(t, m, h, asks))
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

// TestOwnHeaders checks that other headers are kept beside that of the token.
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

// TestOwnVariables checks that variables that the user has set are kept.
func TestOwnVariables(t *testing.T) {
	h, _ := FindHost("gemini")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"command": "/opt/vademecum", "env": {"OPENAI_API_KEY": "$MINE"}}}}`))
	if got := install(t, m, h, both); !strings.Contains(got, `"OPENAI_API_KEY": "$MINE"`) {
		t.Error(got)
	}
}

// TestInputs checks that only the input that the entry needs is added to those of VS Code, and
// removed with the entry.
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
		write(t, h.ConfigFile(m), []byte(strings.ReplaceAll(after, "other", "another"))) // so that the backup is not restored
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

// TestTokenGiven checks that a variable that the user names replaces the one in the entry and
// nothing else, and that an entry without a variable stays as it is.
func TestTokenGiven(t *testing.T) {
	given := asks
	given.TokenVariable, given.IsTokenVariableGiven = "MY_OWN", true
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		named := strings.Contains(install(t, m, h, asks), asks.TokenVariable) && !h.SupportsOnlyStdio()
		if after := install(t, m, h, given); strings.Contains(after, "MY_OWN") != named || named && strings.Contains(after, asks.TokenVariable) {
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

// TestPlaceOfToken checks that the placeholder of a token does not count as a token, so that the
// user is told to replace it.
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
