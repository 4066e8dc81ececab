package page

import (
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin"
	"vademecum/internal/app/web/signin/signintest"
)

// led is the pages of a server with an identity provider, and a browser.
type led struct {
	t        *testing.T
	site     *site
	at       string
	browser  *http.Client
	provider *signintest.Provider
	tokens   tokens
	failures int // number of failed requests that were counted
}

func openLed(t *testing.T, change func(*led, *Options)) *led {
	t.Helper()
	l := &led{t: t, provider: signintest.New(t), tokens: tokens{"secret": alice}}
	var handler http.Handler
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(served.Close)
	l.at = served.URL
	l.provider.Callback, l.provider.Audience = l.at+signin.PathCallback, l.at+"/mcp"
	checker := signin.NewProvider(signin.ProviderOptions{Issuer: l.provider.URL, Audiences: []string{l.provider.Audience}, Logger: slog.New(slog.DiscardHandler)})
	checker.FetchMetadata(t.Context())
	l.site = open(t, notes, func(o *Options) {
		o.SessionKey = signin.NewEncryptionKey()
		o.AllowRequest = func(_ http.ResponseWriter, _ *http.Request, _ string, failed bool) bool {
			if failed {
				l.failures++
			}
			return true
		}
		client := signin.NewClient(checker, signin.ClientOptions{ID: l.provider.Client, SiteURL: l.at, Scopes: []string{signin.ScopeRead}, ResourceIndicator: l.provider.Audience, CookieKey: o.SessionKey})
		o.Authenticator = &signin.Authenticator{Checkers: []signin.Checker{l.tokens, checker}, ProviderIssuer: l.provider.URL, ProviderClient: client}
		if change != nil {
			change(l, o)
		}
	})
	handler = l.site.pages
	l.browser = &http.Client{}
	l.forget()
	return l
}

