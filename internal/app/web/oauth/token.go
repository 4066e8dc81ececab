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

// tokenResponse is a successful response of the token endpoint (RFC 6749, section 5.1).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"` // seconds
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
}

func invalidGrant(description string) *errorResponse {
	return &errorResponse{Code: "invalid_grant", Description: description}
}

var errGrantEnded = invalidGrant("the grant has ended")

// issueTokens handles a request to the token endpoint.
func (s *Server) issueTokens(r *http.Request) (any, *errorResponse) {
	form, failed := readForm(r)
	if failed != nil {
		return nil, failed
	}
	client, failed := clientIDOf(r, form)
	switch {
	case failed != nil:
		return nil, failed
	case !s.isKnownClient(client): // this error makes clients register again
		return nil, &errorResponse{Code: codeInvalidClient, Description: "this server does not know the client any more: it has to register again"}
	case !s.isForResource(form["resource"]):
		return nil, &errorResponse{Code: "invalid_target", Description: "tokens are given for " + s.resourceURL() + " alone"}
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		return s.redeem(prefixCode, form.Get("code"), func(g *Grant) ([]string, *errorResponse) { return s.checkCode(g, client, form) })
	case "refresh_token":
		return s.redeem(prefixRefresh, form.Get("refresh_token"), func(g *Grant) ([]string, *errorResponse) { return s.checkRefreshToken(g, client, form) })
	}
	return nil, &errorResponse{Code: "unsupported_grant_type", Description: "grant_type is authorization_code or refresh_token"}
}

