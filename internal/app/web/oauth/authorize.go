package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"

	"vademecum/internal/app/web/signin"
)

// AuthorizationRequest is a valid authorization request (RFC 6749, section 4.1.1).
type AuthorizationRequest struct {
	Client        Client
	ClientID      string
	RedirectURI   string
	State         string
	CodeChallenge string
	Scopes        []string

	consent []byte // the signed consent request; set only by VerifyRequest
}

// RedirectTarget names where the browser is sent after consent: a host, or the scheme of a URI that
// opens a program. isOnDevice reports whether that is on the user's device.
func (r AuthorizationRequest) RedirectTarget() (name string, isOnDevice bool) {
	return redirectTarget(r.RedirectURI)
}

// ClientSite returns the host of the client ID metadata document; "" if the client has none.
func (r AuthorizationRequest) ClientSite() string {
	if !isDocumentURL(r.ClientID) {
		return ""
	}
	u, _ := url.Parse(r.ClientID) // checkDocumentURL has parsed it
	return u.Host
}

// clientHost returns where the client is, as lists of grants show it: its site, if it has one, and
// the redirect target.
func (r AuthorizationRequest) clientHost() string {
	name, _ := r.RedirectTarget()
	if site := r.ClientSite(); site != "" && site != name {
		return site + ", " + name
	}
	return name
}

// RequestError reports why an authorization request is refused. RedirectURL is the redirect URI
// with an error response; "" if the redirect URI is not valid. The browser must not be redirected
// there automatically: as every client can register, that would be an open redirect.
type RequestError struct {
	Reason      message.Message
	RedirectURL string
}

func (e *RequestError) Error() string { return e.Reason.String() }

// Message returns the reason.
func (e *RequestError) Message() message.Message { return e.Reason }

const maxStateBytes = 4 << 10

// isCodeChallenge reports whether a text may be a code challenge of the method S256.
var isCodeChallenge = lazyregexp.New(`^[A-Za-z0-9_-]{43}$`).MatchString

