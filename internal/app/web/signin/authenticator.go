package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Authenticator authenticates requests by bearer tokens (RFC 6750).
type Authenticator struct {
	Checkers             []Checker // checkers of tokens, in the order in which they are asked
	ProviderIssuer       string    // issuer of the identity provider whose tokens are accepted; "" for none
	OwnIssuer            string    // issuer of the server's own OAuth tokens; "" if it issues none
	ResourceURL          string    // URL of the protected resource; "" means that it is derived from each request
	ProviderClient       *Client   // signs browsers in at the identity provider; nil means they sign in with a token
	AllowsTokenInBrowser bool      // browsers may sign in with a token of this server as well
}

// ResourceMetadataPath is the path of the protected resource metadata (RFC 9728). The path of the resource
// may follow it.
const ResourceMetadataPath = "/.well-known/oauth-protected-resource"

// ErrorResponse is the error response to a request whose sender is not admitted.
type ErrorResponse struct {
	Status    int
	Reason    string
	Challenge string // value of the header WWW-Authenticate; "" for none
}

// CanAcceptTokens reports whether any user can be authenticated: there is a token, or the identity provider
// has responded.
func (d *Authenticator) CanAcceptTokens() bool {
	return slices.ContainsFunc(d.Checkers, Checker.CanAcceptTokens)
}

// Authenticate returns the user of a request that requires a scope, or why it is refused. If the
// user lacks the scope, it returns both.
func (d *Authenticator) Authenticate(r *http.Request, scope string) (User, *ErrorResponse) {
	token, err := bearerToken(r)
	if err != nil {
		return User{}, &ErrorResponse{http.StatusBadRequest, err.Error(), d.challenge(r, "invalid_request", scope)}
	}
	if token == "" {
		return User{}, &ErrorResponse{http.StatusUnauthorized, "a token is needed", d.challenge(r, "", scope)}
	}
	u, err := d.checkToken(r.Context(), token)
	switch {
	case errors.Is(err, ErrCheckUnavailable):
		return User{}, &ErrorResponse{http.StatusServiceUnavailable, ErrCheckUnavailable.Error(), ""}
	case err != nil:
		return User{}, &ErrorResponse{http.StatusUnauthorized, err.Error(), d.challenge(r, "invalid_token", scope)}
	}
	return u, d.RequireScope(r, u, scope)
}

// RequireScope returns why a user is refused who lacks a scope; nil if the user has it.
func (d *Authenticator) RequireScope(r *http.Request, u User, scope string) *ErrorResponse {
	if u.HasScope(scope) {
		return nil
	}
	return &ErrorResponse{http.StatusForbidden, "the token lacks the scope " + scope, d.challenge(r, "insufficient_scope", scope)}
}

// checkToken asks the checkers in order, and returns the user from the first one that accepts the
// token.
func (d *Authenticator) checkToken(ctx context.Context, token string) (User, error) {
	result := ErrInvalidToken
	for _, c := range d.Checkers {
		u, err := c.Check(ctx, token)
		if err == nil {
			return u, nil
		}
		result = err
	}
	return User{}, result
}

// bearerToken returns the token of a request; "" if it has none.
func bearerToken(r *http.Request) (string, error) {
	all := r.Header.Values("Authorization")
	if len(all) == 0 {
		return "", nil
	}
	scheme, token, _ := strings.Cut(all[0], " ")
	if token = strings.TrimSpace(token); len(all) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " ,") {
		return "", errors.New("one Authorization: Bearer TOKEN is needed")
	}
	return token, nil
}

// challenge returns the value of the header WWW-Authenticate for a problem and the required scope.
func (d *Authenticator) challenge(r *http.Request, problem, scope string) string {
	var parts []string
	if problem != "" {
		parts = append(parts, fmt.Sprintf("error=%q", problem))
	}
	parts = append(parts, fmt.Sprintf("scope=%q", scope))
	if len(d.issuers()) > 0 {
		origin, path := splitURL(d.resourceURL(r))
		parts = append(parts, fmt.Sprintf("resource_metadata=%q", origin+ResourceMetadataPath+path))
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// splitURL splits a URL into its origin and its path.
func splitURL(url string) (origin, path string) {
	scheme, rest, _ := strings.Cut(url, "://")
	host, path, found := strings.Cut(rest, "/")
	if found {
		path = "/" + path
	}
	return scheme + "://" + host, path
}

// resourceURL returns the URL of the protected resource that a request is for.
func (d *Authenticator) resourceURL(r *http.Request) string {
	if d.ResourceURL != "" {
		return d.ResourceURL
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + "/mcp"
}

// WithoutChecker returns a copy of the Authenticator that does not ask one of its checkers.
func (d *Authenticator) WithoutChecker(c Checker) *Authenticator {
	rest := *d
	rest.Checkers = slices.DeleteFunc(slices.Clone(d.Checkers), func(other Checker) bool { return other == c })
	return &rest
}

// issuers returns the issuers whose tokens are accepted. Most clients use the first one, so that is
// the one at which clients can register by themselves.
func (d *Authenticator) issuers() []string {
	return slices.DeleteFunc([]string{d.OwnIssuer, d.ProviderIssuer}, func(issuer string) bool { return issuer == "" })
}

// ServeMetadata serves the protected resource metadata (RFC 9728).
func (d *Authenticator) ServeMetadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is public
	if len(d.issuers()) == 0 {
		http.Error(w, "tokens are given by who runs this server", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "max-age=300")
	_ = json.NewEncoder(w).Encode(map[string]any{ // fails only if the client has disconnected
		"resource":                 d.resourceURL(r),
		"authorization_servers":    d.issuers(),
		"scopes_supported":         DocumentScopes,
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Vademecum",
	})
}
