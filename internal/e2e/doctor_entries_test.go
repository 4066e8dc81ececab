package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// finding is a finding of doctor.
type finding struct{ Level, About, Says, Advice string }

// examineHost runs doctor on a host whose file has an entry, and returns its finding.
func examineHost(t *testing.T, file, text string, env ...string) finding {
	t.Helper()
	return examineNamed(t, "vademecum", file, text, env...)
}

// examineNamed is examineHost for an entry with a name.
func examineNamed(t *testing.T, name, file, text string, env ...string) finding {
	t.Helper()
	home := t.TempDir()
	writeText(t, filepath.Join(home, filepath.FromSlash(file)), text)
	c := vademecum(t, "doctor", "--json")
	c.Env = append(c.Env, "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME="+t.TempDir(), "CODEX_HOME=", "CLAUDE_CONFIG_DIR=", "GEMINI_CLI_HOME=", "QWEN_HOME=")
	c.Env = append(c.Env, env...)
	out, _ := c.Output() // it exits with 1 when something is at fault
	var all struct{ Findings []finding }
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	for _, f := range all.Findings {
		if f.About == "host" && strings.Contains(f.Says, `"`+name+`"`) {
			return f
		}
	}
	t.Fatalf("it says nothing of the entry: %s", out)
	return finding{}
}

// claudeEntry returns a file of Claude Code, which passes its whole environment to its servers.
func claudeEntry(t *testing.T, entry map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"vademecum": entry}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestDoctorAsksURLs: an entry with a URL is in order if the server there accepts its
// credentials.
func TestDoctorAsksURLs(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	writeCertificate(t, cert, key, 1)
	open := serveHTTP(t, ownIndex(t), dir)
	closed := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	secure := serveHTTP(t, "--tls-cert", cert, "--tls-key", key, ownIndex(t), dir)
	secureURL := strings.Replace(secure.url, "127.0.0.1", "localhost", 1) + "/mcp"
	at := func(url, authorization string) map[string]any {
		e := map[string]any{"type": "http", "url": url}
		if authorization != "" {
			e["headers"] = map[string]string{"Authorization": authorization}
		}
		return e
	}
	connect := func(url string) map[string]any {
		exe, _ := os.Executable()
		return map[string]any{"command": exe, "args": []string{"connect", url}}
	}
	for _, c := range []struct {
		what         string
		entry        map[string]any
		env          string
		level        string
		says, advice string
	}{
		{"right", at(open.url+"/mcp", ""), "", "ok", "by its URL", ""},
		{"without the path", at(open.url, ""), "", "fault", "the server answers 404 Not Found", "give " + open.url + "/mcp, which answers"},
		{"connect without the path", connect(open.url), "", "fault", "; a server of this program is at " + open.url + "/mcp", "give " + open.url + "/mcp, which answers"},
		{"without a token", at(closed.url+"/mcp", ""), "", "fault", "it asks for a token, and none is sent", "Authorization: Bearer YOUR_TOKEN"},
		{"https for http", at("https"+strings.TrimPrefix(closed.url, "http")+"/mcp", "Bearer "+token), "", "fault", "HTTP response to HTTPS client", "did you mean " + closed.url + "/mcp?"},
		{"http for https", at("http"+strings.TrimPrefix(secureURL, "https"), ""), "", "fault", "400", "did you mean " + secureURL + "?"},
		{"connect with https for http", connect("https" + strings.TrimPrefix(open.url, "http") + "/mcp"), "", "fault", "HTTP response to HTTPS client", "did you mean " + open.url + "/mcp?"},
		{"connect without a token", connect(closed.url + "/mcp"), "", "fault", "VADEMECUM_TOKEN is not set", "put the token as VADEMECUM_TOKEN under env"},
		{"connect with the place of one", connect(closed.url + "/mcp"), "VADEMECUM_TOKEN=YOUR_TOKEN", "fault", "the entry still has YOUR_TOKEN", "put your token in its place"},
		{"with the place of a token", at(closed.url+"/mcp", "Bearer YOUR_TOKEN"), "", "fault", "the entry still has YOUR_TOKEN", "put your token in its place"},
		{"with a wrong token", at(closed.url+"/mcp", "Bearer vdm_wrong"), "", "fault", "401 Unauthorized", "a valid token"},
		{"with a wrong token by name", at(closed.url+"/mcp", "Bearer ${MY_OWN}"), "MY_OWN=vdm_wrong", "fault", "401 Unauthorized", "a valid token into MY_OWN"},
		{"connect with a wrong token", connect(closed.url + "/mcp"), "VADEMECUM_TOKEN=vdm_wrong", "fault", "", "a valid token into VADEMECUM_TOKEN"},
		{"with a token", at(closed.url+"/mcp", "Bearer "+token), "", "ok", "by its URL", ""},
		{"with a token by name", at(closed.url+"/mcp", "Bearer ${MY_OWN}"), "MY_OWN=" + token, "ok", "by its URL", ""},
		{"an authority of one's own", at(secureURL, ""), "", "fault", "the certificate of the server is not trusted", "NODE_EXTRA_CA_CERTS"},
		{"an authority that is named", at(secureURL, ""), "NODE_EXTRA_CA_CERTS=" + cert, "ok", "by its URL", ""},
	} {
		f := examineHost(t, ".claude.json", claudeEntry(t, c.entry), c.env)
		if f.Level != c.level || !strings.Contains(f.Says, c.says) || !strings.Contains(f.Advice, c.advice) {
			t.Errorf("%s: %+v", c.what, f)
		}
		if strings.Contains(fmt.Sprint(f), token) || strings.Contains(fmt.Sprint(f), "vdm_wrong") {
			t.Errorf("%s: a token is told: %+v", c.what, f)
		}
	}
}

