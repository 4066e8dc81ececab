package oauth_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/internal/app/web"
	"vademecum/internal/app/web/oauth"
)

// TestAtOnce checks that of several concurrent redemptions of a code one gets tokens, and that
// these are revoked, as the code may have been stolen.
func TestAtOnce(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	code := p.allow(c.asking()).Get("code")
	var got [8]answer
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = c.redeem(code) })
	}
	all.Wait()
	given := 0
	for _, a := range got {
		if token := a.field("access_token"); token != "" {
			given++
			if s.asks(token) != http.StatusUnauthorized {
				t.Error("a token counts")
			}
		}
	}
	if given != 1 {
		t.Errorf("%d get tokens", given)
	}
}

// TestOpenRedirect checks that a link redirects nobody before the user has answered.
func TestOpenRedirect(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback, "http://127.0.0.1/cb"), s.signedIn(s.alice)
	if got := s.visitor().asked(c.asking()); !strings.HasPrefix(got.header.Get("Location"), "/sign-in?to=%2Fauthorize") {
		t.Errorf("who has not signed in is sent to %q", got.header.Get("Location"))
	}
	for _, to := range []string{
		"https://evil.example/cb", callback + "/", callback + "?a", "https://claude.example/API/mcp/auth_callback", "https://claude.example:443/api/mcp/auth_callback",
		"https://claude.example.evil.example/api/mcp/auth_callback", "https://claude.example@evil.example/api/mcp/auth_callback", "https://claude.example/api/mcp/../mcp/auth_callback",
		callback + "#x", "javascript:alert(1)", "//evil.example", "/cb", "https://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb", "http://127.0.0.1:80/cb?x", "http://localhost/cb", "http://127.0.0.2/cb", "http://127.0.0.1:9@evil.example/cb",
	} {
		got := p.asked(c.asking("redirect_uri", to))
		if got.status != http.StatusBadRequest || got.header.Get("Location") != "" || strings.Contains(got.body, `href="`+to) {
			t.Errorf("%s: %d %q", to, got.status, got.header.Get("Location"))
		}
	}
	if got := p.asked(c.asking("redirect_uri", "http://127.0.0.1:51234/cb")); got.status != http.StatusOK {
		t.Errorf("another port of this device: %d", got.status)
	}
	if s.said("access refused") != 18 {
		t.Errorf("the log has %d lines", s.said("access refused"))
	}
	got := p.asked(c.asking("response_type", "token"))
	if got.header.Get("Location") != "" || !strings.Contains(got.body, `href="`+callback+"?error=unsupported_response_type") {
		t.Errorf("of a mistake the client is told by itself: %d %v\n%s", got.status, got.header, got.body)
	}
}

// TestCodeOnce checks that a code can be redeemed once, and that a second use ends its grant.
func TestCodeOnce(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	code := p.allow(c.asking()).Get("code")
	got := c.redeem(code)
	c.redeem(code).wantRefused(t, "a second time", "invalid_grant")
	if s.asks(got.field("access_token")) != http.StatusUnauthorized {
		t.Error("the tokens of a code that was used twice count")
	}
	c.refresh(got.field("refresh_token")).wantRefused(t, "its refresh token", "invalid_grant")
	if s.said("used twice") != 1 {
		t.Error("the log does not say so once")
	}
}

// TestConsentOnce checks that a consent form sent several times creates one grant, and that grants
// in use are kept, however many codes are not redeemed.
func TestConsentOnce(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	works := c.let(p).field("access_token")
	question := p.question(c.asking())
	first := p.says("allow", question)
	for range 55 {
		if got := p.says("allow", question); got.header.Get("Location") != first.header.Get("Location") {
			t.Fatalf("again: %d %q", got.status, got.header.Get("Location"))
		}
	}
	to, err := url.Parse(first.header.Get("Location"))
	must(t, err)
	if got := c.redeem(to.Query().Get("code")); got.status != http.StatusOK || s.said("access granted") != 2 {
		t.Errorf("its code: %d, %d were granted", got.status, s.said("access granted"))
	}
	if got := p.says("allow", question); got.status != http.StatusBadRequest {
		t.Errorf("when the code was redeemed: %d", got.status)
	}
	for range 55 {
		p.allow(c.asking())
	}
	if s.asks(works) != http.StatusOK {
		t.Error("codes that nobody redeems end what works")
	}
	if all, _ := readGrants(t, s.grants); len(all) != 2 {
		t.Errorf("%d are listed", len(all))
	}
}

