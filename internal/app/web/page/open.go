package page

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"vademecum/internal/base/message"
)

// open signs in a browser that presents a valid login code. A browser that has signed in before is let
// in without one.
func (p *Pages) open(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("ticket")
	host, _, _ := net.SplitHostPort(r.Host) // "" without a port
	if to := p.ownHost(r); to != "" && p.o.LocalSignIn.MatchesCode(text, r.RemoteAddr) {
		http.Redirect(w, r, "http://"+to+"/open?"+url.Values{"ticket": {text}}.Encode(), http.StatusSeeOther)
		return
	}
	token, err := p.o.LocalSignIn.Redeem(text, r.RemoteAddr, host)
	if err == nil {
		err = p.beginSession(w, r, token)
	} else {
		_, _, err = p.who(r)
	}
	switch {
	case err == nil:
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case isLedHere(r):
		p.show(w, r, http.StatusOK, "again", nil)
	case p.o.AllowRequest(w, r, "", true):
		p.refuseTicket(w, r)
	}
}

// proveOpen proves to another process of vademecum open, of the same user, that this server serves
// the page.
func (p *Pages) proveOpen(w http.ResponseWriter, r *http.Request) {
	if !p.o.LocalSignIn.IsOwnConnection(r.RemoteAddr) {
		p.refuseTicket(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, p.o.LocalSignIn.AnswerChallenge(r.URL.Query().Get("question")))
}

// ownHost returns a host name of this server alone, to which a browser is redirected so that its
// cookie is not sent to other programs on this machine. It returns "" if the browser uses that name
// already, or may not resolve it: only Chromium, Firefox and their derivatives map all names below
// .localhost to this machine without asking the system.
func (p *Pages) ownHost(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	agent := r.UserAgent()
	if err != nil || host == p.o.LocalSignIn.SecretHostname() || !strings.Contains(agent, "Chrome/") && !strings.Contains(agent, "Firefox/") {
		return ""
	}
	return net.JoinHostPort(p.o.LocalSignIn.SecretHostname(), port)
}

// refuseTicket tells a visitor without a valid login code how to get one.
func (p *Pages) refuseTicket(w http.ResponseWriter, r *http.Request) {
	p.failOn(w, r, http.StatusForbidden, "closed", message.New("This page is only for the person who started it, in the browser that opened it, through a link that works once: for a new link, run vademecum open for the folder again."))
}