// TestDoctorTellsOfTokens checks what doctor reports on entries that install has written: what is
// wrong with their tokens, and that nothing is once they are corrected.
func TestDoctorTellsOfTokens(t *testing.T) {
	skipUnderRace(t) // doctor waits 5 s for a server
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	closed := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	home := t.TempDir()
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "APPDATA=" + home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=" + t.TempDir(), "CODEX_HOME=", "CLAUDE_CONFIG_DIR=", "GEMINI_CLI_HOME=", "QWEN_HOME=", "CLINE_DIR=", "PATH=", "VADEMECUM_TOKEN=", asProgram + "=1"}
	named := map[string]string{"claude-code": "Claude Code", "gemini": "Gemini CLI", "qwen": "Qwen Code", "opencode": "opencode", "cursor": "Cursor", "windsurf": "Windsurf", "codex": "Codex", "continue": "Continue"}
	placed := map[string]string{"zed": "Zed", "goose": "Goose"}
	haveHosts(t, home)
	for _, all := range []map[string]string{named, placed} {
		for host := range all {
			c := vademecum(t, "install", host, "--url", closed.url+"/mcp")
			c.Env = append(c.Env, env...)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v, %s", host, err, out)
			}
		}
	}
	findings := func(env ...string) map[string]finding {
		c := vademecum(t, "doctor", "--json")
		c.Env = append(c.Env, env...)
		out, _ := c.Output() // it exits with 1 when something is at fault
		var all struct{ Findings []finding }
		if err := json.Unmarshal(out, &all); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		of := map[string]finding{}
		for _, f := range all.Findings {
			for _, hosts := range []map[string]string{named, placed} {
				for _, title := range hosts {
					if f.About == "host" && strings.HasPrefix(f.Says, title) {
						of[title] = f
					}
				}
			}
		}
		return of
	}
	unset := findings(env...)
	for host, title := range named {
		advice := "set it where " + title + " is started (and here, for doctor)"
		if host == "continue" {
			advice = "put the line VADEMECUM_TOKEN=YOUR_TOKEN"
		}
		if f := unset[title]; f.Level != "fault" || !strings.Contains(f.Says, ": VADEMECUM_TOKEN is not set") || !strings.Contains(f.Advice, advice) {
			t.Errorf("%s: %+v", title, f)
		}
	}
	for _, title := range placed {
		if f := unset[title]; f.Level != "fault" || !strings.Contains(f.Says, "the entry still has YOUR_TOKEN") {
			t.Errorf("%s: %+v", title, f)
		}
	}
	writeText(t, filepath.Join(home, ".continue", ".env"), "VADEMECUM_TOKEN="+token+"\n")
	set := findings(append(env, "VADEMECUM_TOKEN="+token)...)
	for _, title := range named {
		if f := set[title]; f.Level != "ok" {
			t.Errorf("%s, with a token: %+v", title, f)
		}
	}
}