// TestRefreshOnce checks that a refresh token can be used once, and that a second use ends the
// grant.
func TestRefreshOnce(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	other := c.let(p)
	first := c.let(p)
	second := c.refresh(first.field("refresh_token"))
	if second.status != http.StatusOK || s.asks(second.field("access_token")) != http.StatusOK || s.asks(first.field("access_token")) != http.StatusOK {
		t.Fatalf("no next tokens: %s", second.body)
	}
	third := c.refresh(second.field("refresh_token"))
	c.refresh(first.field("refresh_token")).wantRefused(t, "the first again", "invalid_grant")
	c.refresh(third.field("refresh_token")).wantRefused(t, "the third", "invalid_grant")
	if s.asks(third.field("access_token")) != http.StatusUnauthorized || s.asks(other.field("access_token")) != http.StatusOK {
		t.Error("not this one alone has ended")
	}
	if s.said("used twice") != 1 {
		t.Error("the log does not say so once")
	}
}

// TestRefreshAgain checks that a refresh token sent again within a moment gets the same response,
// as the first one may have been lost or two processes of a client may have sent it. It must not
// yield another token, and not be accepted later or after the next token was used.
func TestRefreshAgain(t *testing.T) {
	s := newServer(t)
	c, evil, p := s.register(callback), s.register("https://evil.example/cb"), s.signedIn(s.alice)
	first := c.let(p)
	second := c.refresh(first.field("refresh_token"))
	kept, err := os.ReadFile(s.grants)
	must(t, err)
	s.turnClock(50 * time.Second)
	evil.refresh(first.field("refresh_token")).wantRefused(t, "of another client", "invalid_grant")
	c.refresh(first.field("refresh_token"), "resource", "https://evil.example/mcp").wantRefused(t, "for another server", "invalid_target")
	again := c.refresh(first.field("refresh_token"))
	for _, name := range []string{"access_token", "refresh_token", "scope", "token_type"} {
		if again.field(name) != second.field(name) || again.field(name) == "" {
			t.Errorf("%s is %q, and then %q", name, second.field(name), again.field(name))
		}
	}
	if !strings.Contains(again.body, `"expires_in":35`) || s.asks(again.field("access_token")) != http.StatusOK {
		t.Errorf("the second answer is %s", again.body)
	}
	if now, err := os.ReadFile(s.grants); err != nil || string(now) != string(kept) || s.said("sent again") != 1 {
		t.Errorf("what is kept has changed, or the log does not say so once: %v", err)
	}
	third := c.refresh(second.field("refresh_token"))
	if third.status != http.StatusOK || third.field("refresh_token") == second.field("refresh_token") {
		t.Fatalf("the next: %s", third.body)
	}
	c.refresh(first.field("refresh_token")).wantRefused(t, "when the next was used", "invalid_grant")
	c.refresh(third.field("refresh_token")).wantRefused(t, "after that", "invalid_grant")
}

