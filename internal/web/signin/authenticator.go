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

// Authenticator lets users in.
type Authenticator struct {
	Checkers []Checker // the first that knows a token counts
	Issuer   string    // of the provider of identities that gives tokens, "" when there is none
	Gives    string    // the issuer of the authorization server of this server itself, "" when it is off
	Resource string    // the URL of what is served, "" for that by which it is asked
	Client   *Client   // by which browsers are sent to the issuer, nil: people have a token
	HasOwn   bool      // tokens of this server are taken, too
}

// MetadataPath is where clients learn where to get a token (RFC 9728); the path of
// what is served may follow.
const MetadataPath = "/.well-known/oauth-protected-resource"

// Refusal is why a request is not let in, and how to be.
type Refusal struct {
	Status    int
	Reason    string
	Challenge string // for WWW-Authenticate
}

// IsReady tells whether somebody can be let in: not while there is neither a token
// nor an answer of the provider of identities.
func (d *Authenticator) IsReady() bool {
	return slices.ContainsFunc(d.Checkers, Checker.IsReady)
}

// Authenticate says whose request it is, or why it is refused: also to users without the
// scope that it takes.
func (d *Authenticator) Authenticate(r *http.Request, scope string) (User, *Refusal) {
	token, err := bearerToken(r)
	if err != nil {
		return User{}, &Refusal{http.StatusBadRequest, err.Error(), d.challenge(r, "invalid_request", scope)}
	}
	if token == "" {
		return User{}, &Refusal{http.StatusUnauthorized, "a token is needed", d.challenge(r, "", scope)}
	}
	u, err := d.checkToken(r.Context(), token)
	switch {
	case errors.Is(err, ErrUnavailable):
		return User{}, &Refusal{http.StatusServiceUnavailable, ErrUnavailable.Error(), ""}
	case err != nil:
		return User{}, &Refusal{http.StatusUnauthorized, err.Error(), d.challenge(r, "invalid_token", scope)}
	}
	return u, d.RequireScope(r, u, scope)
}

// RequireScope refuses a user who has not a scope, nil for one who has.
func (d *Authenticator) RequireScope(r *http.Request, u User, scope string) *Refusal {
	if u.HasScope(scope) {
		return nil
	}
	return &Refusal{http.StatusForbidden, "the token has not the scope " + scope, d.challenge(r, "insufficient_scope", scope)}
}

// checkToken asks those who may know a token.
func (d *Authenticator) checkToken(ctx context.Context, token string) (User, error) {
	result := ErrInvalid
	for _, c := range d.Checkers {
		u, err := c.Check(ctx, token)
		if err == nil {
			return u, nil
		}
		result = err
	}
	return User{}, result
}

// bearerToken is the token of a request, "" for none.
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

// challenge says what a token has to be, and where there are some.
func (d *Authenticator) challenge(r *http.Request, problem, scope string) string {
	var parts []string
	if problem != "" {
		parts = append(parts, fmt.Sprintf("error=%q", problem))
	}
	parts = append(parts, fmt.Sprintf("scope=%q", scope))
	if len(d.issuers()) > 0 {
		origin, path := splitURL(d.resourceURL(r))
		parts = append(parts, fmt.Sprintf("resource_metadata=%q", origin+MetadataPath+path))
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// splitURL parts a URL before its path.
func splitURL(url string) (origin, path string) {
	scheme, rest, _ := strings.Cut(url, "://")
	host, path, found := strings.Cut(rest, "/")
	if found {
		path = "/" + path
	}
	return scheme + "://" + host, path
}

// resourceURL is the URL of what is served.
func (d *Authenticator) resourceURL(r *http.Request) string {
	if d.Resource != "" {
		return d.Resource
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + "/mcp"
}

// WithoutChecker is an Authenticator that does not ask one of the checkers.
func (d *Authenticator) WithoutChecker(c Checker) *Authenticator {
	rest := *d
	rest.Checkers = slices.DeleteFunc(slices.Clone(d.Checkers), func(other Checker) bool { return other == c })
	return &rest
}

// issuers are where clients get tokens. Most take the first: that is the one that takes
// clients which nobody has told it of.
func (d *Authenticator) issuers() []string {
	return slices.DeleteFunc([]string{d.Gives, d.Issuer}, func(issuer string) bool { return issuer == "" })
}

// ServeMetadata tells clients where to get a token.
func (d *Authenticator) ServeMetadata(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is nobody's secret
	if len(d.issuers()) == 0 {
		http.Error(w, "tokens are given by who runs this server", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "max-age=300")
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that is gone is noticed elsewhere
		"resource":                 d.resourceURL(r),
		"authorization_servers":    d.issuers(),
		"scopes_supported":         Scopes,
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Vademecum",
	})
}
