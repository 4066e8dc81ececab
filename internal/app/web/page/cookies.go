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

// sessionCookie returns the name of the session cookie.
func (p *Pages) sessionCookie(r *http.Request) string { return p.cookieName(r, "") }

// flowCookie returns the name of the cookie of a pending sign-in at the identity provider. Each
// sign-in has a cookie of its own, identified by the sign-in's state, as several windows may sign
// in at once.
func (p *Pages) flowCookie(r *http.Request, state string) string {
	sum := sha256.Sum256([]byte(state))
	return p.flowCookies(r) + hex.EncodeToString(sum[:8])
}

// flowCookies returns the prefix that the names of the cookies of pending sign-ins share.
func (p *Pages) flowCookies(r *http.Request) string { return p.cookieName(r, "-sign-in-") }

// cookieName returns the name of a cookie that ends with of. Its prefix makes browsers accept the
// cookie only from this host and over secure connections. Servers on this machine share cookies
// regardless of their ports, so the name contains the port.
func (p *Pages) cookieName(r *http.Request, of string) string {
	if p.isPlainHere(r) {
		_, port, _ := net.SplitHostPort(r.Host)
		return "vademecum" + port + of
	}
	if p.o.PathPrefix != "" { // other servers may use the rest of the host
		return "__Secure-vademecum" + of
	}
	return "__Host-vademecum" + of
}

// isPlainHere reports whether a request is unencrypted but did not leave this machine.
func (p *Pages) isPlainHere(r *http.Request) bool {
	return !p.o.IsSecure(r) && guard.IsLoopback(r.Host)
}

// longestCookie is the maximum length of a cookie with its name, in bytes, that all browsers
// accept.
const longestCookie = 3800

// pieces returns the number of cookies that store a text.
func pieces(text string) int { return max(1, (len(text)+longestCookie-1)/longestCookie) }

// piece returns the name of the n-th cookie of a text.
func piece(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n+1)
}

// mostPieces is the number of cookies for the longest text that is stored.
const mostPieces = (signin.MaxCookieBytes + longestCookie - 1) / longestCookie

// keep stores a text in cookies of the browser, or removes them if the text is "". The first cookie
// contains the number of cookies.
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

// keptBy returns the text that keep has stored under a name; "" if it is missing or invalid.
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

// forget removes a text that keep has stored.
func forget(w http.ResponseWriter, r *http.Request, c http.Cookie) {
	name := c.Name
	for i := range mostPieces {
		c.Name = piece(name, i)
		if _, err := r.Cookie(c.Name); err == nil || i == 0 {
			keep(w, c, "")
		}
	}
}

// cookiePath returns the path below which browsers send the cookies.
func (p *Pages) cookiePath() string { return cmp.Or(p.o.PathPrefix, "/") }

// cookie returns a cookie with a name that browsers send only to this server.
func (p *Pages) cookie(r *http.Request, name string) http.Cookie {
	return http.Cookie{Name: name, Path: p.cookiePath(), HttpOnly: true, Secure: !p.isPlainHere(r), SameSite: http.SameSiteStrictMode}
}

// setSession sets the session cookie.
func (p *Pages) setSession(w http.ResponseWriter, r *http.Request, id string) {
	keep(w, p.cookie(r, p.sessionCookie(r)), id)
}

// setFlow stores a pending sign-in in the browser. Its cookie is also sent when the identity
// provider redirects back.
func (p *Pages) setFlow(w http.ResponseWriter, r *http.Request, begun signin.StartedSignIn) {
	p.forgetFlows(w, r, signin.MaxCookieBytes-len(begun.Cookie))
	c := p.cookie(r, p.flowCookie(r, begun.State))
	c.SameSite, c.MaxAge = http.SameSiteLaxMode, int(signin.FlowTimeout.Seconds())
	keep(w, c, begun.Cookie)
}

// forgetFlows removes the oldest pending sign-ins from the browser until the others take at most
// most bytes. Browsers send the newest cookie last.
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
