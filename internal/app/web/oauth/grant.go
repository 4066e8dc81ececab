package oauth

import "time"

// Grant is a user's consent that a client acts on the user's behalf. It contains only hashes of
// codes and tokens.
type Grant struct {
	ID            string    `json:"id"`
	UserName      string    `json:"user"`             // name of the user in access rules
	UserID        string    `json:"user_id"`          // the user's signin.User.ID
	UserTokenHash string    `json:"token,omitempty"`  // hash of the token that the user signed in with, with which the grant ends; "" for a user of an identity provider
	Groups        []string  `json:"groups,omitempty"` // groups of the user, as the identity provider sent them; nil for a user with a token
	UserScopes    []string  `json:"may,omitempty"`    // scopes of the user, as the identity provider sent them; nil for a user with a token
	ClientName    string    `json:"client"`           // name that the client has registered
	ClientHost    string    `json:"host"`             // host of the client that the consent page showed
	ClientIDHash  string    `json:"client_id"`
	Scopes        []string  `json:"scopes"`
	Resource      string    `json:"resource"` // URL for which the tokens are valid
	Created       time.Time `json:"made"`
	LastUsed      time.Time `json:"used"` // when the latest access token was issued
	ExpiresAt     time.Time `json:"until"`

	Code                 *authorizationCode `json:"code,omitempty"`    // nil once it has been redeemed
	RefreshTokenHash     string             `json:"refresh,omitempty"` // hash of the current refresh token
	PreviousRefreshToken *usedRefreshToken  `json:"before,omitempty"`  // refresh token that the current one has replaced
	AccessTokens         []accessToken      `json:"access,omitempty"`
}

// usedRefreshToken is a refresh token that was used. With its salt the response to it can be
// computed again, but only by someone who has the refresh token itself.
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
	refreshRetryPeriod    = time.Minute // how long a used refresh token gets the same response again; clients retry after about 30 s
	grantIdleTime         = 30 * 24 * time.Hour
	grantLifetime         = 365 * 24 * time.Hour // for a user with a token; the grant ends no later than the token
	providerGrantLifetime = 7 * 24 * time.Hour   // for a user of an identity provider, which is not asked about the user again
	endedGrantRetention   = 30 * 24 * time.Hour
	clockSkew             = 5 * time.Minute // tolerated between the clocks of servers that share a grants file
)

// isExpired reports whether the grant has ended, so that no more tokens are issued for it.
func (g *Grant) isExpired(now time.Time) bool { return !now.Before(g.EndTime(now)) }

// EndTime returns when the grant ended because it was not used, or else when it expires.
func (g *Grant) EndTime(now time.Time) time.Time {
	if idle := g.LastUsed.Add(grantIdleTime); idle.Before(g.ExpiresAt) && !now.Before(idle) {
		return idle
	}
	return g.ExpiresAt
}

// isValidAt reports whether something with a creation time and a lifetime is valid at a time: it
// has not expired, and was not created in the future by more than clockSkew.
func isValidAt(created time.Time, lifetime time.Duration, now time.Time) bool {
	age := now.Sub(created)
	return age >= -clockSkew && age < lifetime
}
