package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"vademecum/internal/app/web/guard"
)

// isOAuthPath reports whether a path is an OAuth endpoint for clients.
func (s *Server) isOAuthPath(path string) bool {
	return s.o.OAuthServer != nil && s.o.OAuthServer.HandlesPath(path)
}

// serveOAuth handles a request to an OAuth endpoint. A request that fails counts like one with a
// wrong token.
func (s *Server) serveOAuth(w http.ResponseWriter, r *http.Request) {
	s.o.OAuthServer.Serve(w, r, func(reason string) bool {
		s.o.Stats.refused.Add(1, "invalid")
		s.refusals.logRefusal(s.rateLimitKey(r), s.loggedAddress(r), "at", r.URL.Path, "reason", reason)
		return s.countWrongToken(w, r)
	})
}

// mostGuesses is how many requests with a wrong token or code are answered per minute, over all
// clients.
const mostGuesses = 600

// countWrongToken counts a request with a wrong token. If there were too many from its address, or
// too many in total and at least one from its address, it responds with an error and returns false.
// Requests with a valid token are not affected.
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
