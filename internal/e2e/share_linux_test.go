package e2e

import (
	"bufio"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// shared is a program that shares a folder, and a proxy with a certificate in front of it, like a
// tunnel or another machine.
type shared struct {
	*exec.Cmd
	t        *testing.T
	proxy    *httptest.Server
	upstream atomic.Pointer[url.URL]
	sends    atomic.Pointer[string] // the token that the proxy adds to each request
	steps    chan string            // the lines on stdout
	stderr   strings.Builder
}

// share prepares a server with arguments that define how it is reached. It trusts the
// proxy's certificate if isTrusted is set.
func share(t *testing.T, isTrusted bool, arguments func(proxy string) []string) *shared {
	t.Helper()
	s := &shared{t: t, steps: make(chan string, 1000)}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to := s.upstream.Load()
		if to == nil {
			to = &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
		}
		r.SetURL(to)
		r.SetXForwarded()
		r.Out.Host = r.In.Host
		if token := s.sends.Load(); token != nil {
			r.Out.Header.Set("Authorization", "Bearer "+*token)
		}
	}}
	s.proxy = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // else it is closed with the first byte of an answer, while it is passed on
		if err != nil {
			return // the client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.proxy.Close)
	notes := t.TempDir()
	if err := os.WriteFile(filepath.Join(notes, "a.md"), []byte("# Asthma\n\nInhale twice a day.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	authority := filepath.Join(t.TempDir(), "authority.pem")
	if isTrusted {
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.proxy.Certificate().Raw})
		if err := os.WriteFile(authority, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.Cmd = vademecum(t, append([]string{"share", notes, ownIndex(t), "--ocr=off", "--http=127.0.0.1:0", "--log-level=warn"}, arguments(s.proxy.URL)...)...)
	s.Env = append(s.Env, "SSL_CERT_FILE="+authority, "SSL_CERT_DIR="+t.TempDir())
	s.Stderr = &s.stderr
	return s
}

// begin starts the program.
func (s *shared) begin() {
	s.t.Helper()
	pipe, err := s.StdoutPipe()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.Process.Kill() })
	go func() {
		defer close(s.steps)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			s.steps <- lines.Text()
		}
	}()
}

// until reads the steps up to one that matches, and returns what its group matches.
func (s *shared) until(pattern string) string {
	s.t.Helper()
	wanted := regexp.MustCompile(pattern)
	var all strings.Builder
	for line := range s.steps {
		all.WriteString(line + "\n")
		if m := wanted.FindStringSubmatch(line); m != nil {
			return m[len(m)-1]
		}
	}
	_ = s.Wait()
	s.t.Fatalf("no step is %s:\n%s%s", pattern, &all, &s.stderr)
	return ""
}

// lead makes the proxy forward requests to the server.
func (s *shared) lead(address string) {
	s.upstream.Store(&url.URL{Scheme: "http", Host: address})
}

// ends waits for the end of the program, and checks the exit code and stderr.
func (s *shared) ends(code int, said string) {
	s.t.Helper()
	for range s.steps {
	}
	_ = s.Wait()
	if got := s.ProcessState.ExitCode(); got != code || !strings.Contains(s.stderr.String(), said) {
		s.t.Errorf("exit code %d, want %d with %q: %s", got, code, said, &s.stderr)
	}
}

