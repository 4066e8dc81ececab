package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin"
)

// TestOwnHost checks that a browser that resolves the secret host name gets its session under that
// name, another browser under the present one, and that the name is not revealed without a ticket.
func TestOwnHost(t *testing.T) {
	const (
		firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
		safari  = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15"
	)
	for agent, moves := range map[string]bool{firefox: true, strings.Replace(safari, "Version/18.5", "Chrome/142.0.0.0", 1): true, safari: false, "": false} {
		ticket := signin.NewLocalSignIn(alice)
		s := open(t, notes, func(o *Options) {
			o.LocalSignIn, o.Authenticator = ticket, &signin.Authenticator{Checkers: []signin.Checker{ticket}}
		})
		server := httptest.NewServer(s.pages) // a real server, so that connections have an owner
		defer server.Close()
		get := func(url string, header ...string) *http.Response {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host, r.URL.Host = r.URL.Host, strings.TrimPrefix(server.URL, "http://")
			r.Header.Set("User-Agent", agent)
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			answer, err := server.Client().Transport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			return answer
		}
		const here = "http://127.0.0.1:8765"
		text := ticket.NewLoginCode()
		for _, wrong := range []string{here + "/open?ticket=x", here + "/open", here + "/", here + "/sign-in"} {
			if answer := get(wrong); answer.StatusCode != http.StatusForbidden || strings.Contains(answer.Header.Get("Location"), ticket.SecretHostname()) {
				t.Errorf("%s: %d %v", wrong, answer.StatusCode, answer.Header)
			}
		}
		link := here + "/open?ticket=" + text
		if moves {
			own := "http://" + ticket.SecretHostname() + ":8765/open?ticket=" + text
			answer := get(link)
			if to := answer.Header.Get("Location"); to != own || len(answer.Cookies()) > 0 {
				t.Fatalf("%s is led to %s with %v", agent, to, answer.Cookies())
			}
			link = own
		}
		answer := get(link, "Sec-Fetch-Site", "cross-site")
		cookies := answer.Cookies()
		if answer.Header.Get("Location") != "/" || len(cookies) != 1 || cookies[0].Domain != "" {
			t.Fatalf("%q is let in by %d %v", agent, answer.StatusCode, answer.Header)
		}
		if answer := get(link, "Sec-Fetch-Site", "cross-site"); answer.StatusCode != http.StatusOK || answer.Header.Get("Location") != "" {
			t.Errorf("who comes again has no chance to send the cookie: %d %v", answer.StatusCode, answer.Header)
		}
		if answer := get(link, "Cookie", cookies[0].Name+"="+cookies[0].Value); answer.Header.Get("Location") != "/" {
			t.Errorf("who was let in is not again: %d", answer.StatusCode)
		}
		if answer := get(link); answer.StatusCode != http.StatusForbidden {
			t.Errorf("the ticket lets another in: %d", answer.StatusCode)
		}
		if answer := get("http://"+ticket.SecretHostname()+":8765/open?ticket="+ticket.NewLoginCode(), "Sec-Fetch-Site", "cross-site"); answer.Header.Get("Location") != "/" {
			t.Errorf("another text is not valid: %d", answer.StatusCode)
		}
	}
}

// TestRefusedTicket checks that a visitor without a valid ticket is told how to get one.
func TestRefusedTicket(t *testing.T) {
	ticket := signin.NewLocalSignIn(alice)
	s := open(t, notes, func(o *Options) {
		o.LocalSignIn, o.Authenticator = ticket, &signin.Authenticator{Checkers: []signin.Checker{ticket}}
	})
	for language, want := range map[string]string{"en": "run vademecum open for the folder again", "zh": "请对该文件夹再次运行 vademecum open"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8765/", nil)
		r.Header.Set("Accept-Language", language)
		answer := httptest.NewRecorder()
		s.pages.ServeHTTP(answer, r)
		if answer.Code != http.StatusForbidden || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d without %q:\n%s", language, answer.Code, want, answer.Body)
		}
		for _, closed := range []string{`id="q"`, "/search", "/library", `<a href="/"`, "<p>this"} {
			if body := strings.Replace(answer.Body.String(), `<a class="mark" href="/"`, "", 1); strings.Contains(body, closed) {
				t.Errorf("%s: %s leads to what is not for them:\n%s", language, closed, body)
			}
		}
	}
}
