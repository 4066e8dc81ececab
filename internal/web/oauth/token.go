package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// tokenResponse is what a client gets.
type tokenResponse struct {
	Access  string `json:"access_token"`
	Kind    string `json:"token_type"`
	Expires int    `json:"expires_in"` // seconds: the clock of the client may be wrong
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// invalidGrant is told of all codes and tokens that do not count: more would help who makes
// them up.
func invalidGrant(why string) *errorResponse {
	return &errorResponse{Code: "invalid_grant", Description: why}
}

var hasEnded = invalidGrant("what was agreed to has ended")

// issueTokens gives tokens for a code, or for a refresh token.
func (s *Server) issueTokens(r *http.Request) (any, *errorResponse) {
	form, failed := readForm(r)
	if failed != nil {
		return nil, failed
	}
	client, failed := clientOf(r, form)
	switch {
	case failed != nil:
		return nil, failed
	case !s.mayKnow(client): // it registers again then, and has its user asked
		return nil, &errorResponse{Code: codeInvalidClient, Description: "this server does not know the client any more: it has to register again"}
	case !s.isForResource(form["resource"]):
		return nil, &errorResponse{Code: "invalid_target", Description: "tokens are given for " + s.resourceURL() + " alone"}
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		return s.issueFromGrant(kindCode, form.Get("code"), func(g *Grant) ([]string, *errorResponse) { return s.checkCode(g, client, form) })
	case "refresh_token":
		return s.issueFromGrant(kindRefresh, form.Get("refresh_token"), func(g *Grant) ([]string, *errorResponse) { return s.checkRefreshToken(g, client, form) })
	}
	return nil, &errorResponse{Code: "unsupported_grant_type", Description: "grant_type is authorization_code or refresh_token"}
}

// clientOf is the name of the client that sends a form, which some put where others have
// a secret, too.
func clientOf(r *http.Request, form url.Values) (id string, failed *errorResponse) {
	id = form.Get("client_id")
	name, secret, basic := r.BasicAuth()
	if basic {
		if unescaped, err := url.QueryUnescape(name); err == nil {
			name = unescaped
		}
		if secret != "" || id != "" && id != name {
			return "", &errorResponse{Code: codeInvalidClient, Description: "clients have no secret here: send client_id in the form, and neither client_secret nor Authorization"}
		}
		id = name
	}
	if id == "" {
		return "", &errorResponse{Code: "invalid_request", Description: "client_id is missing"}
	}
	return id, nil
}

// issueFromGrant has a grant give its next tokens if check finds nothing wrong. A code or token
// that has been used before ends the grant: one of the two who had it has stolen it. But
// the refresh token that was used last gets the same answer again for a moment, as the
// first may have been lost. There is one token that counts at any time all the same: where
// it was stolen, two have that, and the second who uses it later ends the grant.
func (s *Server) issueFromGrant(kind, secret string, check func(*Grant) ([]string, *errorResponse)) (any, *errorResponse) {
	id, ok := s.o.Grants.grantIDOf(kind, secret)
	if !ok {
		return nil, invalidGrant("the code or token was not given here")
	}
	if s.o.Grants.currentBook().find(id) == nil { // which takes no lock
		return nil, hasEnded
	}
	var answer tokenResponse
	var failed *errorResponse
	err := s.o.Grants.updateFile(func(b *grantBook) (bool, error) {
		g := b.find(id)
		if g == nil || g.Resource != s.resourceURL() {
			failed = hasEnded
			return false, nil
		}
		isResent := kind == kindRefresh && g.wasJustUsed(secret, s.o.now())
		if !isResent && !g.isUnused(kind, secret) {
			s.o.Logger.Warn("grant ended: a code or token of it was used twice", "user", g.User, "client", g.Client, "grant", g.ID)
			failed = invalidGrant("it was used before: what was agreed to has ended with that")
			b.remove(id)
			return true, nil
		}
		var scopes []string
		if scopes, failed = check(g); failed != nil {
			return false, nil
		}
		if isResent {
			s.o.Logger.Info("a refresh token was sent again: the same answer is given", "user", g.User, "client", g.Client, "grant", g.ID)
			answer = b.tokensAfter(g, secret, g.Before.Salt, s.o.now())
			return false, nil
		}
		if kind == kindCode {
			if err := b.admit(g, s.o.now()); err != nil {
				return false, err
			}
		}
		answer = b.nextTokens(g, secret, scopes, s.o.now())
		return true, nil
	})
	if err != nil {
		s.o.Logger.Error("no token can be given", "error", err)
		return nil, unkept
	}
	return answer, failed
}

// isUnused tells whether a code or token of a grant was not used yet.
func (g *Grant) isUnused(kind, secret string) bool {
	if kind == kindCode {
		return g.Code != nil && matchesHash(g.Code.Hash, secret)
	}
	return matchesHash(g.Refresh, secret)
}

// wasJustUsed tells the refresh token of a grant that was used last, and not long ago. When
// the next one has been used, its answer was not lost.
func (g *Grant) wasJustUsed(secret string, now time.Time) bool {
	return g.Before != nil && len(g.Access) > 0 && matchesHash(g.Before.Hash, secret) && isValidAt(g.Before.Used, resendLasts, now)
}

// nextTokens gives a grant its next tokens, for a code or refresh token. The access token
// before holds until its end: what is under way goes on.
func (b *grantBook) nextTokens(g *Grant, sent string, scopes []string, now time.Time) tokenResponse {
	salt := rand.Text()
	if n := len(g.Access); n > 1 {
		g.Access = g.Access[n-1:]
	}
	g.Access = append(g.Access, accessToken{Scopes: scopes, Made: now})
	answer := b.tokensAfter(g, sent, salt, now)
	g.Access[len(g.Access)-1].Hash = hashOf(answer.Access)
	g.Before = nil
	if g.Code == nil {
		g.Before = &usedToken{hashOf(sent), salt, now}
	}
	g.Code, g.Refresh = nil, hashOf(answer.Refresh)
	if now.After(g.Used) { // by a clock that was set back it has been used already
		g.Used = now
	}
	return answer
}

// tokensAfter are what a grant gives for a code or refresh token: the same each time, but for
// how long they last.
func (b *grantBook) tokensAfter(g *Grant, sent, salt string, now time.Time) tokenResponse {
	last := g.Access[len(g.Access)-1]
	lasts := min(accessLasts, last.Made.Add(accessLasts).Sub(now), g.Until.Sub(now))
	return tokenResponse{
		Access: b.nextSecret(kindAccess, g.ID, salt, sent), Kind: "Bearer", Expires: int(lasts / time.Second),
		Refresh: b.nextSecret(kindRefresh, g.ID, salt, sent), Scope: strings.Join(last.Scopes, " "),
	}
}

// leastVerifier is how many characters a verifier has (RFC 7636, section 4.1).
const leastVerifier = 43

// checkCode tells whether a code counts: for who asked for it, and at once.
func (s *Server) checkCode(g *Grant, client string, form url.Values) (scopes []string, failed *errorResponse) {
	verifier, uri := form.Get("code_verifier"), form.Get("redirect_uri")
	sum := sha256.Sum256([]byte(verifier))
	switch {
	case !matchesHash(g.ClientID, client):
		return nil, invalidGrant("the code was given to another client")
	case !isValidAt(g.Code.Made, codeLasts, s.o.now()):
		return nil, invalidGrant("the code has expired")
	case uri != "" && uri != g.Code.Redirect: // OAuth 2.1 leaves it out
		return nil, invalidGrant("redirect_uri is not that of the request")
	case len(verifier) < leastVerifier || base64.RawURLEncoding.EncodeToString(sum[:]) != g.Code.Challenge:
		return nil, invalidGrant("code_verifier is missing, or not that of the request")
	}
	return s.nextScopes(g, nil)
}

// checkRefreshToken tells whether a refresh token counts.
func (s *Server) checkRefreshToken(g *Grant, client string, form url.Values) (scopes []string, failed *errorResponse) {
	switch {
	case !matchesHash(g.ClientID, client):
		return nil, invalidGrant("the token was given to another client")
	case g.isExpired(s.o.now()):
		return nil, hasEnded
	}
	return s.nextScopes(g, strings.Fields(form.Get("scope")))
}

// nextScopes are the scopes of the next token: those that are asked for, of those that
// were agreed to and that the user still has.
func (s *Server) nextScopes(g *Grant, asked []string) ([]string, *errorResponse) {
	u, known := s.grantOwner(g)
	scopes := sharedScopes(g.Scopes, u)
	if len(asked) > 0 {
		scopes = slices.DeleteFunc(scopes, func(scope string) bool { return !slices.Contains(asked, scope) })
	}
	switch {
	case !known:
		return nil, invalidGrant("whoever agreed is not let in any more")
	case len(scopes) == 0:
		return nil, &errorResponse{Code: "invalid_scope", Description: "nothing of that was agreed to"}
	}
	return scopes, nil
}

// revokeToken ends a grant of whose tokens a client has one (RFC 7009). What is none is
// answered alike.
func (s *Server) revokeToken(r *http.Request) (any, *errorResponse) {
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
		if id, ok := s.o.Grants.grantIDOf(kind, token); ok {
			return s.revokeGrant(id, client)
		}
	}
	return struct{}{}, nil
}

func (s *Server) revokeGrant(id, client string) (any, *errorResponse) {
	var ended *Grant
	if s.o.Grants.currentBook().find(id) == nil { // which takes no lock
		return struct{}{}, nil
	}
	err := s.o.Grants.updateFile(func(b *grantBook) (bool, error) {
		ended = b.find(id)
		if ended == nil || !matchesHash(ended.ClientID, client) {
			ended = nil
			return false, nil
		}
		b.remove(id)
		return true, nil
	})
	switch {
	case err != nil:
		s.o.Logger.Error("a grant cannot be ended", "error", err)
		return nil, unkept
	case ended != nil:
		s.o.Logger.Info("grant ended by its client", "user", ended.User, "client", ended.Client, "grant", ended.ID)
	}
	return struct{}{}, nil
}