// clientIDOf returns the client ID of a request. Some public clients send it in the Authorization
// header, with an empty secret.
func clientIDOf(r *http.Request, form url.Values) (id string, failed *errorResponse) {
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

// redeem returns new tokens for a code or refresh token, unless check refuses it. A code or token
// that is used again ends the grant, as it may have been stolen (RFC 9700, section 4.14.2). Only
// for a short time the last used refresh token gets the same response again, as the client may have
// lost the first one. Even so only one refresh token is valid at any time: if it was stolen, its
// second use ends the grant.
func (s *Server) redeem(prefix, secret string, check func(*Grant) ([]string, *errorResponse)) (any, *errorResponse) {
	id, ok := s.o.Grants.grantIDOf(prefix, secret)
	if !ok {
		return nil, invalidGrant("the code or token was not given here")
	}
	if s.o.Grants.current().find(id) == nil { // before locking the file
		return nil, errGrantEnded
	}
	var response tokenResponse
	var failed *errorResponse
	err := s.o.Grants.updateFile(func(b *storedGrants) (bool, error) {
		g := b.find(id)
		if g == nil || g.Resource != s.resourceURL() {
			failed = errGrantEnded
			return false, nil
		}
		isRetry := prefix == prefixRefresh && g.isRetry(secret, s.o.now())
		if !isRetry && !g.isUnused(prefix, secret) {
			s.o.Logger.Warn("grant ended: a code or token of it was used twice", "user", g.UserName, "client", g.ClientName, "grant", g.ID)
			failed = invalidGrant("the code or token was used before: the grant has ended")
			b.remove(id)
			return true, nil
		}
		var scopes []string
		if scopes, failed = check(g); failed != nil {
			return false, nil
		}
		if isRetry {
			s.o.Logger.Info("a refresh token was sent again and got the same response", "user", g.UserName, "client", g.ClientName, "grant", g.ID)
			response = b.tokensFor(g, secret, g.PreviousRefreshToken.Salt, s.o.now())
			return false, nil
		}
		if prefix == prefixCode {
			if err := b.makeRoomFor(g, s.o.now()); err != nil {
				return false, err
			}
		}
		response = b.rotateTokens(g, secret, scopes, s.o.now())
		return true, nil
	})
	if err != nil {
		s.o.Logger.Error("no token can be given", "error", err)
		return nil, errNotSaved
	}
	return response, failed
}

// isUnused reports whether a text is the code of the grant or its current refresh token.
func (g *Grant) isUnused(prefix, secret string) bool {
	if prefix == prefixCode {
		return g.Code != nil && matchesHash(g.Code.Hash, secret)
	}
	return matchesHash(g.RefreshTokenHash, secret)
}

// isRetry reports whether a text is the last used refresh token of the grant, and still within the
// retry period.
func (g *Grant) isRetry(secret string, now time.Time) bool {
	return g.PreviousRefreshToken != nil && len(g.AccessTokens) > 0 && matchesHash(g.PreviousRefreshToken.Hash, secret) && isValidAt(g.PreviousRefreshToken.UsedAt, refreshRetryPeriod, now)
}

// rotateTokens issues new tokens for a code or refresh token (sent). The previous access token
// stays valid until it expires, for requests in progress.
func (b *storedGrants) rotateTokens(g *Grant, sent string, scopes []string, now time.Time) tokenResponse {
	salt := rand.Text()
	if n := len(g.AccessTokens); n > 1 {
		g.AccessTokens = g.AccessTokens[n-1:]
	}
	g.AccessTokens = append(g.AccessTokens, accessToken{Scopes: scopes, Created: now})
	response := b.tokensFor(g, sent, salt, now)
	g.AccessTokens[len(g.AccessTokens)-1].Hash = hashOf(response.AccessToken)
	g.PreviousRefreshToken = nil
	if g.Code == nil {
		g.PreviousRefreshToken = &usedRefreshToken{hashOf(sent), salt, now}
	}
	g.Code, g.RefreshTokenHash = nil, hashOf(response.RefreshToken)
	if now.After(g.LastUsed) { // the clock may have been set back
		g.LastUsed = now
	}
	return response
}

// tokensFor returns the response to a code or refresh token (sent). For each retry it is the same
// except for expires_in.
func (b *storedGrants) tokensFor(g *Grant, sent, salt string, now time.Time) tokenResponse {
	last := g.AccessTokens[len(g.AccessTokens)-1]
	lifetime := min(accessTokenLifetime, last.Created.Add(accessTokenLifetime).Sub(now), g.ExpiresAt.Sub(now))
	return tokenResponse{
		AccessToken: b.deriveToken(prefixAccess, g.ID, salt, sent), TokenType: "Bearer", ExpiresIn: int(lifetime / time.Second),
		RefreshToken: b.deriveToken(prefixRefresh, g.ID, salt, sent), Scope: strings.Join(last.Scopes, " "),
	}
}

// minVerifierLength is the minimum length of a code verifier (RFC 7636, section 4.1).
const minVerifierLength = 43

// checkCode checks the request of a client that redeems the code of a grant. It returns the scopes
// of the first access token, or why the request is refused.
func (s *Server) checkCode(g *Grant, client string, form url.Values) (scopes []string, failed *errorResponse) {
	verifier, uri := form.Get("code_verifier"), form.Get("redirect_uri")
	sum := sha256.Sum256([]byte(verifier))
	switch {
	case !matchesHash(g.ClientIDHash, client):
		return nil, invalidGrant("the code was given to another client")
	case !isValidAt(g.Code.Created, codeLifetime, s.o.now()):
		return nil, invalidGrant("the code has expired")
	case uri != "" && uri != g.Code.RedirectURI: // clients of OAuth 2.1 do not send it
		return nil, invalidGrant("redirect_uri is not that of the request")
	case len(verifier) < minVerifierLength || base64.RawURLEncoding.EncodeToString(sum[:]) != g.Code.CodeChallenge:
		return nil, invalidGrant("code_verifier is missing, or not that of the request")
	}
	return s.nextScopes(g, nil)
}

// checkRefreshToken checks the request of a client that uses the refresh token of a grant. It
// returns the scopes of the next access token, or why the request is refused.
func (s *Server) checkRefreshToken(g *Grant, client string, form url.Values) (scopes []string, failed *errorResponse) {
	switch {
	case !matchesHash(g.ClientIDHash, client):
		return nil, invalidGrant("the token was given to another client")
	case g.isExpired(s.o.now()):
		return nil, errGrantEnded
	}
	return s.nextScopes(g, strings.Fields(form.Get("scope")))
}

// nextScopes returns the scopes of the next access token: those of the grant that the user still
// has and, if the client has requested scopes, that are among these.
func (s *Server) nextScopes(g *Grant, requested []string) ([]string, *errorResponse) {
	u, known := s.userOf(g)
	scopes := commonScopes(g.Scopes, u)
	if len(requested) > 0 {
		scopes = slices.DeleteFunc(scopes, func(scope string) bool { return !slices.Contains(requested, scope) })
	}
	switch {
	case !known:
		return nil, invalidGrant("the user who gave consent has no access any more")
	case len(scopes) == 0:
		return nil, &errorResponse{Code: "invalid_scope", Description: "the grant has none of the requested scopes"}
	}
	return scopes, nil
}

// revokeToken handles a request to revoke a token (RFC 7009), which ends its grant. The response
// for an unknown token is the same.
func (s *Server) revokeToken(r *http.Request) (any, *errorResponse) {
	form, failed := readForm(r)
	if failed != nil {
		return nil, failed
	}
	client, failed := clientIDOf(r, form)
	if failed != nil {
		return nil, failed
	}
	token := form.Get("token")
	for _, prefix := range []string{prefixAccess, prefixRefresh} {
		if id, ok := s.o.Grants.grantIDOf(prefix, token); ok {
			return s.revokeGrant(id, client)
		}
	}
	return struct{}{}, nil
}

func (s *Server) revokeGrant(id, client string) (any, *errorResponse) {
	var ended *Grant
	if s.o.Grants.current().find(id) == nil { // before locking the file
		return struct{}{}, nil
	}
	err := s.o.Grants.updateFile(func(b *storedGrants) (bool, error) {
		ended = b.find(id)
		if ended == nil || !matchesHash(ended.ClientIDHash, client) {
			ended = nil
			return false, nil
		}
		b.remove(id)
		return true, nil
	})
	switch {
	case err != nil:
		s.o.Logger.Error("a grant cannot be ended", "error", err)
		return nil, errNotSaved
	case ended != nil:
		s.o.Logger.Info("grant ended by its client", "user", ended.UserName, "client", ended.ClientName, "grant", ended.ID)
	}
	return struct{}{}, nil
}
