package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web/page"
	"vademecum/internal/app/web/signin"
)

// pagePaths are paths that browsers request.
var pagePaths = []string{
	"/", "/search?q=spacer", "/doc?path=asthma.md", "/picture?ref=asthma.md", "/open?ticket=x", "/library", "/library/state", "/library/documents", "/library/skipped", "/add", "/try", "/try?q=spacer", "/try/figures", "/sign-in", "/events", "/assets/style.css", "/nowhere",
}

// get requests a page on a connection of its own, and returns the status.
func (a *attacked) get(path, header string) int {
	a.t.Helper()
	conn := a.dial("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header + "\r\n")
	defer conn.Close()
	return status(conn)
}

// leavingClient returns a client that follows redirects and keeps no connections.
func leavingClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// TestPagesAreGuarded checks that pages are reached only under the names of the server, and that
// pages of other hosts can neither load nor frame them.
func TestPagesAreGuarded(t *testing.T) {
	a := attack(t, Options{pace: patient})
	for _, path := range pagePaths {
		for name, header := range map[string]string{
			"another page": "Origin: https://evil.example.com\r\n", "another port": "Origin: http://localhost:3000\r\n", "nobody": "Origin: null\r\n", "an image": "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n",
			"a frame": "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n", "two origins": "Origin: http://localhost\r\nOrigin: http://localhost\r\n",
		} {
			if got := a.get(path, header); got != http.StatusForbidden {
				t.Errorf("%s for %s: %d", path, name, got)
			}
		}
		conn := a.dial("GET " + path + " HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n")
		if got := status(conn); got != http.StatusForbidden {
			t.Errorf("%s of another host: %d", path, got)
		}
		_ = conn.Close()
	}
	if got := a.get("/library", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"); got != http.StatusOK {
		t.Errorf("a link leads to %d", got)
	}
	if got := a.get("/search?q="+strings.Repeat("a", 1<<20), ""); got != http.StatusRequestHeaderFieldsTooLarge && got != http.StatusRequestURITooLong && got != 0 { // or it is hung up on
		t.Errorf("a question of 1 MB: %d", got)
	}
	a.settle()
}

// TestCookieOpensPagesOnly checks that a session cookie gives access neither to MCP nor to the
// metrics, and that a token, anywhere in a request, opens no page.
func TestCookieOpensPagesOnly(t *testing.T) {
	authenticator := &checker{}
	a := attack(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{authenticator}}, pace: patient})
	client := leavingClient()
	answer, err := client.PostForm("http://"+a.at+"/sign-in", url.Values{"token": {"x"}})
	if err != nil || answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("%v, %v", answer, err)
	}
	_ = answer.Body.Close()
	c := answer.Cookies()[0]
	_, port, _ := strings.Cut(a.at, ":")
	cookie := "Host: 127.0.0.1:" + port + "\r\nCookie: " + c.Name + "=" + c.Value + "\r\nConnection: close\r\n"
	ask := func(request string) int {
		conn := a.dial(request)
		defer conn.Close()
		return status(conn)
	}
	for path, want := range map[string]int{"/library": http.StatusOK, "/metrics": http.StatusUnauthorized, "/sse": http.StatusUnauthorized, "/mcp": http.StatusUnauthorized} {
		if got := ask("GET " + path + " HTTP/1.1\r\n" + cookie + "\r\n"); got != want {
			t.Errorf("%s with the cookie: %d, want %d", path, got, want)
		}
	}
	if got := ask(strings.Replace(posts(listOnce, cookie), "Host: localhost\r\n", "", 1)); got != http.StatusUnauthorized {
		t.Errorf("a message with the cookie: %d", got)
	}
	for _, request := range []string{
		"GET /library?token=x&access_token=x HTTP/1.1\r\nHost: localhost\r\n", "GET /library HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n",
		"GET /library HTTP/1.1\r\nHost: localhost\r\nCookie: " + c.Name + "=x; vademecum=x; __Host-vademecum=x\r\n",
	} {
		if got := ask(request + "Connection: close\r\n\r\n"); got != http.StatusSeeOther {
			t.Errorf("%q: %d", request, got)
		}
	}
	authenticator.closed.Store(true)
	if got := ask("GET /library HTTP/1.1\r\n" + cookie + "\r\n"); got != http.StatusSeeOther {
		t.Errorf("when the token is gone: %d", got)
	}
	a.settle()
}

// TestPageStreams checks that streams of browsers are limited, end when their user loses access,
// and leave nothing behind.
func TestPageStreams(t *testing.T) {
	a := attack(t, Options{})
	for i := range 20 {
		conn := a.dial("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if i%2 == 0 {
			if got := status(conn); got != http.StatusOK {
				t.Errorf("a stream gets %d", got)
			}
		}
		_ = conn.Close()
	}
	a.settle()
	if n := a.over.streams.InUse(); n != 0 {
		t.Errorf("%d streams are held", n)
	}
}