// TestShareByProxy: problems are reported until they are solved, then the token of the
// first step grants access at the printed address to a program, and to its owner on the
// page; nothing else does.
func TestShareByProxy(t *testing.T) {
	s := share(t, true, func(proxy string) []string { return []string{"--public-url", proxy} })
	s.begin()
	listens := s.until(`^2\. Address: https://127\.0\.0\.1:\d+, which must forward to (\S+)$`)
	s.until(`^3\. Your token, shown only once`)
	token := s.until(`^   (vdm_\S+)$`)
	s.until(`^4\. Not reachable yet: the server cannot be reached at .*502 Bad Gateway.*the proxy or tunnel must be running and forward to ` + regexp.QuoteMeta(listens))
	s.lead(listens)
	s.until(`^\d\. Checked from this machine: 127\.0\.0\.1 resolves, its certificate is valid`)
	if at := s.until(`^   (https://\S+/mcp)$`); at != s.proxy.URL+"/mcp" {
		t.Errorf("the URL to paste is %s", at)
	}
	s.until(`^\d\. ChatGPT: `)
	s.until(`Ctrl-C ends it`)
	through := s.proxy.Client()
	refused, err := through.Post(s.proxy.URL+"/mcp", "application/json", strings.NewReader(beginSession))
	if err != nil {
		t.Fatal(err)
	}
	if _ = bodyOf(t, refused); refused.StatusCode != http.StatusUnauthorized {
		t.Errorf("whoever has no token is answered %s", refused.Status)
	}
	c := connectHTTP(t, s.proxy.URL, "2025-11-25", &http.Client{Transport: withToken{token, through.Transport}})
	if answer := c.mustTool("retrieve_docs", map[string]any{"query": "how often to inhale"}); !strings.Contains(answer, "twice a day") {
		t.Errorf("it answers %s", answer)
	}
	_ = c.Close()
	me := &consenting{visitor: visit(t, &httpServer{url: s.proxy.URL})}
	me.Transport = through.Transport
	me.signIn(token)
	session, err := me.connectSignedIn("2025-11-25", me.handler())
	if err != nil {
		t.Fatalf("a program that is given the URL alone: %v", err)
	}
	if answer := mustCall(t, session, "retrieve_docs", map[string]any{"query": "how often to inhale"}); !strings.Contains(answer, "twice a day") {
		t.Errorf("it answers %s", answer)
	}
	_ = session.Close()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.ends(0, "")
}

// fakeTunnel puts a program called ngrok on the PATH of the command, which prints its
// process ID and an address, and runs until it is ended.
func (s *shared) fakeTunnel() {
	s.t.Helper()
	s.scriptTunnel(fmt.Sprintf("echo pid=$$\necho 'lvl=info msg=\"started tunnel\" url=%s'\nexec sleep 1000\n", s.proxy.URL))
}

// scriptTunnel puts a program called ngrok on the PATH of the command.
func (s *shared) scriptTunnel(script string) {
	s.t.Helper()
	dir := s.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ngrok"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.Env = append(s.Env, "PATH="+dir+":"+os.Getenv("PATH"))
}

// TestShareByTunnel checks that the tunnel program is started before the server and ends with it,
// and that the server ends if it ends first.
func TestShareByTunnel(t *testing.T) {
	for _, endsFirst := range []bool{false, true} {
		s := share(t, true, func(string) []string { return []string{"--tunnel", "ngrok"} })
		s.fakeTunnel()
		s.begin()
		s.lead(s.until(`^starting: ngrok http (127\.0\.0\.1:\d+) --log stdout$`))
		pid, err := strconv.Atoi(s.until(`^  pid=(\d+)$`))
		if err != nil {
			t.Fatal(err)
		}
		s.until(`^2\. Address: ` + regexp.QuoteMeta(s.proxy.URL) + `, by ngrok`)
		s.until(`Checked from this machine`)
		s.until(`Ctrl-C ends it`)
		if endsFirst {
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.ends(1, "vademecum: ngrok has exited; its last output was: ")
			continue
		}
		if group, err := syscall.Getpgid(pid); err != nil || group != pid {
			t.Errorf("Ctrl-C would end the tunnel before the server: it is in the process group %d, %v", group, err)
		}
		if err := s.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		s.ends(0, "")
		if err := syscall.Kill(pid, 0); err == nil {
			t.Error("the tunnel has outlived the server")
		}
	}
}

// TestShareStandsOpen checks that the server is ended if a proxy admits everyone.
func TestShareStandsOpen(t *testing.T) {
	s := share(t, true, func(proxy string) []string { return []string{"--public-url", proxy} })
	s.begin()
	listens := s.until(`which must forward to (\S+)$`)
	token := s.until(`^   (vdm_\S+)$`)
	s.sends.Store(&token)
	s.lead(listens)
	s.ends(1, "answers requests without a token")
}

