package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// given is what a client gets.
type given struct {
	Access  string `json:"access_token"`
	Kind    string `json:"token_type"`
	Expires int    `json:"expires_in"` // seconds: the clock of the client may be wrong
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// noGrant is told of all codes and tokens that do not count: more would help who makes
// them up.
func noGrant(why string) *failure {
	return &failure{Code: "invalid_grant", Description: why}
}

var hasEnded = noGrant("what was agreed to has ended")

// token gives tokens for a code, or for a refresh token.
func (s *Server) token(r *http.Request) (any, *failure) {
	form, failed := readForm(r)
	if failed != nil {
		return nil, failed
	}
	client, failed := clientOf(r, form)
	switch {
	case failed != nil:
		return nil, failed
	case !s.isFor(form["resource"]):
		return nil, &failure{Code: "invalid_target", Description: "tokens are given for " + s.resource() + " alone"}
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		return s.give(kindCode, form.Get("code"), func(g *Grant) ([]string, *failure) { return s.redeem(g, client, form) })
	case "refresh_token":
		return s.give(kindRefresh, form.Get("refresh_token"), func(g *Grant) ([]string, *failure) { return s.renew(g, client, form) })
	}
	return nil, &failure{Code: "unsupported_grant_type", Description: "grant_type is authorization_code or refresh_token"}
}

// clientOf is the name of the client that sends a form, which some put where others have
// a secret, too.
func clientOf(r *http.Request, form url.Values) (id string, failed *failure) {
	id = form.Get("client_id")
	name, secret, basic := r.BasicAuth()
	if basic {
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		if secret != "" || id != "" && id != name {
			return "", &failure{Code: "invalid_client", Description: "no client has a secret here"}
		}
		id = name
	}
	if id == "" {
		return "", &failure{Code: "invalid_request", Description: "client_id is missing"}
	}
	return id, nil
}

// give has a grant give its next tokens if check finds nothing wrong. A code or token
// that has been used before ends the grant: one of the two who had it has stolen it.
func (s *Server) give(kind, secret string, check func(*Grant) ([]string, *failure)) (any, *failure) {
	id, ok := s.o.Grants.grantOf(kind, secret)
	if !ok {
		return nil, noGrant("the code or token was not given here")
	}
	if s.o.Grants.current().find(id) == nil { // which takes no lock
		return nil, hasEnded
	}
	var answer given
	var failed *failure
	err := s.o.Grants.change(func(b *book) (bool, error) {
		g := b.find(id)
		if g == nil || g.Resource != s.resource() {
			failed = hasEnded
			return false, nil
		}
		if !g.expects(kind, secret) {
			s.o.Logger.Warn("grant ended: a code or token of it was used twice", "user", g.User, "client", g.Client, "grant", g.ID)
			failed = noGrant("it was used before: what was agreed to has ended with that")
			b.remove(id)
			return true, nil
		}
		var scopes []string
		if scopes, failed = check(g); failed != nil {
			return false, nil
		}
		answer = s.next(g, scopes)
		return true, nil
	})
	if err != nil {
		s.o.Logger.Error("no token can be given", "error", err)
		return nil, unkept
	}
	return answer, failed
}

// expects tells whether a code or token of a grant was not used yet.
func (g *Grant) expects(kind, secret string) bool {
	if kind == kindCode {
		return g.Code != nil && isOf(g.Code.Hash, secret)
	}
	return isOf(g.Refresh, secret)
}

// next gives a grant its next tokens. The access token before holds until its end: what
// is under way goes on.
func (s *Server) next(g *Grant, scopes []string) given {
	now := s.o.now()
	access, refresh := s.o.Grants.newSecret(kindAccess, g.ID), s.o.Grants.newSecret(kindRefresh, g.ID)
	if n := len(g.Access); n > 1 {
		g.Access = g.Access[n-1:]
	}
	g.Access = append(g.Access, accessToken{hashed(access), scopes, now})
	g.Code, g.Refresh = nil, hashed(refresh)
	if now.After(g.Used) { // by a clock that was set back it has been used already
		g.Used = now
	}
	return given{access, "Bearer", int(min(accessLasts, g.Until.Sub(now)) / time.Second), refresh, strings.Join(scopes, " ")}
}

// leastVerifier is how many characters a verifier has (RFC 7636, section 4.1).
const leastVerifier = 43

// redeem tells whether a code counts: for who asked for it, and at once.
func (s *Server) redeem(g *Grant, client string, form url.Values) (scopes []string, failed *failure) {
	verifier, uri := form.Get("code_verifier"), form.Get("redirect_uri")
	sum := sha256.Sum256([]byte(verifier))
	switch {
	case !isOf(g.ClientID, client):
		return nil, noGrant("the code was given to another client")
	case !holds(g.Code.Made, codeLasts, s.o.now()):
		return nil, noGrant("the code has expired")
	case uri != "" && uri != g.Code.Redirect: // OAuth 2.1 leaves it out
		return nil, noGrant("redirect_uri is not that of the request")
	case len(verifier) < leastVerifier || base64.RawURLEncoding.EncodeToString(sum[:]) != g.Code.Challenge:
		return nil, noGrant("code_verifier is missing, or not that of the request")
	}
	return s.scopesOf(g, nil)
}

// renew tells whether a refresh token counts.
func (s *Server) renew(g *Grant, client string, form url.Values) (scopes []string, failed *failure) {
	switch {
	case !isOf(g.ClientID, client):
		return nil, noGrant("the token was given to another client")
	case g.isOver(s.o.now()):
		return nil, hasEnded
	}
	return s.scopesOf(g, strings.Fields(form.Get("scope")))
}

// scopesOf are the scopes of the next token: those that are asked for, of those that
// were agreed to and that the user still has.
func (s *Server) scopesOf(g *Grant, asked []string) ([]string, *failure) {
	u, known := s.owner(g)
	scopes := shared(g.Scopes, u)
	if len(asked) > 0 {
		scopes = slices.DeleteFunc(scopes, func(scope string) bool { return !slices.Contains(asked, scope) })
	}
	switch {
	case !known:
		return nil, noGrant("whoever agreed is not let in any more")
	case len(scopes) == 0:
		return nil, &failure{Code: "invalid_scope", Description: "nothing of that was agreed to"}
	}
	return scopes, nil
}

// revoke ends a grant of whose tokens a client has one (RFC 7009). What is none is
// answered alike.
func (s *Server) revoke(r *http.Request) (any, *failure) {
	form, failed := readForm(r)
	if failed != nil {
		return nil, failed
	}
	client, failed := clientOf(r, form)
	if failed != nil {
		return nil, failed
	}
	token := form.Get("token")
	for _, kind := range []string{kindAccess, kindRefresh} {
		if id, ok := s.o.Grants.grantOf(kind, token); ok {
			return s.revokeGrant(id, client)
		}
	}
	return struct{}{}, nil
}

func (s *Server) revokeGrant(id, client string) (any, *failure) {
	err := s.o.Grants.change(func(b *book) (bool, error) {
		g := b.find(id)
		if g == nil || !isOf(g.ClientID, client) {
			return false, nil
		}
		s.o.Logger.Info("grant ended by its client", "user", g.User, "client", g.Client, "grant", g.ID)
		b.remove(id)
		return true, nil
	})
	if err != nil {
		s.o.Logger.Error("a grant cannot be ended", "error", err)
		return nil, unkept
	}
	return struct{}{}, nil
}