// forget removes all cookies of the browser.
func (l *led) forget() {
	jar, err := cookiejar.New(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	l.browser.Jar = jar
}

// visit requests an address like a browser.
func (l *led) visit(to string, header ...string) (*http.Response, string) {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, to, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := l.browser.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return answer, html.UnescapeString(string(body))
}

// cookies returns the cookies of the browser, by their names without the port.
func (l *led) cookies() map[string]string {
	at, err := url.Parse(l.at)
	if err != nil {
		l.t.Fatal(err)
	}
	all := make(map[string]string)
	for _, c := range l.browser.Jar.Cookies(at) {
		all[strings.Replace(c.Name, at.Port(), "", 1)] = c.Value
	}
	return all
}

// TestProviderSignsIn checks that a sign-in at the provider leads back to the requested passage and
// leaves nothing behind, and that signing out does not begin another one.
func TestProviderSignsIn(t *testing.T) {
	l := openLed(t, nil)
	_, page := l.visit(l.at + "/doc?path=asthma.md&at=line%3D4,6")
	start := "/sign-in/provider?to=%2Fdoc%3Fpath%3Dasthma.md%26at%3Dline%253D4%2C6"
	if !strings.Contains(page, `<a class="button" href="`+start+`">`) || strings.Contains(page, `name="token"`) {
		t.Fatalf("no way to the provider:\n%s", page)
	}
	answer, page := l.visit(l.at + start)
	if want := `content="0; url=/doc?path=asthma.md&at=line%3D4,6#passage"`; answer.StatusCode != http.StatusOK || !strings.Contains(page, want) {
		t.Fatalf("%s:\n%s", answer.Status, page)
	}
	if got := answer.Header.Get("Referrer-Policy"); got != "no-referrer" || strings.Contains(page, answer.Request.URL.Query().Get("code")) {
		t.Errorf("others are told the code: %q\n%s", got, page)
	}
	if c := l.cookies(); len(c) != 1 || len(c["vademecum"]) < 100 {
		t.Errorf("cookies: %v", c)
	}
	if _, page := l.visit(l.at + "/doc?path=asthma.md"); !strings.Contains(page, "helps children") {
		t.Errorf("not signed in:\n%s", page)
	}
	again := answer.Request.URL.String()
	if answer, _ := l.visit(again); answer.Request.URL.Path != "/" {
		t.Errorf("who is signed in and comes once more is led to %s", answer.Request.URL)
	}
	kept := l.cookies()["vademecum"]
	out, err := l.browser.PostForm(l.at+"/sign-out", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	if c := l.cookies(); len(c) > 0 || out.Request.URL.Path != "/sign-in" {
		t.Errorf("signed out at %s: %v", out.Request.URL, c)
	}
	if answer, page := l.visit(again); answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, "Sign in again") {
		t.Errorf("the address counts twice: %s\n%s", answer.Status, page)
	}
	answer, _ = l.visit(l.at+"/library", "Cookie", "vademecum"+out.Request.URL.Port()+"="+kept)
	if answer.Request.URL.Path != "/sign-in" {
		t.Errorf("who has kept the cookie gets %s", answer.Request.URL)
	}
}

// TestProviderRedirect checks that the browser is sent to the provider with the parameters of PKCE
// and keeps the state for some minutes, and that no sign-in leads to another site.
func TestProviderRedirect(t *testing.T) {
	l := openLed(t, nil)
	l.browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, _ := l.visit(l.at + "/sign-in/provider?to=" + url.QueryEscape("https://evil.example.com/"))
	to, err := answer.Location()
	if err != nil || answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s, %v", answer.Status, err)
	}
	q := to.Query()
	if q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 20 || len(q.Get("nonce")) < 20 ||
		q.Get("redirect_uri") != l.at+"/sign-in/callback" || q.Get("scope") != "openid read" || q.Get("resource") != l.at+"/mcp" || q.Get("response_type") != "code" {
		t.Errorf("%s", to)
	}
	c := answer.Cookies()
	if len(c) != 1 || c[0].SameSite != http.SameSiteLaxMode || !c[0].HttpOnly || c[0].MaxAge != 600 || c[0].Path != "/" || strings.Contains(c[0].Value, q.Get("state")) {
		t.Errorf("%+v", c)
	}
	l.browser.CheckRedirect = nil
	if _, page := l.visit(to.String()); !strings.Contains(page, `content="0; url=/"`) {
		t.Errorf("it leads to\n%s", page)
	}
	long := "/search?q=" + strings.Repeat("高", 20_000)
	if answer, page := l.visit(l.at + "/sign-in/provider?to=" + url.QueryEscape(long[:8000])); !strings.Contains(page, `url=/search?q=高`) {
		t.Errorf("a long question: %s\n%.600s", answer.Status, page)
	}
	if answer, page := l.visit(l.at + "/sign-in/provider?to=" + url.QueryEscape(long[:20_000])); !strings.Contains(page, `content="0; url=/"`) {
		t.Errorf("one that no cookie holds: %s\n%.600s", answer.Status, page)
	}
}

// begin begins a sign-in in a window that is to return to an address, and returns the URL of the
// redirect back.
func (l *led) begin(to string) (back string) {
	l.t.Helper()
	follow := l.browser.CheckRedirect
	defer func() { l.browser.CheckRedirect = follow }()
	l.browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == signin.PathCallback {
			return http.ErrUseLastResponse
		}
		return nil
	}
	answer, _ := l.visit(l.at + pathProvider + "?to=" + url.QueryEscape(to))
	link, err := answer.Location()
	if err != nil {
		l.t.Fatal(err)
	}
	return link.String()
}

