package web

import (
	"net/http"

	"vademecum/internal/web/guard"
)

// isOAuthPath tells the paths at which clients get tokens.
func (s *Server) isOAuthPath(path string) bool {
	return s.o.SignIn != nil && s.o.SignIn.HandlesPath(path)
}

// serveOAuth answers a client that gets tokens. What it tries in vain counts like a wrong
// token.
func (s *Server) serveOAuth(w http.ResponseWriter, r *http.Request) {
	if !s.allowTokenTry(w, r) {
		return
	}
	s.o.SignIn.Serve(w, r, func(reason string) bool {
		s.o.Stats.refused.Add(1, "invalid")
		s.refusals.logRefusal(s.rateLimitKey(r), s.loggedAddress(r), "at", r.URL.Path, "reason", reason)
		return s.countWrongToken(w, r)
	})
}

// mostGuesses is how many wrong tokens and codes all together may try in a minute.
const mostGuesses = 600

// allowTokenTry tells whether an address may try a token: not while all have tried too many,
// and this one a wrong one. It refuses it then.
func (s *Server) allowTokenTry(w http.ResponseWriter, r *http.Request) bool {
	address := s.rateLimitKey(r)
	if guard.IsLoopback(address) || s.guesses.Allow(address) {
		return true
	}
	s.refuseTooMany(w, "address")
	return false
}

// countWrongToken counts a request with a wrong token. It refuses, and returns false, where there
// were too many of its address.
func (s *Server) countWrongToken(w http.ResponseWriter, r *http.Request) bool {
	s.guesses.AddFailure(s.rateLimitKey(r))
	if s.allowRequest(r, failedWeight) {
		return true
	}
	s.refuseTooMany(w, "address")
	return false
}
