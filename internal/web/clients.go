package web

import (
	"net/http"

	"vademecum/internal/web/guard"
)

// isForClients tells the paths at which clients get tokens.
func (s *Server) isForClients(path string) bool { return s.o.SignIn != nil && s.o.SignIn.Owns(path) }

// serveClient answers a client that gets tokens. What it tries in vain counts like a wrong
// token.
func (s *Server) serveClient(w http.ResponseWriter, r *http.Request) {
	if !s.mayGuess(w, r) {
		return
	}
	s.o.SignIn.Serve(w, r, func(reason string) bool {
		s.o.Stats.refused.Add(1, "invalid")
		s.refusals.add(s.address(r), s.from(r), "at", r.URL.Path, "reason", reason)
		return s.guessed(w, r)
	})
}

// mostGuesses is how many wrong tokens and codes all together may try in a minute.
const mostGuesses = 600

// mayGuess tells whether an address may try a token: not while all have tried too many,
// and this one a wrong one. It refuses it then.
func (s *Server) mayGuess(w http.ResponseWriter, r *http.Request) bool {
	address := s.address(r)
	if guard.IsLoopback(address) || s.guesses.Allow(address) {
		return true
	}
	s.tooMany(w, "address")
	return false
}

// guessed counts a request with a wrong token. It refuses, and returns false, where there
// were too many of its address.
func (s *Server) guessed(w http.ResponseWriter, r *http.Request) bool {
	s.guesses.Add(s.address(r))
	if s.mayAsk(r, failedWeight) {
		return true
	}
	s.tooMany(w, "address")
	return false
}