// TestWindows checks that several windows that sign in at once return to their pages in any order,
// a late one with the session of another.
func TestWindows(t *testing.T) {
	l := openLed(t, nil)
	to := []string{"/library", "/add", "/search?q=spacer", "/try"}
	back := make([]string, len(to))
	for i := range to {
		back[i] = l.begin(to[i])
	}
	l.visit(l.at + signin.PathCallback + "?code=x&state=x") // a link made by an attacker
	for _, i := range []int{2, 0, 3, 1} {
		if answer, page := l.visit(back[i]); answer.StatusCode != http.StatusOK || !strings.Contains(page, `content="0; url=`+to[i]+`"`) {
			t.Errorf("%s: %s at %s\n%s", to[i], answer.Status, answer.Request.URL, page)
		}
	}
	if c := l.cookies(); len(c) != 1 {
		t.Errorf("cookies are left: %v", c)
	}
	for _, late := range []string{"/sign-in?problem=old&to=%2Fdoc%3Fpath%3Dasthma.md%26at%3Dline%253D4%2C6", "/sign-in?to=%2Fdoc%3Fpath%3Dasthma.md%26at%3Dline%253D4%2C6"} {
		if answer, page := l.visit(l.at + late); answer.Request.URL.Path != "/doc" || answer.Request.URL.Fragment != "passage" || !strings.Contains(page, "helps children") {
			t.Errorf("%s leads to %s: %s", late, answer.Request.URL, answer.Status)
		}
		kept := l.browser.Jar // browsers send no cookie with the first request after a redirect from another site
		l.forget()
		answer, page := l.visit(l.at+late, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
		l.browser.Jar = kept
		if !strings.Contains(page, `content="0; url=/sign-in?again=1&`) || answer.StatusCode != http.StatusOK {
			t.Errorf("%s, led by another site: %s\n%s", late, answer.Status, page)
		}
	}
	if answer, page := l.visit(l.at + "/sign-in?problem=denied&to=%2Flibrary"); answer.StatusCode != http.StatusForbidden || !strings.Contains(page, "cancelled") {
		t.Errorf("what went wrong is not told: %s at %s", answer.Status, answer.Request.URL)
	}
	l.forget()
	if answer, page := l.visit(l.at + "/sign-in?problem=old&to=%2Flibrary"); answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, `href="/sign-in/provider?to=%2Flibrary"`) {
		t.Errorf("too late without a session: %s\n%s", answer.Status, page)
	}
}

// TestManyWindows checks that the browser keeps the newest of many pending sign-ins, up to a total
// size.
func TestManyWindows(t *testing.T) {
	l := openLed(t, nil)
	var back []string
	for range 40 {
		back = append(back, l.begin("/library"))
		size := 0
		for name, value := range l.cookies() {
			size += len(name) + len(value)
		}
		if size > signin.MaxCookieBytes+100 {
			t.Fatalf("%d sign-ins take %d bytes", len(back), size)
		}
	}
	if n := len(l.cookies()); n < 10 {
		t.Errorf("only %d windows can sign in at once", n)
	}
	if answer, page := l.visit(back[0]); answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, "Sign in again") {
		t.Errorf("the oldest: %s\n%s", answer.Status, page)
	}
	for _, at := range []string{back[len(back)-10], back[len(back)-1]} {
		if answer, page := l.visit(at); answer.StatusCode != http.StatusOK || !strings.Contains(page, "url=/library") {
			t.Errorf("a new one: %s\n%s", answer.Status, page)
		}
	}
	long := l.begin("/search?q=" + strings.Repeat("x", 8000))
	if c := l.cookies(); len(c) != 1+3 {
		t.Errorf("a long one leaves room for %d others", len(c)-4)
	}
	if answer, page := l.visit(long); !strings.Contains(page, "url=/search?q=xxx") {
		t.Errorf("a long one: %s\n%s", answer.Status, page)
	}
}