// TestRefreshStolen checks that a thief who uses a refresh token at the same time as the client
// gets the same token, whose second use ends the grant for both.
func TestRefreshStolen(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for _, thiefIsFirst := range []bool{true, false} {
		s.turnClock(0)
		token := c.let(p).field("refresh_token")
		stolen, own := c.refresh(token), c.refresh(token) // within the retry period
		if stolen.field("refresh_token") != own.field("refresh_token") {
			t.Fatal("there are two tokens that count")
		}
		s.turnClock(time.Hour)
		used := c.refresh(own.field("refresh_token")) // by the thief or the client
		s.turnClock(time.Hour + 61*time.Second)
		c.refresh(stolen.field("refresh_token")).wantRefused(t, "a minute later", "invalid_grant")
		for _, token := range []string{used.field("refresh_token"), own.field("refresh_token")} {
			c.refresh(token).wantRefused(t, "what is left", "invalid_grant")
		}
		if s.asks(used.field("access_token")) != http.StatusUnauthorized {
			t.Errorf("the thief was first: %v; the access token counts", thiefIsFirst)
		}
	}
	s.turnClock(0)
	late := c.let(p)
	next := c.refresh(late.field("refresh_token"))
	s.turnClock(61 * time.Second)
	c.refresh(late.field("refresh_token")).wantRefused(t, "the same token after a minute", "invalid_grant")
	c.refresh(next.field("refresh_token")).wantRefused(t, "then the next", "invalid_grant")
	s.turnClock(0)
	revoked := c.let(p)
	ended := c.refresh(revoked.field("refresh_token"))
	c.post("/revoke", url.Values{"token": {ended.field("refresh_token")}, "client_id": {c.id}})
	c.refresh(revoked.field("refresh_token")).wantRefused(t, "of a grant that was ended", "invalid_grant")
}

// TestRefreshAtOnce checks that concurrent uses of a refresh token get the same response, and that
// what is stored is worthless without that response.
func TestRefreshAtOnce(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	token := c.let(p).field("refresh_token")
	answers := make([]answer, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = c.refresh(token) })
	}
	all.Wait()
	for _, one := range answers {
		if one.status != http.StatusOK || one.field("refresh_token") != answers[0].field("refresh_token") {
			t.Errorf("%d %s", one.status, one.body)
		}
	}
	_, kept := readGrants(t, s.grants)
	for _, secret := range []string{token, answers[0].field("refresh_token"), answers[0].field("access_token")} {
		if strings.Contains(kept, secret) || strings.Contains(kept, strings.SplitN(secret, "_", 3)[2]) {
			t.Error("a token is kept")
		}
	}
}

// TestOtherClient checks that codes and tokens of one client are refused from another, and stay
// valid.
func TestOtherClient(t *testing.T) {
	s := newServer(t)
	c, evil, p := s.register(callback), s.register("https://evil.example/cb"), s.signedIn(s.alice)
	evil.verifier = c.verifier
	code := p.allow(c.asking()).Get("code")
	evil.redeem(code).wantRefused(t, "a code of another", "invalid_grant")
	evil.redeem(code, "redirect_uri", callback).wantRefused(t, "with its address", "invalid_grant")
	c.redeem(code, "redirect_uri", "https://evil.example/cb").wantRefused(t, "with another address", "invalid_grant")
	c.redeem(code, "client_id", "").wantRefused(t, "of nobody", "invalid_request")
	got := c.redeem(code)
	if got.status != http.StatusOK {
		t.Fatalf("the client itself: %s", got.body)
	}
	evil.refresh(got.field("refresh_token")).wantRefused(t, "a refresh token of another", "invalid_grant")
	evil.post("/revoke", url.Values{"token": {got.field("refresh_token")}, "client_id": {evil.id}})
	if s.asks(got.field("access_token")) != http.StatusOK || c.refresh(got.field("refresh_token")).status != http.StatusOK {
		t.Error("another client has ended it")
	}
}