// ParseRequest parses and checks the parameters of an authorization request that a browser sends
// for a user. The error is a *RequestError.
func (s *Server) ParseRequest(ctx context.Context, q url.Values, u signin.User) (r AuthorizationRequest, err error) {
	if name := repeatedParameter(q); name != "" {
		return r, &RequestError{Reason: message.New("the request of the program has %s twice", name)}
	}
	r = AuthorizationRequest{ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri"), State: q.Get("state"), CodeChallenge: q.Get("code_challenge")}
	if r.Client, err = s.findClient(ctx, r.ClientID, u); err != nil {
		return r, err
	}
	if !r.completeRedirectURI() {
		return r, &RequestError{Reason: message.New("the program wants you to be sent to an address that it has not registered")}
	}
	return r, s.checkRequest(&r, q, u)
}

// PrecheckRequest returns an error if an authorization request by a registered client would be
// refused for every user, so that no user signs in in vain. A client with a client ID metadata
// document always passes, as such a document is not fetched before sign-in. The error does not
// reveal whether the client is known.
func (s *Server) PrecheckRequest(q url.Values) error {
	r := AuthorizationRequest{ClientID: q.Get("client_id"), RedirectURI: q.Get("redirect_uri")}
	if repeatedParameter(q) != "" || isDocumentURL(r.ClientID) {
		return nil
	}
	var isKnown bool
	if r.Client, isKnown = s.registeredClient(r.ClientID); isKnown && r.completeRedirectURI() {
		return nil
	}
	return &RequestError{Reason: message.New("this server does not know the program, or not with this address; remove the connection in the program and add it again")}
}

// completeRedirectURI sets the redirect URI to the only registered one if the request has none. It
// reports whether the client has registered the redirect URI.
func (r *AuthorizationRequest) completeRedirectURI() bool {
	if r.RedirectURI == "" && len(r.Client.RedirectURIs) == 1 {
		r.RedirectURI = r.Client.RedirectURIs[0]
	}
	return r.Client.allowsRedirectURI(r.RedirectURI)
}

// findClient returns the client with an ID: a registered one, or one whose ID is the URL of its
// metadata document, which is fetched for the user.
func (s *Server) findClient(ctx context.Context, id string, u signin.User) (Client, error) {
	if !isDocumentURL(id) {
		c, ok := s.registeredClient(id)
		if !ok {
			return c, &RequestError{Reason: message.New("this server does not know the program; remove the connection in the program and add it again")}
		}
		return c, nil
	}
	c, err := s.documents.find(ctx, id, u.ID)
	if err != nil {
		return c, &RequestError{Reason: message.New("the program cannot be identified: %v", err)}
	}
	return c, nil
}

// checkRequest checks those parameters of a request whose errors the client may be told.
func (s *Server) checkRequest(r *AuthorizationRequest, q url.Values, u signin.User) error {
	refuse := func(code string, why message.Message) error {
		return &RequestError{Reason: why, RedirectURL: s.redirectURL(*r, "error", code, "error_description", why.String())}
	}
	switch {
	case len(r.State) > maxStateBytes:
		r.State = ""
		return refuse("invalid_request", message.New("the state that the program sends is too long"))
	case q.Get("response_type") != "code":
		return refuse("unsupported_response_type", message.New("the program asks for something other than a code (response_type)"))
	case q.Get("code_challenge_method") != "S256" || !isCodeChallenge(r.CodeChallenge):
		return refuse("invalid_request", message.New("the program does not protect its code with PKCE (S256)"))
	case !s.isForResource(q["resource"]):
		return refuse("invalid_target", message.New("the program asks for a token for another server"))
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return refuse("invalid_request", message.New("the program wants a response mode other than query (response_mode)"))
	case q.Get("request") != "" || q.Get("request_uri") != "":
		return refuse("request_not_supported", message.New("the program sends a request object, which is not supported"))
	}
	requested := strings.Fields(q.Get("scope"))
	r.Scopes = commonScopes(slices.DeleteFunc(slices.Clone(signin.DocumentScopes), func(scope string) bool { return !slices.Contains(requested, scope) }), u)
	if len(r.Scopes) == 0 { // unknown scopes, such as offline_access, are ignored
		r.Scopes = []string{signin.ScopeRead}
	}
	return nil
}

// redirectURL returns the redirect URI with the parameters of an authorization response, given as
// pairs of a name and a value. It adds the parameter iss, which prevents mix-up attacks (RFC 9207).
func (s *Server) redirectURL(r AuthorizationRequest, parameters ...string) string {
	q := url.Values{"iss": {s.o.Issuer}}
	if r.State != "" {
		q.Set("state", r.State)
	}
	for i := 0; i < len(parameters); i += 2 {
		q.Set(parameters[i], parameters[i+1])
	}
	separator := "?"
	if strings.Contains(r.RedirectURI, "?") {
		separator = "&"
	}
	return r.RedirectURI + separator + q.Encode()
}

// GrantExpiry returns when a grant that a user gives now will expire.
func (s *Server) GrantExpiry(u signin.User) time.Time {
	if u.TokenHash == "" {
		return s.o.now().Add(providerGrantLifetime)
	}
	return s.o.now().Add(grantLifetime)
}

// consentRequest is an authorization request that the consent page shows to a user. It is signed,
// so that the answer of the user applies to exactly this request, and no other user can give it.
type consentRequest struct {
	AuthorizationRequest
	UserID  string
	Created time.Time
}

// consentLifetime is how long a user may take to answer.
const consentLifetime = 10 * time.Minute

// SignRequest returns a request as a signed text, for the form of the consent page of a user.
func (s *Server) SignRequest(r AuthorizationRequest, u signin.User) (string, error) {
	text, err := json.Marshal(consentRequest{r, u.ID, s.o.now()})
	if err != nil {
		return "", err
	}
	return s.o.Grants.signPayload(prefixConsent, text), nil
}

// VerifyRequest returns the request in a signed text from SignRequest. The error is a
// *RequestError, for example if the text is for another user or has expired.
func (s *Server) VerifyRequest(signed string, u signin.User) (AuthorizationRequest, error) {
	var c consentRequest
	text, ok := s.o.Grants.verifyPayload(prefixConsent, signed)
	if !ok || json.Unmarshal(text, &c) != nil || c.UserID != u.ID || !isValidAt(c.Created, consentLifetime, s.o.now()) {
		return AuthorizationRequest{}, &RequestError{Reason: message.New("this request is not for you, or has expired; start again in the program")}
	}
	c.consent = text
	return c.AuthorizationRequest, nil
}

// DenyRequest denies a request that VerifyRequest has returned, and returns the URL to which the
// browser is redirected. If the user has approved the same request before, the grant ends.
func (s *Server) DenyRequest(r AuthorizationRequest, u signin.User) (string, error) {
	id, _ := s.o.Grants.codeFor(r.consent)
	if s.o.Grants.current().find(id) != nil { // the file is locked only if there is something to do
		if err := s.endGrant(id, r, u); err != nil {
			s.o.Logger.Error("a grant cannot be ended", "error", err)
			return "", ErrConsentNotSaved
		}
	}
	return s.redirectURL(r, "error", "access_denied", "error_description", "the user has refused"), nil
}

// endGrant ends the grant with an ID if it belongs to the user and to the client of a request.
func (s *Server) endGrant(id string, r AuthorizationRequest, u signin.User) error {
	return s.o.Grants.updateFile(func(b *storedGrants) (bool, error) {
		g := b.find(id)
		if g == nil || g.UserID != u.ID || !matchesHash(g.ClientIDHash, r.ClientID) {
			return false, nil
		}
		s.o.Logger.Info("grant ended: its user has refused it after all", "user", g.UserName, "client", g.ClientName, "grant", g.ID)
		b.remove(id)
		return true, nil
	})
}

// ErrConsentNotSaved is the error of ApproveRequest and DenyRequest if the grants file cannot be
// written.
var ErrConsentNotSaved = &RequestError{Reason: message.New("your answer cannot be saved; the log of the server says why")}

// ApproveRequest adds a grant for a request that VerifyRequest has returned, and returns the URL
// with the code to which the browser is redirected. If the browser sends the form twice, the code
// is the same.
func (s *Server) ApproveRequest(r AuthorizationRequest, u signin.User) (string, error) {
	now := s.o.now()
	g := &Grant{
		UserName: u.Name, UserID: u.ID, UserTokenHash: u.TokenHash, ClientName: r.Client.Name, ClientHost: r.clientHost(), ClientIDHash: hashOf(r.ClientID),
		Scopes: r.Scopes, Resource: s.resourceURL(), Created: now, LastUsed: now, ExpiresAt: s.GrantExpiry(u),
	}
	if g.UserTokenHash == "" {
		g.Groups, g.UserScopes = u.Groups, u.Scopes
	}
	var secret string
	g.ID, secret = s.o.Grants.codeFor(r.consent)
	g.Code = &authorizationCode{Hash: hashOf(secret), CodeChallenge: r.CodeChallenge, RedirectURI: r.RedirectURI, Created: now}
	isNew := false
	err := s.o.Grants.updateFile(func(b *storedGrants) (bool, error) {
		b.removeExpired(now)
		if before := b.find(g.ID); before != nil {
			if !before.isUnused(prefixCode, secret) {
				return false, errConsentUsed
			}
			return false, nil
		}
		err := b.addPending(g)
		isNew = err == nil
		return isNew, err
	})
	if errors.Is(err, errConsentUsed) {
		return "", &RequestError{Reason: message.New("this request has been answered; start again in the program")}
	}
	if err != nil {
		s.o.Logger.Error("a grant cannot be saved", "user", u.Name, "error", err)
		return "", ErrConsentNotSaved
	}
	if isNew {
		s.o.Logger.Info("access granted", "user", u.Name, "client", r.Client.Name, "at", g.ClientHost, "scopes", g.Scopes, "grant", g.ID)
	}
	return s.redirectURL(r, "code", secret), nil
}

var errConsentUsed = errors.New("the code of this request was redeemed")