// TestProviderFails checks that every error at the provider is explained in both languages, with a
// link to try again for the same page.
func TestProviderFails(t *testing.T) {
	for name, c := range map[string]struct {
		change           func(*led)
		status           int
		english, chinese string
	}{
		"denied":        {func(l *led) { l.provider.ErrorCode = "access_denied" }, 403, "cancelled or refused", "登录在身份提供方处被中断或拒绝"},
		"misconfigured": {func(l *led) { l.provider.ErrorCode = "invalid_scope" }, 502, "refuses this server", "身份提供方拒绝了本服务器"},
		"overloaded":    {func(l *led) { l.provider.ErrorCode = "temporarily_unavailable" }, 503, "does not answer", "身份提供方没有响应"},
		"for another":   {func(l *led) { l.provider.AccessClaims = map[string]any{"aud": "x"} }, 403, "is not valid here", "身份提供方给出的令牌在这里无效"},
		"may not read":  {func(l *led) { l.provider.AccessClaims = map[string]any{"scope": "openid"} }, 403, "does not let you read", "没有给你在这里阅读文档的权限"},
		"too long":      {func(l *led) { l.provider.AccessClaims = map[string]any{"groups": strings.Repeat("x", 9000)} }, 403, "too long for a browser", "身份提供方的令牌太长"},
	} {
		l := openLed(t, nil)
		c.change(l)
		for language, words := range map[string]string{"en": c.english, "zh-CN": c.chinese} {
			answer, page := l.visit(l.at+"/sign-in/provider?to=%2Flibrary", "Accept-Language", language)
			if answer.StatusCode != c.status || !strings.Contains(page, words) || !strings.Contains(page, `href="/sign-in/provider?to=%2Flibrary"`) {
				t.Errorf("%s: %s\n%s", name, answer.Status, page)
			}
			if (c.status == 503) != (answer.Header.Get("Retry-After") != "") || strings.Contains(page, "code-") {
				t.Errorf("%s: %v\n%s", name, answer.Header, page)
			}
		}
		if got := l.cookies(); len(got) > 0 {
			t.Errorf("%s: cookies are left: %v", name, got)
		}
		if (l.failures == 0) != (c.status == 503) {
			t.Errorf("%s counts as %d failures", name, l.failures)
		}
	}
}

// TestForeignAnswer checks that an authorization response that this browser did not request signs
// nobody in.
func TestForeignAnswer(t *testing.T) {
	l := openLed(t, nil)
	attacker := openLed(t, nil)
	attacker.browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == signin.PathCallback {
			return http.ErrUseLastResponse
		}
		return nil
	}
	answer, _ := attacker.visit(attacker.at + "/sign-in/provider")
	link, err := answer.Location()
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"?" + link.RawQuery, "", "?code=x", "?state=x&code=x", "?error=access_denied&error_description=<script>"} {
		answer, page := l.visit(l.at + signin.PathCallback + to)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, "started in another browser") || strings.Contains(page, "<script>") || len(l.cookies()) > 0 {
			t.Errorf("%s: %s, %v\n%s", to, answer.Status, l.cookies(), page)
		}
	}
}

// TestProviderElsewhere checks that a browser that uses the server under another host name than the
// provider is redirected to that name, once.
func TestProviderElsewhere(t *testing.T) {
	l := openLed(t, nil)
	other := strings.Replace(l.at, "127.0.0.1", "localhost", 1)
	answer, page := l.visit(other + "/sign-in/provider?to=%2Flibrary")
	if answer.StatusCode != http.StatusOK || !strings.Contains(page, "url=/library") || answer.Request.URL.Hostname() != "127.0.0.1" {
		t.Errorf("%s at %s\n%s", answer.Status, answer.Request.URL, page)
	}
	l.browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if answer, _ := l.visit(other + "/sign-in/provider?here=1"); !strings.HasPrefix(answer.Header.Get("Location"), l.provider.URL) {
		t.Errorf("it is led on and on: %s", answer.Header.Get("Location"))
	}
}

// TestExpiredToken checks that the provider is asked for another token when that of a session
// expires, without a page in between, and that scripts get an error.
func TestExpiredToken(t *testing.T) {
	expires := &expiring{}
	l := openLed(t, func(l *led, o *Options) {
		expires.Checker = o.Authenticator.Checkers[1]
		o.Authenticator.Checkers = []signin.Checker{expires}
	})
	if _, page := l.visit(l.at + "/sign-in/provider"); !strings.Contains(page, "Continue to") {
		t.Fatalf("%s", page)
	}
	before := l.cookies()["vademecum"]
	expires.now = true
	if answer, _ := l.visit(l.at+"/search?q=spacer", "Sec-Fetch-Mode", "cors"); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a script gets %s", answer.Status)
	}
	l.browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		expires.now = r.URL.Path != signin.PathCallback // the new token is valid
		return nil
	}
	answer, page := l.visit(l.at + "/search?q=spacer")
	if answer.StatusCode != http.StatusOK || !strings.Contains(page, "url=/search?q=spacer") || l.cookies()["vademecum"] == before {
		t.Errorf("%s at %s\n%s", answer.Status, answer.Request.URL, page)
	}
}