// TestPageStreamsOfWhoIsOut checks that a stream of a browser ends with its session.
func TestPageStreamsOfWhoIsOut(t *testing.T) {
	authenticator := &checker{}
	a := attack(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{authenticator}}, pace: patient})
	client := leavingClient()
	answer, err := client.PostForm("http://"+a.at+"/sign-in", url.Values{"token": {"x"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.at+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(answer.Cookies()[0])
	stream, err := client.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", stream, err)
	}
	defer stream.Body.Close()
	if n := a.over.streams.InUse(); n != 1 {
		t.Errorf("%d streams are counted", n)
	}
	authenticator.closed.Store(true)
	for buffer := make([]byte, 1024); err == nil; {
		_, err = stream.Body.Read(buffer)
	}
	if ctx.Err() != nil {
		t.Error("the stream goes on")
	}
	a.settle()
}

// TestIsSecure checks which requests count as encrypted: those to the HTTPS address, with or
// without its port, and not those to another port.
func TestIsSecure(t *testing.T) {
	for _, one := range []struct {
		public, host string
		want         bool
	}{
		{"https://kb.test:8443", "kb.test:8443", true},
		{"https://kb.test:8443", "kb.test", true}, // as nginx passes it in $host
		{"https://kb.test:8443", "kb.test:8765", false},
		{"https://kb.test", "kb.test", true},
		{"https://kb.test", "kb.test:443", true},
		{"https://kb.test", "KB.test.", true},
		{"https://kb.test", "kb.test:8765", false},
		{"https://kb.test", "other.test", false},
		{"https://kb.test", "", false},
		{"https://localhost", "localhost", false},
		{"http://kb.test", "kb.test", false},
	} {
		s := &Server{o: Options{PublicURL: one.public}}
		if got := s.isSecure(&http.Request{Host: one.host}); got != one.want {
			t.Errorf("%s for %s: %v", one.host, one.public, got)
		}
	}
}

// TestAddIsGuarded checks that only the page itself, under the server's own names and on the user's
// own machine, can change the configuration of a host.
func TestAddIsGuarded(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".cursor", "mcp.json")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	none := func(string) string { return "" }
	a := attack(t, Options{pace: patient, ServerDescription: page.ServerDescription{
		IsForLocalUser: true, LocalServer: hosts.Server{EntryName: "vademecum", Program: "/bin/vademecum"}, Machine: &hosts.Machine{GOOS: "linux", HomeDir: home, EnvironmentVariable: none, FindCommand: none},
	}})
	answer, err := leavingClient().Get("http://" + a.at + "/add")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	key := regexp.MustCompile(`value="cursor"><input type="hidden" name="do" value="add"><input type="hidden" name="key" value="([0-9a-f]+)"`).FindSubmatch(shown)
	if runtime.GOOS != "linux" { // other systems do not show the owner of a connection
		if key != nil {
			t.Errorf("it is shown to everybody:\n%s", shown)
		}
		return
	}
	if err != nil || key == nil {
		t.Fatalf("%v\n%s", err, shown)
	}
	form := url.Values{"host": {"cursor"}, "do": {"add"}, "key": {string(key[1])}}.Encode()
	send := func(host, header string) int {
		conn := a.dial(fmt.Sprintf("POST /add HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s", host, header, len(form), form))
		defer conn.Close()
		return status(conn)
	}
	_, port, _ := strings.Cut(a.at, ":")
	for name, tried := range map[string][2]string{
		"another name for the machine": {"evil.example.com:" + port, "Origin: http://evil.example.com:" + port + "\r\nSec-Fetch-Site: same-origin\r\n"},
		"another name, without Origin": {"evil.example.com", ""},
		"another origin":               {"localhost", "Origin: https://evil.example.com\r\n"},
		"another port":                 {"localhost", "Origin: http://localhost:3000\r\n"},
		"another site":                 {"localhost", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"},
		"two origins":                  {"localhost", "Origin: http://localhost\r\nOrigin: http://localhost\r\n"},
		"a proxy":                      {"localhost", "Via: 1.1 x\r\n"},
	} {
		if got := send(tried[0], tried[1]); got != http.StatusForbidden {
			t.Errorf("%s: %d", name, got)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "{}" {
			t.Fatalf("%s: %s, %v", name, text, err)
		}
	}
	if got := send("localhost", "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n"); got != http.StatusSeeOther {
		t.Errorf("the page itself: %d", got)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "/bin/vademecum") {
		t.Errorf("nothing was added: %s, %v", text, err)
	}
	a.settle()
}
