package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"vademecum/internal/app/web/signin"
)

// pathProvider is the path that redirects to the identity provider.
const pathProvider = "/sign-in/provider"

// client returns the client of the identity provider; nil if users sign in without one.
func (p *Pages) client() *signin.Client {
	if p.o.Authenticator == nil {
		return nil
	}
	return p.o.Authenticator.ProviderClient
}

// toProvider redirects a browser to the identity provider in order to sign in.
func (p *Pages) toProvider(w http.ResponseWriter, r *http.Request) {
	to := r.FormValue("to")
	if p.isCleartext(r) {
		p.refuseCleartext(w, r)
		return
	}
	if site := p.elsewhere(r); site != "" {
		http.Redirect(w, r, site+pathProvider+"?"+url.Values{"to": {to}, "here": {"1"}}.Encode(), http.StatusSeeOther)
		return
	}
	begun, err := p.client().BeginSignIn(r.Context(), to)
	if err == nil && len(begun.Cookie) > signin.MaxCookieBytes {
		begun, err = p.client().BeginSignIn(r.Context(), "/")
	}
	if err != nil {
		p.failFlow(w, r, err, to)
		return
	}
	p.setFlow(w, r, begun)
	http.Redirect(w, r, begun.URL, http.StatusSeeOther)
}

// elsewhere returns the site of the redirect URI if the browser uses the server under another host
// name, as the cookie of the sign-in would not be sent to that site. It returns "" if the names are
// equal or the browser has been redirected already, since a proxy may change the host name.
func (p *Pages) elsewhere(r *http.Request) string {
	site := p.client().SiteURL()
	if u, err := url.Parse(site); err != nil || strings.EqualFold(u.Host, r.Host) || r.FormValue("here") != "" {
		return ""
	}
	return site
}

// fromProvider handles the redirect back from the identity provider. It responds with a page that
// loads the one that the user wanted, as browsers send no cookies after a redirect from another
// site.
func (p *Pages) fromProvider(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the URL contains a code
	name := p.flowCookie(r, r.FormValue("state"))
	forget(w, r, p.cookie(r, name))
	token, to, err := p.client().FinishSignIn(r.Context(), keptBy(r, name), r.URL.Query())
	if err == nil {
		err = p.beginSession(w, r, token)
	}
	if err != nil {
		p.failFlow(w, r, err, to)
		return
	}
	p.show(w, r, http.StatusOK, "again", atPassage(within(to)))
}

// failFlow redirects to the sign-in page after an error. The error is in the URL of that page,
// which unlike the present URL does not contain the code.
func (p *Pages) failFlow(w http.ResponseWriter, r *http.Request, err error, to string) {
	problem := "invalid"
	switch {
	case errors.Is(err, signin.ErrCheckUnavailable):
		problem = "away"
	case !p.o.AllowRequest(w, r, "", true):
		return
	case errors.Is(err, signin.ErrSignInDenied):
		problem = "denied"
	case errors.Is(err, signin.ErrUnknownSignIn):
		problem = "old"
	case errors.Is(err, signin.ErrInsufficientScope):
		problem = "scope"
	case errors.Is(err, signin.ErrTokenTooLong):
		problem = "long"
	case errors.As(err, new(signin.ProviderError)):
		problem = "refused"
	}
	http.Redirect(w, r, "/sign-in?"+url.Values{"problem": {problem}, "to": {to}}.Encode(), http.StatusSeeOther)
}

// askAgain shows the sign-in page with the error that failFlow has put into its URL.
func (p *Pages) askAgain(w http.ResponseWriter, r *http.Request) {
	switch r.FormValue("problem") {
	case "away":
		w.Header().Set("Retry-After", "5")
		p.askToken(w, r, http.StatusServiceUnavailable, "The identity provider does not answer. Try again in a moment.")
	case "denied":
		p.askToken(w, r, http.StatusForbidden, "The sign-in was cancelled or refused at the identity provider.")
	case "old":
		p.askToken(w, r, http.StatusBadRequest, "This sign-in is too old, or was started in another browser. Sign in again.")
	case "scope":
		p.askToken(w, r, http.StatusForbidden, "The identity provider knows you, but does not let you read documents here.")
	case "long":
		p.askToken(w, r, http.StatusForbidden, "The token of the identity provider is too long for a browser to keep.")
	case "refused":
		p.askToken(w, r, http.StatusBadGateway, "The identity provider refuses this server. The server's administrator finds the reason in its log.")
	case "invalid":
		p.askToken(w, r, http.StatusForbidden, "The token of the identity provider is not valid here. The server's administrator finds the reason in its log.")
	default:
		p.askToken(w, r, http.StatusOK, "")
	}
}

// atPassage returns a URL with the fragment of the passage that it names in a parameter, since
// browsers do not send fragments.
func atPassage(to string) string {
	u, err := url.Parse(to)
	if err == nil && u.Fragment == "" && u.Query().Has("at") {
		to += "#passage"
	}
	return to
}