// TestShareFaults: each fault of an address is reported in a sentence, with advice.
func TestShareFaults(t *testing.T) {
	elsewhere := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(elsewhere.Close)
	another := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.Header().Set("Vademecum-Instance", "ANOTHER")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(another.Close)
	for name, c := range map[string]struct {
		isTrusted bool
		url       func(proxy string) string
		said      string
	}{
		"certificate": {false, func(proxy string) string { return proxy }, `the certificate of 127\.0\.0\.1:\d+ is not trusted .*: the proxy needs one from a public authority`},
		"name":        {true, func(string) string { return "https://kb.nowhere.invalid" }, `the name kb\.nowhere\.invalid does not resolve .*: it needs a DNS entry`},
		"elsewhere":   {true, func(string) string { return elsewhere.URL }, `something else answers at .*/mcp \(404 Not Found\): the proxy or tunnel must forward to 127\.0\.0\.1:\d+, with the paths unchanged`},
		"another":     {true, func(string) string { return another.URL }, `another server answers at .*/mcp: the proxy or tunnel must forward to 127\.0\.0\.1:\d+`},
	} {
		t.Run(name, func(t *testing.T) {
			s := share(t, c.isTrusted, func(proxy string) []string { return []string{"--public-url", c.url(proxy)} })
			s.begin()
			s.until(`^4\. Not reachable yet: ` + c.said + `.* Checking again every 3 seconds$`)
			if err := s.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.ends(0, "")
		})
	}
}

// TestSharePortInUse checks that a tunnel never leads to another program on the port.
func TestSharePortInUse(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	s := share(t, true, func(string) []string {
		return []string{"--tunnel", "ngrok", "--http", strings.TrimPrefix(other.URL, "http://")}
	})
	s.fakeTunnel()
	s.begin()
	for line := range s.steps {
		t.Errorf("it says %s", line)
	}
	s.ends(2, "another program already uses ")
}

// refused runs the program with environment variables, and checks its exit code and output.
func refused(t *testing.T, code int, environment []string, said []string, arguments ...string) {
	t.Helper()
	c := vademecum(t, arguments...)
	c.Env = append(c.Env, environment...)
	text, _ := c.CombinedOutput()
	for _, want := range said {
		if !strings.Contains(string(text), want) {
			t.Errorf("%v does not say %q:\n%s", arguments, want, text)
		}
	}
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%v: exit code %d, want %d: %s", arguments, got, code, text)
	}
}