// TestPKCE checks that a code requires a challenge with S256, and its redemption the verifier.
func TestPKCE(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for name, change := range map[string][]string{
		"none": {"code_challenge", "", "code_challenge_method", ""}, "no method": {"code_challenge_method", ""}, "plain": {"code_challenge_method", "plain", "code_challenge", c.verifier},
		"no challenge": {"code_challenge", ""}, "a short one": {"code_challenge", "abc"}, "other letters": {"code_challenge", strings.Repeat("=", 43)},
	} {
		if got := p.asked(c.asking(change...)); got.status != http.StatusBadRequest || !strings.Contains(got.body, "PKCE") || got.header.Get("Location") != "" {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	code := p.allow(c.asking()).Get("code")
	challenge := c.asking().Get("code_challenge")
	for name, verifier := range map[string]string{"none": "", "another": "x" + c.verifier, "the challenge": challenge} {
		c.redeem(code, "code_verifier", verifier).wantRefused(t, name, "invalid_grant")
	}
	if got := c.redeem(code); got.status != http.StatusOK {
		t.Errorf("the right one: %s", got.body)
	}
}

// TestDowngrade checks that older and weaker methods are refused.
func TestDowngrade(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for _, change := range [][]string{
		{"response_type", "token"}, {"response_type", "code id_token"}, {"response_type", ""}, {"response_mode", "fragment"}, {"response_mode", "form_post"}, {"request", "eyJhbGciOiJub25lIn0.e30."}, {"request_uri", "https://evil.example/r"},
	} {
		if got := p.asked(c.asking(change...)); got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%v: %d", change, got.status)
		}
	}
	for _, grant := range []string{"password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer", ""} {
		s.post("/token", url.Values{"grant_type": {grant}, "username": {"alice"}, "password": {s.alice}, "client_id": {c.id}}).wantRefused(t, grant, "unsupported_grant_type")
	}
	if got := p.asked(c.asking("state", strings.Repeat("s", 5000))); got.status != http.StatusBadRequest {
		t.Errorf("a state of 5,000 bytes: %d", got.status)
	}
	q := c.asking()
	q.Add("redirect_uri", "https://evil.example/cb")
	if got := p.asked(q); got.status != http.StatusBadRequest {
		t.Errorf("two addresses: %d", got.status)
	}
	code := p.allow(c.asking()).Get("code")
	in := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {c.id}, "code_verifier": {c.verifier}}
	if got := s.send(http.DefaultClient, s.request(http.MethodPost, "/token?"+in.Encode(), asForm, "")); got.status != http.StatusBadRequest {
		t.Errorf("in the address: %d", got.status)
	}
	if got := s.send(http.DefaultClient, s.request(http.MethodGet, "/token?"+in.Encode(), "", "")); got.status != http.StatusMethodNotAllowed {
		t.Errorf("by GET: %d", got.status)
	}
	in.Add("code", "x")
	s.post("/token", in).wantRefused(t, "two codes", "invalid_request")
	in["code"] = in["code"][:1]
	text, err := json.Marshal(in)
	must(t, err)
	s.send(http.DefaultClient, s.request(http.MethodPost, "/token", "application/json", string(text))).wantRefused(t, "as JSON", "invalid_request")
	c.redeem(code, "padding", strings.Repeat("x", 20_000)).wantRefused(t, "a long form", "invalid_request")
	got := c.redeem(code)
	r := s.request(http.MethodPost, "/mcp?access_token="+got.field("access_token"), "application/json", listTools)
	if got := s.send(http.DefaultClient, r); got.status != http.StatusUnauthorized {
		t.Errorf("a token in the address: %d", got.status)
	}
}

// TestFraming checks that the consent page cannot be framed.
func TestFraming(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	page := p.asked(c.asking())
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src") || page.header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("the page may be framed, or run scripts: %v", page.header)
	}
	r := p.request(http.MethodGet, oauth.PathAuthorize+"?"+c.asking().Encode(), "", "")
	if got := p.send(p.browser, r, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"); got.status != http.StatusForbidden {
		t.Errorf("in a frame: %d", got.status)
	}
	if got := p.send(p.browser, r, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); got.status != http.StatusOK || got.header.Get("Cross-Origin-Opener-Policy") != "" {
		t.Errorf("in a window: %d %v", got.status, got.header)
	}
}

