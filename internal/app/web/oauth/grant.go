package oauth

import "time"

// Grant is a user's consent that a client acts on their behalf. It contains only hashes of codes
// and tokens.
type Grant struct {
	ID            string    `json:"id"`
	User          string    `json:"user"`             // the name that access rules use
	UserID        string    `json:"user_id"`          // see signin.User
	UserTokenHash string    `json:"token,omitempty"`  // hash of the token that the user signed in with; the grant ends with that token
	Groups        []string  `json:"groups,omitempty"` // for a user without a token, as sent by the identity provider
	UserScopes    []string  `json:"may,omitempty"`    // scopes of the user, for a user without a token, as sent by the identity provider
	Client        string    `json:"client"`           // the name that the client has registered
	Host          string    `json:"host"`             // the host of the client that the consent page showed
	ClientIDHash  string    `json:"client_id"`
	Scopes        []string  `json:"scopes"`
	Resource      string    `json:"resource"` // the URL that the tokens are valid for
	Created       time.Time `json:"made"`
	LastUsed      time.Time `json:"used"` // when the last access token was issued
	ExpiresAt     time.Time `json:"until"`

	Code            *authorizationCode `json:"code,omitempty"`    // until it is redeemed
	RefreshHash     string             `json:"refresh,omitempty"` // hash of the current refresh token
	PreviousRefresh *usedRefreshToken  `json:"before,omitempty"`  // the refresh token that the current one replaced
	AccessTokens    []accessToken      `json:"access,omitempty"`
}

// usedRefreshToken is a refresh token that was used. With its salt, the response to it can be
// computed again, but only from the refresh token itself.
type usedRefreshToken struct {
	Hash   string    `json:"hash"`
	Salt   string    `json:"salt"`
	UsedAt time.Time `json:"used"`
}

type authorizationCode struct {
	Hash          string    `json:"hash"`
	CodeChallenge string    `json:"challenge"`
	RedirectURI   string    `json:"redirect"`
	Created       time.Time `json:"made"`
}

type accessToken struct {
	Hash    string    `json:"hash"`
	Scopes  []string  `json:"scopes"`
	Created time.Time `json:"made"`
}

// Lifetimes of codes, tokens and grants.
const (
	codeLifetime          = time.Minute
	accessTokenLifetime   = time.Hour
	refreshRetryPeriod    = time.Minute // how long a refresh token may be sent again; clients retry after about 30 s
	grantIdleTime         = 30 * 24 * time.Hour
	grantLifetime         = 365 * 24 * time.Hour // with a token; the grant ends no later than the token
	providerGrantLifetime = 7 * 24 * time.Hour   // with an identity provider, which is not asked again
	endedGrantRetention   = 30 * 24 * time.Hour
	clockSkew             = 5 * time.Minute // tolerated between servers that share a file
)

// isExpired reports whether no more tokens are issued for a grant.
func (g *Grant) isExpired(now time.Time) bool { return !now.Before(g.EndTime(now)) }

// EndTime returns when a grant ended because it was not used, or otherwise when it expires.
func (g *Grant) EndTime(now time.Time) time.Time {
	if idle := g.LastUsed.Add(grantIdleTime); idle.Before(g.ExpiresAt) && !now.Before(idle) {
		return idle
	}
	return g.ExpiresAt
}

// isValidAt reports whether something with a lifetime is valid at a time: neither expired, nor
// created in the future by more than clockSkew.
func isValidAt(created time.Time, lifetime time.Duration, now time.Time) bool {
	age := now.Sub(created)
	return age >= -clockSkew && age < lifetime
}
