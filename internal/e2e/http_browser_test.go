package e2e

import (
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin/signintest"
)

// keptServer is a server that can be restarted at the same port with the same configuration.
type keptServer struct {
	*httpServer
	config string
	args   []string
}

func newKeptServer(t *testing.T, args ...string) *keptServer {
	t.Helper()
	s := &keptServer{config: t.TempDir(), args: append([]string{"serve", "--http=127.0.0.1:0", "--log-level=debug"}, args...)}
	s.httpServer = startHTTP(t, s.command(t))
	s.args[1] = "--http=" + strings.TrimPrefix(s.url, "http://")
	return s
}

func (s *keptServer) command(t *testing.T) *exec.Cmd {
	c := vademecum(t, s.args...)
	c.Env = append(c.Env, "XDG_CONFIG_HOME="+s.config, "HOME="+s.config, "AppData="+s.config, "KB_SECRET=s3cret+/=")
	return c
}

// restart kills the server, calls between, starts the server again, and returns the log of the
// killed one.
func (s *keptServer) restart(t *testing.T, between func()) string {
	t.Helper()
	_ = s.cmd.Process.Kill()
	said := s.log()
	_ = s.cmd.Wait()
	between()
	s.httpServer = startHTTP(t, s.command(t))
	return said
}

// key returns the path of the file with the key of the sessions.
func (s *keptServer) key(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{s.config, filepath.Join(s.config, "Library", "Application Support")} {
		if file := filepath.Join(dir, "vademecum", "sessions", "key"); fileExists(file) {
			return file
		}
	}
	t.Fatal("there is no key in the configuration folder")
	return ""
}

func fileExists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func nothing() {}

// isIn reports whether a browser is signed in.
func (v *visitor) isIn() bool {
	v.t.Helper()
	return strings.Contains(v.page("/library"), `action="/sign-out"`)
}

// keptCookies returns a copy of the browser's present cookies.
func (v *visitor) keptCookies() string {
	at, err := url.Parse(v.url)
	if err != nil {
		v.t.Fatal(err)
	}
	var all []string
	for _, c := range v.Jar.Cookies(at) {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

// letsIn reports whether a server accepts cookies.
func (s *keptServer) letsIn(t *testing.T, cookies string) bool {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/library", nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(bodyOf(t, rawDo(t, r, map[string]string{"Cookie": cookies})), `action="/sign-out"`)
}

// TestHTTPSessionsOutlast: users stay signed in over a restart, but not those who signed out,
// whose token was revoked, or whose cookie is forged; only its owner can read the key, and a
// damaged one is replaced, which is logged.
func TestHTTPSessionsOutlast(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := newKeptServer(t, "--tokens", tokens, ownIndex(t), dir)
	stays, revoked, goes := visit(t, s.httpServer), visit(t, s.httpServer), visit(t, s.httpServer)
	stays.signIn(alice)
	revoked.signIn(bob)
	goes.signIn(alice)
	replayed := goes.keptCookies()
	if !stays.isIn() || !revoked.isIn() || !s.letsIn(t, replayed) {
		t.Fatal("nobody is signed in")
	}
	answer, err := goes.PostForm(s.url+"/sign-out", nil)
	goes.read(answer, err)
	if s.letsIn(t, replayed) {
		t.Error("who has signed out is let in")
	}
	said := s.restart(t, func() {
		lines, err := os.ReadFile(tokens)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(lines), "\n")
		writeText(t, tokens, first+"\n")
	})
	if !stays.isIn() {
		t.Error("a restart signs out")
	}
	if revoked.isIn() || s.letsIn(t, replayed) {
		t.Error("after a restart those are let in whose token was revoked, or who have signed out")
	}
	cookies := stays.keptCookies()
	for _, wrong := range []string{cookies[:len(cookies)-1], cookies + "A", cookies + strings.Repeat("A", 50_000), strings.Replace(cookies, "1.", "2.", 1)} {
		if s.letsIn(t, wrong) {
			t.Errorf("%.60s is let in", wrong)
		}
	}
	info, err := os.Stat(s.key(t))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info.Mode(), err)
	}
	for _, secret := range []string{alice, bob, strings.TrimPrefix(replayed, "vademecum")} {
		if strings.Contains(said, secret) {
			t.Errorf("the log has %.10s", secret)
		}
	}
	s.restart(t, func() { writeText(t, s.key(t), "damaged") })
	if stays.isIn() {
		t.Error("another key opens what was sealed")
	}
	if stays.signIn(alice); !stays.isIn() {
		t.Error("nobody can sign in with the new key")
	}
	if said := s.restart(t, nothing); strings.Count(said, "is damaged and is replaced") != 1 || !stays.isIn() {
		t.Errorf("the damage:\n%s", said)
	}
}

