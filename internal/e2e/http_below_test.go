package e2e

import (
	"crypto/tls"
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin/signintest"
)

// belowProxy returns a client for which example.org is a proxy that passes requests below /kb, and
// those for the metadata of that path, to a server. Everything else on that host belongs to others.
func belowProxy(t *testing.T, to string, strips bool) *http.Client {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		if rest, below := strings.CutPrefix(r.In.URL.Path, "/kb/"); below && strips {
			r.Out.URL.Path, r.Out.URL.RawPath = "/"+rest, ""
		}
	}}
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/kb/") && r.URL.Path != "/.well-known/oauth-protected-resource/kb/mcp" {
			t.Errorf("%s %s is asked of another", r.Method, r.URL)
		}
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.CloseClientConnections)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{
		DialContext: dialing(proxy.Listener.Addr().String()), TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}

// withToken sends a token with each request.
type withToken struct {
	token   string
	through http.RoundTripper
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.through.RoundTrip(r)
}

var pathOfPage = regexp.MustCompile(`(?:href|src|action|data-live)="(/[^"]*)"`)

// TestHTTPBelow checks that a server below a path prefix can be used in all versions, with all its
// pages, through proxies that keep the prefix and through those that strip it.
func TestHTTPBelow(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, "--public-url", "https://example.org/kb/", ownIndex(t), dir)
	for name, strips := range map[string]bool{"leaves": false, "strips": true} {
		t.Run(name, func(t *testing.T) {
			through := belowProxy(t, s.url, strips)
			for _, protocol := range overHTTP {
				useHTTP(t, connectHTTP(t, "https://example.org/kb", protocol, &http.Client{Transport: withToken{token, through.Transport}}), file)
			}
			v := &visitor{through, t, "https://example.org/kb"}
			if page := v.page("/healthz"); page != "200 OK\nok\n" {
				t.Error(page)
			}
			if page := v.page("/library"); !strings.Contains(page, `name="token"`) {
				t.Fatalf("nobody is asked:\n%s", page)
			}
			if page := v.signIn(token); !strings.HasPrefix(page, "200") || !strings.Contains(page, "Sign out") {
				t.Fatalf("%s", page)
			}
			for _, to := range []string{"/", "/library", "/search?q=spacer", "/add"} {
				page := v.page(to)
				for _, m := range pathOfPage.FindAllStringSubmatch(page, -1) {
					at, below := strings.CutPrefix(html.UnescapeString(m[1]), "/kb")
					if !below || !strings.HasPrefix(v.page(at), "200") && at != "/sign-out" && at != "/try/judge" { // these paths accept only forms
						t.Errorf("%s has %s: %.300s", to, m[0], v.page(at))
					}
				}
			}
			if page := v.page("/add"); !strings.Contains(page, "https://example.org/kb/mcp") {
				t.Errorf("hosts are told\n%s", page)
			}
			answer, err := v.PostForm(v.url+"/sign-out", nil)
			if page := v.read(answer, err); !strings.Contains(page, `name="token"`) || !strings.Contains(v.page("/library"), `name="token"`) {
				t.Errorf("signed out:\n%s", page)
			}
		})
	}
	if page := visit(t, s).page("/healthz"); page != "200 OK\nok\n" { // requested on this machine, without the prefix
		t.Error(page)
	}
	for public, want := range map[string]string{"https://example.org/kb/mcp": "leave out /mcp", "https://example.org/library": "a path of the server's own", "https://example.org/my kb": "letters, digits"} {
		c := vademecum(t, "serve", "--http=127.0.0.1:0", "--public-url", public, dir)
		if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", public, err, out)
		}
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
}

// besideProvider passes requests for example.org to a proxy, and all others unchanged. Cookies of
// example.org that are set for other paths are not sent to it.
type besideProvider struct {
	t     *testing.T
	proxy http.RoundTripper
}

func (b besideProvider) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "example.org" {
		if len(r.Cookies()) > 0 {
			b.t.Errorf("%s gets %v", r.URL, r.Cookies())
		}
		return http.DefaultTransport.RoundTrip(r)
	}
	answer, err := b.proxy.RoundTrip(r)
	if err == nil {
		for _, c := range answer.Cookies() {
			if c.Path != "/kb" || !c.Secure || !strings.HasPrefix(c.Name, "__Secure-vademecum") || !c.HttpOnly {
				b.t.Errorf("%s sets %s", r.URL, c)
			}
		}
	}
	return answer, err
}

// TestHTTPBelowProvider: a user who signs in at the provider from below a path returns to
// the passage there, is still signed in at the next visit, and can sign out, through either
// proxy.
func TestHTTPBelowProvider(t *testing.T) {
	t.Parallel()
	const public, to = "https://example.org/kb", "/doc?path=asthma.md&at=line%3D2,3"
	dir, _ := httpFolder(t)
	p := signintest.New(t)
	p.Callback, p.Audience = public+"/sign-in/callback", public+"/mcp"
	s := serveHTTP(t, "--auth-issuer", p.URL, "--auth-client-id", p.Client, "--public-url", public, ownIndex(t), dir)
	for name, strips := range map[string]bool{"leaves": false, "strips": true} {
		t.Run(name, func(t *testing.T) {
			through := belowProxy(t, s.url, strips)
			v := &visitor{&http.Client{Jar: through.Jar, Transport: besideProvider{t, through.Transport}}, t, public}
			follow := func(link *regexp.Regexp, page string) string {
				t.Helper()
				m := link.FindStringSubmatch(page)
				if m == nil {
					t.Fatalf("there is no %s:\n%s", link, page)
				}
				answer, err := v.Get("https://example.org" + html.UnescapeString(m[1]))
				return v.read(answer, err)
			}
			page := follow(regexp.MustCompile(`<a class="button" href="(/kb/sign-in/provider[^"]*)"`), v.page(to))
			await(t, "the folder is indexed", func() bool { return strings.Contains(v.page("/library/state"), "Up to date.") })
			page = follow(regexp.MustCompile(`content="0; url=(/kb/doc[^"]*)#passage"`), page)
			if !strings.HasPrefix(page, "200") || !strings.Contains(page, "helps children") || !strings.Contains(page, `id="passage"`) {
				t.Fatalf("it leads back to\n%s", page)
			}
			if page := v.page("/library"); !strings.HasPrefix(page, "200") || !strings.Contains(page, "Sign out") {
				t.Errorf("the next visit:\n%s", page)
			}
			if there, beside := v.keptAt(public+"/library"), v.keptAt("https://example.org/other"); len(there) != 1 || len(beside) > 0 {
				t.Errorf("cookies: %v, and for what is beside it %v", there, beside)
			}
			answer, err := v.PostForm(public+"/sign-out", nil)
			if page := v.read(answer, err); answer.Request.URL.Path != "/kb/sign-in" || len(v.keptAt(public+"/library")) > 0 {
				t.Errorf("signed out at %s:\n%s", answer.Request.URL, page)
			}
		})
	}
}

// keptAt returns the cookies that a browser sends to an address.
func (v *visitor) keptAt(at string) []*http.Cookie {
	u, err := url.Parse(at)
	if err != nil {
		v.t.Fatal(err)
	}
	return v.Jar.Cookies(u)
}
