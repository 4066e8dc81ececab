package page

import "net/http"

// open lets in the browser that has the ticket, and again the one that was let in by
// it.
func (p *Pages) open(w http.ResponseWriter, r *http.Request) {
	token, err := p.o.Ticket.Redeem(r.URL.Query().Get("ticket"), r.RemoteAddr)
	if err == nil {
		err = p.SignIn(w, r, token)
	} else {
		_, err = p.who(r)
	}
	switch {
	case err == nil:
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case p.o.Admit(w, r, "", true):
		p.refuseTicket(w, r)
	}
}

// refuseTicket tells who has no ticket how to get one.
func (p *Pages) refuseTicket(w http.ResponseWriter, r *http.Request) {
	p.fail(w, r, http.StatusForbidden, "this page is for who started it: vademecum open says a link, which works once")
}
