package page

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"vademecum/internal/web/access"
	"vademecum/internal/web/guard"
	"vademecum/internal/web/signin"
)

// visit is a request of somebody who was let in, and what they see.
type visit struct {
	*Pages
	w     http.ResponseWriter
	r     *http.Request
	user  signin.User
	shelf *access.Shelf
	words tongue
}

// visited asks whose a request is before it is answered.
func (p *Pages) visited(show func(*visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, err := p.who(r)
		switch {
		case errors.Is(err, signin.ErrUnavailable):
			w.Header().Set("Retry-After", "5")
			p.fail(w, r, http.StatusServiceUnavailable, "who you are cannot be checked now; try again in a moment")
			return
		case err != nil:
			p.askWho(w, r)
			return
		}
		if !p.o.Admit(w, r, user.ID, false) {
			return
		}
		shelf, err := p.o.Choose(user)
		if err != nil {
			p.failShelf(w, r, err)
			return
		}
		ctx := signin.With(r.Context(), user)
		show(&visit{Pages: p, w: w, r: r.WithContext(ctx), user: user, shelf: shelf, words: tongueOf(r)})
	}
}

// who is the user whose session a request is in. A token does not count here, as the
// session does not where programs ask.
func (p *Pages) who(r *http.Request) (signin.User, error) {
	if p.sessions == nil {
		return signin.User{}, nil
	}
	c, err := r.Cookie(p.cookieName(r))
	if err != nil || p.o.Ticket != nil && !p.o.Ticket.IsOwn(r.RemoteAddr) {
		return signin.User{}, signin.ErrInvalid
	}
	return p.sessions.Who(r.Context(), c.Value)
}

// askWho has somebody sign in. A browser that is led here by another site leaves the
// cookie out, and sends it when the page itself asks again.
func (p *Pages) askWho(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet || isPart(r):
		p.fail(w, r, http.StatusUnauthorized, "sign in first")
	case isLedHere(r):
		p.show(w, r, http.StatusOK, "again", again(r.URL))
	case p.o.Ticket != nil:
		p.refuseTicket(w, r)
	default:
		to := "/sign-in"
		if r.URL.Path != "/" {
			to += "?to=" + queryEscape(r.URL.RequestURI())
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
}

// again is the address of a page as one that a browser loads anew: it takes the same
// address for the same page where that has a fragment, which a server is not told.
func again(u *url.URL) string {
	q := u.Query()
	if q.Has("again") {
		q.Del("again")
	} else {
		q.Set("again", "1")
	}
	to := u.EscapedPath()
	if len(q) > 0 {
		to += "?" + q.Encode()
	}
	if q.Has("at") {
		to += "#passage"
	}
	return to
}

// isLedHere tells a request that another site led to: the browser leaves the cookie out.
func isLedHere(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}

// isPart tells a request of a script rather than of a window.
func isPart(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.URL.Path == "/events" || mode != "" && mode != "navigate"
}

func (p *Pages) failShelf(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, access.ErrNone) {
		p.fail(w, r, http.StatusForbidden, "none of the folders is for you")
		return
	}
	p.o.Logger.Error("folders cannot be served", "error", err)
	w.Header().Set("Retry-After", "60")
	p.fail(w, r, http.StatusServiceUnavailable, "the folders cannot be served now")
}

// isStillIn tells whether the visit would be let in now, to see the same.
func (v *visit) isStillIn(ctx context.Context) bool {
	user, err := v.who(v.r.WithContext(ctx))
	if err != nil {
		return errors.Is(err, signin.ErrUnavailable)
	}
	shelf, err := v.o.Choose(user)
	return err == nil && shelf == v.shelf
}

// isHere tells that the visitor sits at the machine of the server: what a proxy passes
// on comes from somewhere else.
func (v *visit) isHere() bool {
	h := v.r.Header
	return v.o.Local && h.Get("X-Forwarded-For") == "" && h.Get("Forwarded") == "" && h.Get("Via") == ""
}

// keepsFolders tells that the visitor is one who sees to the folders, and not only
// reads in them.
func (v *visit) keepsFolders() bool {
	return v.sessions == nil && v.isHere() || v.sessions != nil && v.user.May(signin.ScopeIndex)
}

// timed bounds how long a page may take.
func (v *visit) timed() (ctx context.Context, cancel context.CancelFunc) {
	return context.WithTimeout(v.r.Context(), longestWait)
}

// cookieName is what the cookie of a session is called. The prefix has browsers take
// it from this host alone, over connections that nobody reads. Servers on this machine
// share their cookies, whatever their ports: each has a name of its own.
func (p *Pages) cookieName(r *http.Request) string {
	if p.isPlainHere(r) {
		_, port, _ := net.SplitHostPort(r.Host)
		return "vademecum" + port
	}
	return "__Host-vademecum"
}

// isPlainHere tells a request that stays on this machine, and is not encrypted.
func (p *Pages) isPlainHere(r *http.Request) bool {
	return !p.o.IsSecure(r) && guard.IsLoopback(r.Host)
}

// setCookie names a session, or none for "".
func (p *Pages) setCookie(w http.ResponseWriter, r *http.Request, id string) {
	c := &http.Cookie{Name: p.cookieName(r), Value: id, Path: "/", HttpOnly: true, Secure: !p.isPlainHere(r), SameSite: http.SameSiteStrictMode}
	if id == "" {
		c.MaxAge, c.Expires = -1, time.Unix(0, 0)
	}
	http.SetCookie(w, c)
}
