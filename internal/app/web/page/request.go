package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// request is a request of an authenticated user, with the view of that user.
type request struct {
	*Pages
	w     http.ResponseWriter
	r     *http.Request
	user  signin.User
	view  *access.View
	words locale
}

// visited returns a handler that authenticates a request and then calls show.
func (p *Pages) visited(show func(*request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, renewed, err := p.who(r)
		switch {
		case errors.Is(err, signin.ErrCheckUnavailable):
			w.Header().Set("Retry-After", "5")
			p.fail(w, r, http.StatusServiceUnavailable, message.New("who you are cannot be checked now; try again in a moment"))
			return
		case err != nil:
			p.askWho(w, r, errors.Is(err, signin.ErrExpiredToken))
			return
		case renewed != "":
			p.setSession(w, r, renewed)
		}
		if !p.o.AllowRequest(w, r, user.ID, false) {
			return
		}
		view, err := p.o.ChooseView(user)
		if err != nil {
			p.failView(w, r, err)
			return
		}
		ctx := signin.WithUser(r.Context(), user)
		v := &request{Pages: p, w: w, r: r.WithContext(ctx), user: user, view: view, words: localeOf(r)}
		if p.o.VisitsDir != "" && !isPart(r) {
			p.liveOf(view).visits.note(time.Now(), v.isOwner)
		}
		show(v)
	}
}

// who returns the user of the session that a request's cookie names, and the new value of the
// cookie, which is "" if it does not change. Pages accept no bearer tokens, just as the MCP
// endpoint accepts no session cookies.
func (p *Pages) who(r *http.Request) (user signin.User, renewed string, err error) {
	if p.sessions == nil {
		return signin.User{}, "", nil
	}
	if p.o.LocalSignIn != nil && !p.o.LocalSignIn.IsOwnConnection(r.RemoteAddr) {
		return signin.User{}, "", signin.ErrInvalidToken
	}
	return p.sessions.UserOf(r.Context(), keptBy(r, p.sessionCookie(r)))
}

// askWho responds to a visitor who has to sign in, usually by redirecting to the sign-in page. If
// the request follows a link on another site, for which browsers send no cookie, it responds with a
// page that loads the same URL again. If only the token of the session has expired, it redirects to
// the identity provider, which may issue another one without asking the user.
func (p *Pages) askWho(w http.ResponseWriter, r *http.Request, expired bool) {
	switch {
	case r.Method != http.MethodGet || isPart(r):
		p.fail(w, r, http.StatusUnauthorized, message.New("sign in first"))
	case isLedHere(r):
		p.show(w, r, http.StatusOK, "again", again(r.URL))
	case p.o.LocalSignIn != nil:
		p.refuseTicket(w, r)
	case expired && p.client() != nil:
		http.Redirect(w, r, withReturn(pathProvider, r.URL.RequestURI()), http.StatusSeeOther)
	default:
		http.Redirect(w, r, withReturn("/sign-in", r.URL.RequestURI()), http.StatusSeeOther)
	}
}

// withReturn returns a path with a parameter that contains the path to return to.
func withReturn(path, to string) string {
	if to == "" || to == "/" {
		return path
	}
	return path + "?to=" + url.QueryEscape(to)
}

// again returns the URL of the same page with the parameter "again" added or removed. A browser would not
// load the page anew from a URL that differs only in its fragment, but just scroll.
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

// isLedHere reports whether a request follows a link on another site, for which browsers send no
// cookie.
func isLedHere(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}

// isPart reports whether a script has sent a request.
func isPart(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.URL.Path == "/events" || mode != "" && mode != "navigate"
}

func (p *Pages) failView(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, access.ErrNoFolderVisible) {
		p.fail(w, r, http.StatusForbidden, message.New("you may not see any of the folders"))
		return
	}
	p.o.Logger.Error("folders cannot be served", "error", err)
	w.Header().Set("Retry-After", "60")
	p.fail(w, r, http.StatusServiceUnavailable, message.New("the folders cannot be served now"))
}

// isStillIn reports whether the request would still be admitted, with the same view. It also does if
// the user cannot be checked at the moment, so that an outage ends no streams.
func (v *request) isStillIn(ctx context.Context) bool {
	user, _, err := v.who(v.r.WithContext(ctx))
	if err != nil {
		return errors.Is(err, signin.ErrCheckUnavailable)
	}
	view, err := v.o.ChooseView(user)
	return err == nil && view == v.view
}

// isHere reports whether the visitor uses the machine of the server, and the request did not come
// through a proxy.
func (v *request) isHere() bool {
	h := v.r.Header
	return v.o.IsForLocalUser && h.Get("X-Forwarded-For") == "" && h.Get("Forwarded") == "" && h.Get("Via") == ""
}

// keepsFolders reports whether the user may manage the folders.
func (v *request) keepsFolders() bool {
	return v.sessions == nil && v.isHere() || v.sessions != nil && v.user.HasScope(signin.ScopeUpdateIndex)
}

// timed returns a context with the time limit for a page.
func (v *request) timed() (ctx context.Context, cancel context.CancelFunc) {
	return context.WithTimeout(v.r.Context(), longestWait)
}
