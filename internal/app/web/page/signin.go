package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
)

// signInView is the content of the sign-in page.
type signInView struct {
	To       string // path of the page to go to afterwards
	Problem  string
	Closed   bool   // signing in is not possible, as the connection is not encrypted
	Start    string // link for signing in at the identity provider; "" if there is none
	Token    bool   // show a form for a token
	Provider string // issuer of the tokens that are accepted; "" means this server
}

// signInForm shows the sign-in page. A user who has signed in already, in another window, is
// redirected unless there is a problem to show.
func (p *Pages) signInForm(w http.ResponseWriter, r *http.Request) {
	problem := r.FormValue("problem")
	mayGoOn := problem == "" || problem == "old"
	switch {
	case p.sessions == nil:
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case mayGoOn && p.isSignedIn(r):
		http.Redirect(w, r, atPassage(within(r.FormValue("to"))), http.StatusSeeOther)
	case p.o.LocalSignIn != nil:
		p.refuseTicket(w, r)
	case p.isCleartext(r):
		p.refuseCleartext(w, r)
	case mayGoOn && isLedHere(r):
		p.show(w, r, http.StatusOK, "again", again(r.URL))
	default:
		p.askAgain(w, r)
	}
}

func (p *Pages) isSignedIn(r *http.Request) bool {
	_, _, err := p.who(r)
	return err == nil
}

// isCleartext reports whether a request came unencrypted over a network.
func (p *Pages) isCleartext(r *http.Request) bool {
	return !p.o.IsSecure(r) && !guard.IsLoopback(r.Host)
}

// refuseCleartext tells a visitor that signing in requires HTTPS.
func (p *Pages) refuseCleartext(w http.ResponseWriter, r *http.Request) {
	p.askToken(w, r, http.StatusForbidden, "Others could read the token in transit: signing in requires HTTPS.")
}

func (p *Pages) askToken(w http.ResponseWriter, r *http.Request, status int, problem string) {
	to := within(r.FormValue("to"))
	view := signInView{To: to, Problem: problem, Provider: p.o.Authenticator.ProviderIssuer, Closed: p.isCleartext(r), Token: true}
	if p.client() != nil {
		view.Start, view.Token = withReturn(pathProvider, to), p.o.Authenticator.AllowsTokenInBrowser
	}
	p.show(w, r, status, "sign-in", view)
}

// signIn handles the sign-in form with a token.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) {
	if p.sessions == nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	if p.isCleartext(r) {
		p.refuseCleartext(w, r)
		return
	}
	err := p.beginSession(w, r, strings.TrimSpace(r.PostFormValue("token")))
	switch {
	case err == nil:
		http.Redirect(w, r, atPassage(within(r.PostFormValue("to"))), http.StatusSeeOther)
	case errors.Is(err, signin.ErrCheckUnavailable):
		w.Header().Set("Retry-After", "5")
		p.askToken(w, r, http.StatusServiceUnavailable, "Who you are cannot be checked now; try again in a moment.")
	case !p.o.AllowRequest(w, r, "", true):
	case errors.Is(err, signin.ErrInsufficientScope):
		p.askToken(w, r, http.StatusForbidden, "This token does not let you read documents.")
	case errors.Is(err, signin.ErrTokenTooLong):
		p.askToken(w, r, http.StatusForbidden, "This token is too long for a browser to keep.")
	default:
		p.askToken(w, r, http.StatusForbidden, "This token is not valid here.")
	}
}

// beginSession begins a session for the user of a token, and sets its cookie. The previous session of the
// browser ends. It returns an error if the token is not valid.
func (p *Pages) beginSession(w http.ResponseWriter, r *http.Request, token string) error {
	name, user, err := p.sessions.BeginSession(r.Context(), keptBy(r, p.sessionCookie(r)), token)
	if err != nil {
		return err
	}
	p.logSignIn(r, user, "signed in")
	p.setSession(w, r, name)
	return nil
}

// signOut ends the session of a browser and clears what the browser has stored.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) {
	if user, _, err := p.who(r); err == nil {
		p.logSignIn(r, user, "signed out")
	}
	if p.sessions != nil {
		p.sessions.EndSession(keptBy(r, p.sessionCookie(r)))
	}
	forget(w, r, p.cookie(r, p.sessionCookie(r)))
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
}

// within returns the path to redirect to: to if it is a path of this server, otherwise "/". This
// prevents open redirects.
func within(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}
