package page

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
)

// sessionCookie returns what the cookie of a session is called.
func (p *Pages) sessionCookie(r *http.Request) string { return p.cookieName(r, "") }

// flowCookie returns the name of the cookie of a pending sign-in at the provider. Each has its
// own, identified by its state, as several windows may sign in at once.
func (p *Pages) flowCookie(r *http.Request, state string) string {
	sum := sha256.Sum256([]byte(state))
	return p.flowCookies(r) + hex.EncodeToString(sum[:8])
}

// flowCookies returns how the names of all of them begin.
func (p *Pages) flowCookies(r *http.Request) string { return p.cookieName(r, "-sign-in-") }

// cookieName returns the name of a cookie. Its prefix makes browsers accept it from this
// host alone, over secure connections. Servers on this machine share their cookies,
// whatever their ports, so each has names of its own.
func (p *Pages) cookieName(r *http.Request, of string) string {
	if p.isPlainHere(r) {
		_, port, _ := net.SplitHostPort(r.Host)
		return "vademecum" + port + of
	}
	if p.o.Below != "" { // where others have the rest of the host
		return "__Secure-vademecum" + of
	}
	return "__Host-vademecum" + of
}

// isPlainHere reports whether a request is unencrypted, and stays on this machine.
func (p *Pages) isPlainHere(r *http.Request) bool {
	return !p.o.IsSecure(r) && guard.IsLoopback(r.Host)
}

// longestCookie is what all browsers take of one, with its name.
const longestCookie = 3800

// pieces is in how many cookies a text is kept, and piece what the others are called.
func pieces(text string) int { return max(1, (len(text)+longestCookie-1)/longestCookie) }

func piece(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n+1)
}

// mostPieces hold the longest text that is kept.
const mostPieces = (signin.MostSealed + longestCookie - 1) / longestCookie

// keep stores a text in cookies of the browser, or removes them for "". The first cookie
// has the number of cookies.
func keep(w http.ResponseWriter, c http.Cookie, text string) {
	name, n := c.Name, pieces(text)
	if text == "" {
		c.MaxAge, c.Expires = -1, time.Unix(0, 0)
	}
	for i := range n {
		c.Name, c.Value = piece(name, i), text[:min(longestCookie, len(text))]
		text = text[len(c.Value):]
		if i == 0 && c.MaxAge >= 0 {
			c.Value = strconv.Itoa(n) + "." + c.Value
		}
		http.SetCookie(w, &c)
	}
}

// keptBy returns the text that keep has stored, "" for none or an invalid one.
func keptBy(r *http.Request, name string) string {
	var all strings.Builder
	for i, n := 0, 1; i < n; i++ {
		c, err := r.Cookie(piece(name, i))
		if err != nil {
			return ""
		}
		text := c.Value
		if i == 0 {
			count, first, _ := strings.Cut(text, ".")
			if n, err = strconv.Atoi(count); err != nil || n < 1 || n > mostPieces {
				return ""
			}
			text = first
		}
		all.WriteString(text)
	}
	return all.String()
}

// forget removes a text from the cookies of a browser.
func forget(w http.ResponseWriter, r *http.Request, c http.Cookie) {
	name := c.Name
	for i := range mostPieces {
		c.Name = piece(name, i)
		if _, err := r.Cookie(c.Name); err == nil || i == 0 {
			keep(w, c, "")
		}
	}
}

// cookiePath is below which paths browsers send cookies.
func (p *Pages) cookiePath() string { return cmp.Or(p.o.Below, "/") }

// cookie returns one that only this server sees.
func (p *Pages) cookie(r *http.Request, name string) http.Cookie {
	return http.Cookie{Name: name, Path: p.cookiePath(), HttpOnly: true, Secure: !p.isPlainHere(r), SameSite: http.SameSiteStrictMode}
}

// setSession sets the session cookie.
func (p *Pages) setSession(w http.ResponseWriter, r *http.Request, name string) {
	keep(w, p.cookie(r, p.sessionCookie(r)), name)
}

// setFlow stores a pending sign-in in the browser, also for the redirect from the
// provider.
func (p *Pages) setFlow(w http.ResponseWriter, r *http.Request, begun signin.StartedSignIn) {
	p.forgetFlows(w, r, signin.MostSealed-len(begun.Kept))
	c := p.cookie(r, p.flowCookie(r, begun.State))
	c.SameSite, c.MaxAge = http.SameSiteLaxMode, int(signin.FlowLasts.Seconds())
	keep(w, c, begun.Kept)
}

// forgetFlows removes older pending sign-ins from the browser: it keeps so many bytes of
// the newest, which the browser sends last.
func (p *Pages) forgetFlows(w http.ResponseWriter, r *http.Request, most int) {
	for _, c := range slices.Backward(r.Cookies()) {
		if !strings.HasPrefix(c.Name, p.flowCookies(r)) {
			continue
		}
		if most -= len(c.Name) + len(c.Value); most < 0 {
			keep(w, p.cookie(r, c.Name), "")
		}
	}
}