// TestSharePrivate checks that a home folder, or a folder that contains it, is not shared under any
// name, that folders within it can be, and that the key of grants is never served.
func TestSharePrivate(t *testing.T) {
	homes := t.TempDir()
	home, link := filepath.Join(homes, "me"), filepath.Join(t.TempDir(), "link")
	for _, dir := range []string{"notes", "conf/vademecum", ".conf/vademecum"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	const nowhere = "--public-url=https://kb.nowhere.invalid"
	for _, dir := range []string{home, homes, link, home + "/notes/.."} {
		refused(t, 2, []string{"HOME=" + home}, []string{"contains your home folder", "hint: name the folder with the documents"}, "share", dir, nowhere)
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	refused(t, 0, nil, nil, "token", "new", "me", "--tokens", tokens)
	serve := func(dir string) []string {
		return []string{"serve", "--http=127.0.0.1:0", "--sign-in", "--tokens", tokens, ownIndex(t), dir}
	}
	refused(t, 2, []string{"XDG_CONFIG_HOME=" + home + "/conf"}, []string{"conf/vademecum is within " + home, "the key that signs them"}, serve(home)...)
	refused(t, 2, []string{"XDG_CONFIG_HOME=" + home + "/conf"}, []string{"conf/vademecum is within " + home}, serve(home+"/conf/vademecum")...)
	hidden := vademecum(t, serve(home)...) // nothing hidden is indexed
	hidden.Env = append(hidden.Env, "XDG_CONFIG_HOME="+home+"/.conf")
	said, err := hidden.StderrPipe()
	if err == nil {
		err = hidden.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hidden.Process.Kill(); _ = hidden.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "MCP at http://127.0.0.1:") {
		if strings.Contains(lines.Text(), "is within") {
			t.Fatal(lines.Text())
		}
	}
}

// TestShareUnwritable: where nothing can be saved, advice is printed.
func TestShareUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const nowhere = "--public-url=https://kb.nowhere.invalid"
	tokens := filepath.Join(t.TempDir(), "tokens")
	at := []string{"share", t.TempDir(), nowhere, "--http=127.0.0.1:0", ownIndex(t)}
	refused(t, 2, nil, []string{" is still empty: is it the right folder?", "the first token cannot be saved", "hint: give a file that you can write to: --tokens FILE"}, append(at, "--tokens", filepath.Join(t.TempDir(), "none", "tokens"))...)
	refused(t, 2, []string{"XDG_CONFIG_HOME=" + file}, []string{"there is no place for the tokens", "hint: name a file: --tokens FILE"}, at...)
	refused(t, 2, []string{"XDG_CONFIG_HOME=" + file}, []string{"grants cannot be saved", "hint: the user who runs this must be able to write in " + file}, append(at, "--tokens", tokens)...)
}

// TestShareWays: without a flag all ways are listed with their commands, and nothing is
// started.
func TestShareWays(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"nginx", "caddy", "cloudflared"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho started\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := vademecum(t, "share", t.TempDir(), "--http=8799")
	c.Env = append(c.Env, "PATH="+dir)
	text, _ := c.CombinedOutput()
	said := string(text)
	for _, want := range []string{
		"Cloudflare Tunnel, which is installed", "runs: cloudflared tunnel --url http://127.0.0.1:8799",
		"in /etc/caddy/Caddyfile:\n   kb.example.com {\n   \treverse_proxy 127.0.0.1:8799\n   }\n   and then: sudo systemctl reload caddy\n",
		"the certificate: sudo certbot certonly --nginx -d kb.example.com", "in /etc/nginx/conf.d/vademecum.conf:\n   server {\n   \tlisten 443 ssl;", "proxy_pass http://127.0.0.1:8799;", "sudo nginx -t && sudo systemctl reload nginx",
		"Tailscale Funnel, which is not installed", "--public-url https://kb.example.com", "hint: give --tunnel PROGRAM, or --public-url URL",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if c.ProcessState.ExitCode() != 2 || strings.Contains(said, "started") {
		t.Errorf("exit code %d: %s", c.ProcessState.ExitCode(), said)
	}
}

// TestShareInterrupted: Ctrl-C ends share without an error, also while it waits for its tunnel.
func TestShareInterrupted(t *testing.T) {
	s := share(t, true, func(string) []string { return []string{"--tunnel", "ngrok"} })
	s.scriptTunnel("echo waiting; exec sleep 1000")
	s.begin()
	s.until(`^  waiting$`)
	if err := s.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.ends(0, "")
}

// TestShareTunnelFails: advice is printed where a tunnel ends unexpectedly, and where its name
// is unknown yet.
func TestShareTunnelFails(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'ERROR:  ERR_NGROK_4018'; echo 'ERROR:'; exit 1": "ERR_NGROK_4018\nhint: give it your authtoken",
		"exit 3": "ngrok has exited: exit status 3\nhint: run it on its own to see why: ngrok http 127.0.0.1:",
	} {
		s := share(t, true, func(string) []string { return []string{"--tunnel", "ngrok"} })
		s.scriptTunnel(script)
		s.begin()
		s.ends(1, want)
	}
	s := share(t, true, func(string) []string { return []string{"--tunnel", "ngrok"} })
	s.scriptTunnel("echo 'msg=\"started tunnel\" url=https://kb.nowhere.invalid'; exec sleep 1000")
	s.begin()
	s.until(`^4\. Not reachable yet: the name kb\.nowhere\.invalid is not known yet .*: a new one takes up to ten minutes; if it still fails then, stop this with Ctrl-C and start it again`)
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.ends(0, "")
}