// TestForgedConsent checks that nobody can consent for another user, with or without that user's
// browser.
func TestForgedConsent(t *testing.T) {
	s := newServer(t)
	c, alice, bob := s.register("https://evil.example/cb"), s.signedIn(s.alice), s.signedIn(s.bob)
	question := alice.question(c.asking())
	for name, header := range map[string][]string{
		"another page": {"Origin", "https://evil.example"}, "no page": {"Origin", "null"}, "another port": {"Origin", "http://localhost:3000"}, "a form elsewhere": {"Sec-Fetch-Site", "cross-site"},
	} {
		if got := alice.says("allow", question, header...); got.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := s.visitor().says("allow", question); got.status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", got.status)
	}
	for name, forged := range map[string]string{"of another": question, "none": "", "changed": question[:len(question)-2] + "AA", "of a client": c.id} {
		if got := bob.says("allow", forged); got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	s.turnClock(11 * time.Minute)
	if got := alice.says("allow", question); got.status != http.StatusBadRequest {
		t.Errorf("an old one: %d", got.status)
	}
	s.turnClock(0)
	for _, answer := range []string{"refuse", "", "Allow"} {
		if got := alice.says(answer, question); !strings.Contains(got.header.Get("Location"), "error=access_denied") {
			t.Errorf("%q: %q", answer, got.header.Get("Location"))
		}
	}
}

// TestOtherResource checks that tokens are valid for this server only, even if another one shares
// the grants file.
func TestOtherResource(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for _, resource := range []string{"https://evil.example/mcp", s.public, s.public + "/mcp/x", s.public + "/mcp#x", s.public + "/MCP"} {
		if got := p.asked(c.asking("resource", resource)); got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%s: %d", resource, got.status)
		}
	}
	q := c.asking()
	q.Add("resource", "https://evil.example/mcp")
	if got := p.asked(q); got.status != http.StatusBadRequest {
		t.Errorf("two resources: %d", got.status)
	}
	code := p.allow(c.asking("resource", "HTTP://"+strings.TrimPrefix(s.public, "http://")+"/mcp/")).Get("code")
	c.redeem(code, "resource", "https://evil.example/mcp").wantRefused(t, "for another", "invalid_target")
	got := c.redeem(code)
	other := newServer(t, func(o *server, _ *web.Options) { o.tokens, o.grants = s.tokens, s.grants })
	if other.asks(got.field("access_token")) != http.StatusUnauthorized || s.asks(got.field("access_token")) != http.StatusOK {
		t.Error("a token of one server counts at another")
	}
	other.client(c.id, c.redirect).refresh(got.field("refresh_token")).wantRefused(t, "at another", "invalid_grant")
	if got := c.refresh(got.field("refresh_token")); got.status != http.StatusOK {
		t.Errorf("at its own: %s", got.body)
	}
}

// TestAccessTokens checks that the tokens of a client do not sign in as the user.
func TestAccessTokens(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	got := c.let(p)
	for name, token := range map[string]string{"access": got.field("access_token"), "refresh": got.field("refresh_token"), "client": c.id} {
		if answer := s.post("/sign-in", url.Values{"token": {token}}); answer.status != http.StatusForbidden {
			t.Errorf("the %s token opens the page: %d", name, answer.status)
		}
		if name != "access" && s.asks(token) != http.StatusUnauthorized {
			t.Errorf("the %s token is an access token", name)
		}
	}
	if _, kept := readGrants(t, s.grants); strings.Contains(kept, "vdm_") {
		t.Error("the file has tokens")
	}
}

func readGrants(t *testing.T, file string) ([]oauth.Grant, string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	all, err := oauth.ListGrants(file)
	must(t, err)
	return all, string(text)
}

// TestLineEnds checks that a token with a line end is refused, and ends no grant.
func TestLineEnds(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	question := p.question(c.asking())
	if got := p.says("allow", question+"\n"); got.status != http.StatusBadRequest {
		t.Errorf("a question: %d", got.status)
	}
	if got := p.asked(c.asking("client_id", c.id[:len(c.id)-1]+"\r\n"+c.id[len(c.id)-1:])); got.status != http.StatusBadRequest {
		t.Errorf("a client: %d", got.status)
	}
	code := p.allow(c.asking()).Get("code")
	c.redeem(code+"\n").wantRefused(t, "a code", "invalid_grant")
	got := c.redeem(code)
	c.refresh(got.field("refresh_token")+"\r\n").wantRefused(t, "a refresh token", "invalid_grant")
	if next := c.refresh(got.field("refresh_token")); next.status != http.StatusOK || s.asks(next.field("access_token")) != http.StatusOK {
		t.Errorf("what was agreed to has ended: %d %s", next.status, next.body)
	}
}

