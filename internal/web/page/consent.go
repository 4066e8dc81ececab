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

	"vademecum/internal/message"
	"vademecum/internal/web/oauth"
	"vademecum/internal/web/signin"
)

// A client that somebody connects sends their browser here. Whoever has signed in is told
// which client it is and what it would be allowed, and says yes or no. The page runs no
// script, is shown in no other, and nobody is sent on by it who has not answered.

// consentPolicy is policy without scripts, and without form-action: browsers compare that
// with every address that a form leads to, and here the client says which those are.
const consentPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"

// isOfSignIn tells the pages that another site may have opened in a window, which has to
// find the way back to that site.
func isOfSignIn(path string) bool {
	return path == oauth.PathAuthorize || path == "/sign-in" || strings.HasPrefix(path, "/sign-in/")
}

// consentView is what somebody is asked.
type consentView struct {
	Client   string // as it calls itself, "" for nothing
	Site     string // the host that says what it is, "" for none
	To       string // where they are sent back to
	IsOwn    bool   // which is on their device
	User     string
	Folders  []string
	MayIndex bool
	Until    time.Time
	Sealed   string
}

// askConsent asks whether a client may have what it wants.
func (v *request) askConsent() {
	v.w.Header().Set("Content-Security-Policy", consentPolicy)
	if v.isCleartext(v.r) {
		v.refuseCleartext(v.w, v.r)
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	asked, err := v.o.SignIn.ParseRequest(ctx, v.r.URL.Query(), v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	sealed, err := v.o.SignIn.SealRequest(asked, v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	view := consentView{
		Client: asked.Client.Name, Site: asked.ClientSite(), User: v.user.Name, MayIndex: slices.Contains(asked.Scopes, signin.ScopeIndex),
		Until: v.o.SignIn.GrantExpiry(v.user), Sealed: sealed,
	}
	view.To, view.IsOwn = asked.RedirectTarget()
	for _, folder := range v.view.Library.Folders() {
		view.Folders = append(view.Folders, filepath.Base(folder))
	}
	v.show("consent", view)
}

// consent takes the answer.
func (v *request) consent() {
	v.w.Header().Set("Content-Security-Policy", consentPolicy)
	v.w.Header().Set("Referrer-Policy", "no-referrer")
	asked, err := v.o.SignIn.OpenRequest(v.r.PostFormValue("request"), v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	settle := v.o.SignIn.DenyRequest
	if v.r.PostFormValue("answer") == "allow" {
		settle = v.o.SignIn.ApproveRequest
	}
	to, err := settle(asked, v.user)
	if err != nil {
		v.refuseClient(err)
		return
	}
	v.w.Header().Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
}

// refuseClient tells why a client gets nothing. To tell the client is left to whoever
// sees that: a link to here may have been made by anyone.
func (v *request) refuseClient(err error) {
	why := message.OfError(err)
	v.o.Logger.Warn("access refused", "user", v.user.Name, "address", v.o.From(v.r), "reason", why.String())
	view := refusedView{Reason: why}
	var refused *oauth.RequestError
	if errors.As(err, &refused) && refused.Back != "" {
		to, err := url.Parse(refused.Back)
		if err != nil {
			to = &url.URL{}
		}
		view.Back, view.To = template.URL(refused.Back), cmp.Or(to.Host, to.Scheme+":")
	}
	v.Pages.show(v.w, v.r, http.StatusBadRequest, "refused", view)
}

// refusedView is why a client gets nothing.
type refusedView struct {
	Reason message.Message
	Back   template.URL // leads to the client: an address that it may have; "" where none is known
	To     string       // where that is
}
