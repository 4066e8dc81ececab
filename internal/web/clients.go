package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"vademecum/internal/web/guard"
)

// isOAuthPath tells the paths at which clients get tokens.
func (s *Server) isOAuthPath(path string) bool {
	return s.o.SignIn != nil && s.o.SignIn.HandlesPath(path)
}

// serveOAuth answers a client that gets tokens. What it tries in vain counts like a wrong
// token.
func (s *Server) serveOAuth(w http.ResponseWriter, r *http.Request) {
	s.o.SignIn.Serve(w, r, func(reason string) bool {
		s.o.Stats.refused.Add(1, "invalid")
		s.refusals.logRefusal(s.rateLimitKey(r), s.loggedAddress(r), "at", r.URL.Path, "reason", reason)
		return s.countWrongToken(w, r)
	})
}

// mostGuesses is how many wrong tokens and codes all together may try in a minute.
const mostGuesses = 600

// countWrongToken counts a request with a wrong token. It refuses, and returns false, where there
// were too many of its address, or of all and others of this one among them. A right one is
// not concerned.
func (s *Server) countWrongToken(w http.ResponseWriter, r *http.Request) bool {
	address := s.rateLimitKey(r)
	wait := s.guesses.AddFailure(address)
	switch {
	case !s.allowRequest(r, failedWeight):
		s.refuseTooMany(w, "address")
		return false
	case wait > 0 && !guard.IsLoopback(address):
		s.o.Stats.limited.Add(1, "guesses")
		after := int(math.Ceil(wait.Seconds()))
		w.Header().Set("Retry-After", strconv.Itoa(after))
		http.Error(w, fmt.Sprintf("this is not valid here, and too many wrong tokens and codes are being tried; try again in %d s", after), http.StatusTooManyRequests)
		return false
	}
	return true
}