// TestRefusedAfterAll checks that a user who denies a request after approving it ends the grant,
// whether its code was redeemed or not, and that nobody else can.
func TestRefusedAfterAll(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for _, isRedeemed := range []bool{false, true} {
		question := p.question(c.asking())
		to, err := url.Parse(p.says("allow", question).header.Get("Location"))
		must(t, err)
		code, token := to.Query().Get("code"), ""
		if isRedeemed {
			token = c.redeem(code).field("access_token")
		}
		if got := s.signedIn(s.bob).says("refuse", question); got.status != http.StatusBadRequest {
			t.Errorf("somebody else refuses: %d", got.status)
		}
		if isRedeemed && s.asks(token) != http.StatusOK {
			t.Error("somebody else has ended it")
		}
		if got := p.says("refuse", question); !strings.Contains(got.header.Get("Location"), "error=access_denied") {
			t.Errorf("refuse: %d %v", got.status, got.header)
		}
		c.redeem(code).wantRefused(t, "the code", "invalid_grant")
		if isRedeemed && s.asks(token) != http.StatusUnauthorized {
			t.Error("what was refused goes on")
		}
	}
}

// TestAnswersInAddress checks that redirect URIs with parameters of the authorization response are
// refused.
func TestAnswersInAddress(t *testing.T) {
	s := newServer(t)
	for _, query := range []string{"?code=a", "?iss=https://evil.example", "?a=b&state=c", "?error", "?a;code=b"} {
		text := `{"redirect_uris":["` + callback + query + `"]}`
		got := s.send(http.DefaultClient, s.request(http.MethodPost, "/register", "application/json", text))
		got.wantRefused(t, query, "invalid_redirect_uri")
	}
	c := s.register(callback + "?tenant=1&codes=2")
	if got := s.signedIn(s.alice).allow(c.asking()); got.Get("tenant") != "1" || got.Get("code") == "" {
		t.Errorf("another query: %v", got)
	}
}

// TestLanguageLeadsNowhereElse checks that the links of an error page stay on this server.
func TestLanguageLeadsNowhereElse(t *testing.T) {
	s := newServer(t)
	for _, p := range []*person{s.visitor(), s.signedIn(s.alice)} {
		for _, path := range []string{"//evil.example/x", "///evil.example", "/%2Fevil.example", "/%2f%2fevil.example", "/%5Cevil.example"} {
			got := p.send(p.browser, p.request(http.MethodGet, path, "", ""))
			for _, attribute := range hrefs.FindAllStringSubmatch(got.body, -1) {
				to, err := url.Parse(s.url)
				must(t, err)
				if to, err = to.Parse(attribute[1]); err != nil || to.Scheme+"://"+to.Host != s.url {
					t.Errorf("%s has a link to %s", path, attribute[1])
				}
			}
		}
	}
}

var hrefs = regexp.MustCompile(`href="([^"]*)"`)

// TestUnencryptedPage checks that an unencrypted page of the same host, which an attacker on the
// network can forge, can neither sign in nor consent.
func TestUnencryptedPage(t *testing.T) {
	const public = "https://kb.example.com"
	s := newServer(t, func(s *server, o *web.Options) { s.public, o.TrustProxy = public, true })
	for origin, want := range map[string]int{"http://kb.example.com": http.StatusForbidden, "HTTP://KB.example.com": http.StatusForbidden, public: http.StatusSeeOther} {
		r := s.request(http.MethodPost, "/sign-in", asForm, url.Values{"token": {s.alice}}.Encode())
		r.Host = "kb.example.com"
		if got := s.send(http.DefaultClient, r, "Origin", origin, "X-Forwarded-Proto", "https"); got.status != want {
			t.Errorf("a page of %s: %d %s", origin, got.status, got.body)
		}
	}
}