// TestDoctorReadsArguments: doctor starts only commands that serve a host, and reports a
// faulty entry with the command that repairs it.
func TestDoctorReadsArguments(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	exe, _ := os.Executable()
	made := filepath.Join(t.TempDir(), "made")
	for _, c := range []struct {
		what         string
		entry        map[string]any
		says, advice string
	}{
		{"another command", map[string]any{"command": exe, "args": []string{"token", "new", "mallory", "--tokens", made}}, "it starts vademecum token, and a host needs serve or connect", "vademecum install claude-code FOLDER writes it again"},
		{"a flag before it", map[string]any{"command": exe, "args": []string{"--log-level", "debug", "token", "new", "mallory", "--tokens", made}}, "a host needs serve or connect", ""},
		{"by another program", map[string]any{"command": "env", "args": []string{"vademecum", "token", "new", "mallory", "--tokens", made}}, "a host needs serve or connect", ""},
		{"over HTTP", map[string]any{"command": exe, "args": []string{"serve", "--http", dir}}, "it serves over HTTP", "leave --http out"},
		{"over HTTP, with an address", map[string]any{"command": exe, "args": []string{"serve", "--http=127.0.0.1:0", dir}}, "it serves over HTTP", "leave --http out"},
		{"a text", map[string]any{"command": exe, "args": "serve " + dir}, "args must be a list", "install claude-code FOLDER"},
		{"a list", map[string]any{"command": []string{exe, "serve", dir}}, "args a list", "install claude-code " + dir},
		{"a folder that there is", map[string]any{"command": "/nowhere/vademecum", "args": []string{"serve", "/nowhere/notes", dir, "--log-level", "debug"}}, "is not there", "install claude-code " + dir + " writes"},
		{"a URL", map[string]any{"command": "/nowhere/vademecum", "args": []string{"connect", "http://127.0.0.1:9/mcp"}}, "is not there", "install claude-code --url URL writes"},
	} {
		f := examineHost(t, ".claude.json", claudeEntry(t, c.entry))
		if f.Level != "fault" || !strings.Contains(f.Says, c.says) || !strings.Contains(f.Advice, c.advice) {
			t.Errorf("%s: %+v", c.what, f)
		}
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("it was started")
	}
	text := claudeEntry(t, map[string]any{"command": "/nowhere/vademecum", "args": []string{"serve", dir}})
	named := strings.Replace(text, `"vademecum":`, `"our-vademecum":`, 1)
	if f := examineNamed(t, "our-vademecum", ".claude.json", named); !strings.Contains(f.Advice, "install claude-code "+dir+" --name our-vademecum") {
		t.Errorf("another name: %+v", f)
	}
	if f := examineHost(t, ".config/opencode/opencode.json", `{"mcp": {"vademecum": {"type": "local", "command": "vademecum serve"}}}`); f.Level != "fault" || !strings.Contains(f.Says, "command must be a list") {
		t.Errorf("opencode: %+v", f)
	}
}

// TestDoctorGivesEnvironment checks that a started program has the environment that its host
// passes, which for Codex is little of that of the shell.
func TestDoctorGivesEnvironment(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	toml := fmt.Sprintf("[mcp_servers.vademecum]\ncommand = %q\nargs = [\"serve\", %q, \"--embed\", \"openai:text-embedding-3-small\"]\nenv = { %s = \"1\", XDG_CACHE_HOME = %q }\n", exe, dir, asProgram, t.TempDir())
	for added, level := range map[string]string{"": "fault", "env_vars = [\"OPENAI_API_KEY\"]\n": "ok"} {
		f := examineHost(t, ".codex/config.toml", toml+added, "OPENAI_API_KEY=dummy", "VADEMECUM_API_KEY=")
		if f.Level != level || level == "fault" && !strings.Contains(f.Says, "set OPENAI_API_KEY") {
			t.Errorf("with %q: %+v", added, f)
		}
	}
}