// expiring is a Checker whose tokens expire when now is set.
type expiring struct {
	signin.Checker
	now bool
}

func (e *expiring) Check(ctx context.Context, token string) (signin.User, error) {
	if e.now {
		return signin.User{}, signin.ErrExpiredToken
	}
	return e.Checker.Check(ctx, token)
}

// TestTokenBeside checks that users can sign in with a token of the server as well if it has any.
func TestTokenBeside(t *testing.T) {
	l := openLed(t, func(_ *led, o *Options) { o.Authenticator.AllowsTokenInBrowser = true })
	_, page := l.visit(l.at + "/sign-in?to=/library")
	if !strings.Contains(page, "<details>") || !strings.Contains(page, `name="token"`) || !strings.Contains(page, pathProvider) {
		t.Errorf("%s", page)
	}
	answer, err := l.browser.PostForm(l.at+"/sign-in", url.Values{"token": {"secret"}, "to": {"/doc?path=asthma.md&at=line%3D4,6"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/doc" || answer.Request.URL.Fragment != "passage" {
		t.Errorf("%s at %s", answer.Status, answer.Request.URL)
	}
}

// TestLongSession checks that a long token is stored in several cookies, and that a shorter one
// removes the rest.
func TestLongSession(t *testing.T) {
	l := openLed(t, func(l *led, _ *Options) {
		l.provider.AccessClaims = map[string]any{"groups": strings.Repeat("x", 4000)}
	})
	l.visit(l.at + "/sign-in/provider")
	if c := l.cookies(); len(c) != 3 || !strings.HasPrefix(c["vademecum"], "3.") {
		t.Errorf("%d cookies", len(c))
	}
	for name, value := range l.cookies() {
		if len(name)+len(value) > 4000 {
			t.Errorf("%s has %d bytes", name, len(value))
		}
	}
	if _, page := l.visit(l.at + "/doc?path=asthma.md"); !strings.Contains(page, "helps children") {
		t.Errorf("not signed in:\n%s", page)
	}
	out, err := l.browser.PostForm(l.at+"/sign-out", nil)
	if err != nil {
		t.Fatal(err)
	}
	out.Body.Close()
	if c := l.cookies(); len(c) > 0 {
		t.Errorf("left: %d", len(c))
	}
}

// TestForgedCookies checks that forged cookies neither sign anybody in nor cause an error.
func TestForgedCookies(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, tokens.ask)
	if s.signIn("secret"); s.cookie == nil {
		t.Fatal("no session")
	}
	good := s.cookie.Value
	for _, wrong := range []string{"", ".", "1.", "1", "0." + good[2:], "2." + good[2:], "-1." + good[2:], "99999999." + good[2:], "1." + good, good[:len(good)-1], good[:len(good)/2], good + "A", "1.." + good[2:], strings.ToUpper(good), "1." + strings.Repeat("A", 90_000)} {
		s.cookie = &http.Cookie{Name: "vademecum8765", Value: wrong}
		if w := s.send(http.MethodGet, "/library", nil); w.Code != http.StatusSeeOther {
			t.Errorf("%.80q: %d", wrong, w.Code)
		}
	}
	s.cookie = &http.Cookie{Name: "vademecum8765", Value: good}
	if page := s.get("/library"); !strings.Contains(page, "Sign out") {
		t.Errorf("the right one after them:\n%s", page)
	}
}

// TestProxyBuffers checks that the buffers of nginx, as this project configures it, suffice for the
// longest session together with the longest sign-in.
func TestProxyBuffers(t *testing.T) {
	files, err := filepath.Glob("../../../../.packaging/*/nginx.conf")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range []string{"large_client_header_buffers 4", "proxy_buffer_size", "proxy_buffers 4"} {
			_, rest, _ := strings.Cut(string(text), "    "+setting+" ")
			size, _, _ := strings.Cut(rest, "k;")
			if n, err := strconv.Atoi(size); err != nil || n<<10 < 2*signin.MaxCookieBytes+4<<10 {
				t.Errorf("%s: %s is %q", file, setting, size)
			}
		}
	}
}