// TestHTTPSessionsShared: servers with one configuration folder share their sessions and
// sign-outs.
func TestHTTPSessionsShared(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice := newToken(t, tokens, "alice")
	s := newKeptServer(t, "--tokens", tokens, ownIndex(t), dir)
	c := s.command(t)
	c.Args[2], c.Args[len(c.Args)-2] = "--http=127.0.0.1:0", ownIndex(t)
	other := &keptServer{httpServer: startHTTP(t, c), config: s.config}
	v := visit(t, s.httpServer)
	v.signIn(alice)
	cookies := v.keptCookies()
	elsewhere := func() string { return strings.Replace(cookies, portOf(t, s.url), portOf(t, other.url), 1) }
	if !other.letsIn(t, elsewhere()) {
		t.Error("the other does not know the session")
	}
	answer, err := v.PostForm(s.url+"/sign-out", nil)
	v.read(answer, err)
	if other.letsIn(t, elsewhere()) {
		t.Error("the other lets in who has signed out")
	}
}

func portOf(t *testing.T, at string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(at, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestHTTPSignInAtProvider: the program redirects browsers to its provider as configured,
// accepts their codes, also after a restart meanwhile, and logs neither codes nor tokens.
func TestHTTPSignInAtProvider(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"public":        {"--auth-client-id=vademecum-page"},
		"with a secret": {"--auth-client-id=vademecum-page", "--auth-client-secret-env=KB_SECRET", "--auth-scope=kb/read", "--auth-scope=index", "--auth-audience=api://kb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := httpFolder(t)
			p := signintest.New(t)
			s := newKeptServer(t, append(args, "--auth-issuer", p.URL, ownIndex(t), dir)...)
			p.Callback, p.Audience = s.url+"/sign-in/callback", s.url+"/mcp"
			if len(args) > 1 {
				p.Secret, p.Audience = "s3cret+/=", "api://kb"
			}
			v := visit(t, s.httpServer)
			if page := html.UnescapeString(v.page("/doc?path=asthma.md")); !strings.Contains(page, `href="/sign-in/provider?to=%2Fdoc%3Fpath%3Dasthma.md"`) || strings.Contains(page, `name="token"`) {
				t.Fatalf("no way to the provider:\n%s", page)
			}
			var code, restarted string
			v.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
				if c := r.URL.Query().Get("code"); c != "" && code == "" {
					code = c
					restarted = s.restart(t, nothing)
				}
				return nil
			}
			if page := html.UnescapeString(v.page("/sign-in/provider?to=%2Fdoc%3Fpath%3Dasthma.md")); !strings.HasPrefix(page, "200") || !strings.Contains(page, "url=/doc?path=asthma.md\"") {
				t.Fatalf("%s", page)
			}
			if !v.isIn() || code == "" {
				t.Fatal("not signed in")
			}
			cookies := v.keptCookies()
			said := restarted + s.restart(t, nothing)
			if !v.isIn() {
				t.Error("a restart signs out")
			}
			answer, err := v.PostForm(s.url+"/sign-out", nil)
			if page := v.read(answer, err); !strings.Contains(page, "/sign-in/provider") || v.isIn() || s.letsIn(t, cookies) {
				t.Errorf("not signed out:\n%s", page)
			}
			said += s.restart(t, nothing)
			if strings.Contains(said, code) || strings.Contains(said, "eyJ") || !strings.Contains(said, "path=/sign-in/callback") {
				t.Errorf("the log has the code or a token, or nothing:\n%s", said)
			}
		})
	}
}

// TestHTTPClientFlags checks that invalid settings of a provider's client are refused at the start.
func TestHTTPClientFlags(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	for want, args := range map[string][]string{
		"give --auth-issuer too":    {"--auth-client-id=x"},
		"give --auth-client-id too": {"--auth-issuer=https://login.example.com", "--auth-scope=x"},
		"none of that name is set":  {"--auth-issuer=https://login.example.com", "--auth-client-id=x", "--auth-client-secret-env=the-secret-itself"},
	} {
		out, err := vademecum(t, append([]string{"serve", "--http=127.0.0.1:0", dir}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "the-secret-itself") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
