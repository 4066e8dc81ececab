package page

import (
	"cmp"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// The authorization endpoint: a consent page on which a user who has signed in approves or denies
// the request of a client. The page runs no scripts, cannot be framed, and redirects only after the
// user has answered.

// consentPolicy is the Content-Security-Policy of the consent page, which runs no scripts. It has
// no form-action, which browsers would apply to the redirect after the form as well: that leads to
// the redirect URI of the client.
const consentPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"

// isOfSignIn reports whether a page may be open in a pop-up window that another site has opened,
// and must keep its reference to that site.
func isOfSignIn(path string) bool {
	return path == oauth.PathAuthorize || path == "/sign-in" || strings.HasPrefix(path, "/sign-in/")
}

// consentView is the content of the consent page.
type consentView struct {
	Client        string // registered name of the client; "" if unnamed
	Site          string // host of its client ID metadata document; "" if there is none
	To            string // host of the redirect URI
	IsOwn         bool   // the redirect URI is that of a program on the user's device
	User          string
	Folders       []string
	MayIndex      bool
	Until         time.Time
	SignedRequest string
}

// authorize shows the consent page to a user who has signed in. A request that would be refused for
// every user is refused before sign-in.
func (p *Pages) authorize(w http.ResponseWriter, r *http.Request) {
	if err := p.o.OAuthServer.PrecheckRequest(r.URL.Query()); err != nil && !p.isSignedIn(r) {
		w.Header().Set("Content-Security-Policy", consentPolicy)
		p.show(w, r, http.StatusBadRequest, "refused", refusedView{Reason: message.FromError(err)})
		return
	}
	p.visited((*request).askConsent)(w, r)
}

// askConsent shows the consent page for an authorization request.
func (v *request) askConsent() {
	v.w.Header().Set("Content-Security-Policy", consentPolicy)
	if v.isCleartext(v.r) {
		v.refuseCleartext(v.w, v.r)
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	asked, err := v.o.OAuthServer.ParseRequest(ctx, v.r.URL.Query(), v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	signed, err := v.o.OAuthServer.SignRequest(asked, v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	view := consentView{
		Client: asked.Client.Name, Site: asked.ClientSite(), User: v.user.Name, MayIndex: slices.Contains(asked.Scopes, signin.ScopeUpdateIndex),
		Until: v.o.OAuthServer.GrantExpiry(v.user), SignedRequest: signed,
	}
	view.To, view.IsOwn = asked.RedirectTarget()
	for _, folder := range v.view.Library.Folders() {
		view.Folders = append(view.Folders, filepath.Base(folder))
	}
	v.show("consent", view)
}

// consent handles the form of the consent page.
func (v *request) consent() {
	v.w.Header().Set("Content-Security-Policy", consentPolicy)
	v.w.Header().Set("Referrer-Policy", "no-referrer")
	asked, err := v.o.OAuthServer.VerifyRequest(v.r.PostFormValue("request"), v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	decide := v.o.OAuthServer.DenyRequest
	if v.r.PostFormValue("answer") == "allow" {
		decide = v.o.OAuthServer.ApproveRequest
	}
	to, err := decide(asked, v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	v.w.Header().Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
}

// refuseClient shows why an authorization request is refused. The page has a link by which the user
// can send the error to the client. It does not redirect there, as anyone can make a link to this
// page.
func (v *request) refuseClient(err error) {
	why := message.FromError(err)
	v.o.Logger.Warn("access refused", "user", v.user.Name, "address", v.o.SenderAddress(v.r), "reason", why.String())
	status := http.StatusBadRequest
	if errors.Is(err, oauth.ErrConsentNotSaved) { // not the fault of the request
		status = http.StatusServiceUnavailable
		v.w.Header().Set("Retry-After", againAfter)
	}
	view := refusedView{Reason: why}
	var refused *oauth.RequestError
	if errors.As(err, &refused) && refused.RedirectURL != "" {
		to, err := url.Parse(refused.RedirectURL)
		if err != nil {
			to = &url.URL{}
		}
		view.Back, view.To = template.URL(refused.RedirectURL), cmp.Or(to.Host, to.Scheme+":")
	}
	v.Pages.show(v.w, v.r, status, "refused", view)
}

// refusedView is the content of the page that refuseClient shows.
type refusedView struct {
	Reason message.Message
	Back   template.URL // redirect URI with the error; "" if that URI is invalid
	To     string       // host of the redirect URI
}
