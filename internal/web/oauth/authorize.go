package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"vademecum/internal/message"

	"vademecum/internal/web/signin"
)

// AuthorizationRequest is what a client asks somebody for, checked.
type AuthorizationRequest struct {
	Client    Client
	ClientID  string
	Redirect  string
	State     string
	Challenge string
	Scopes    []string

	agreed []byte // the consent that it is of, for ApproveRequest
}

// RedirectTarget is where the client is, as far as that is known for sure: where people are
// sent back to. isOwn tells a program on their own device.
func (r AuthorizationRequest) RedirectTarget() (name string, isOwn bool) {
	return redirectTarget(r.Redirect)
}

// ClientSite is the host whose document says what the client is, "" for none.
func (r AuthorizationRequest) ClientSite() string {
	if !isDocumentURL(r.ClientID) {
		return ""
	}
	u, _ := url.Parse(r.ClientID) // it was fetched
	return u.Host
}

// clientHost is RedirectTarget and ClientSite in a word.
func (r AuthorizationRequest) clientHost() string {
	name, _ := r.RedirectTarget()
	if site := r.ClientSite(); site != "" && site != name {
		return site + ", " + name
	}
	return name
}

// RequestError is why a request is refused. Back is where the client would learn of it,
// "" where that is not known: nobody is sent there without being asked, as anyone can
// register an address and make links to here.
type RequestError struct {
	Why  message.Message
	Back string
}

func (e *RequestError) Error() string { return e.Why.String() }

// Message is for people.
func (e *RequestError) Message() message.Message { return e.Why }

// longestState bounds what a client is told again, in bytes.
const longestState = 4 << 10

// isChallenge tells what S256 makes of a verifier.
var isChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`).MatchString

// ParseRequest reads a request that a browser brings, of somebody who has signed in. The error
// is a *RequestError.
func (s *Server) ParseRequest(ctx context.Context, q url.Values, u signin.User) (r AuthorizationRequest, err error) {
	if name := repeatedParameter(q); name != "" {
		return r, &RequestError{Why: message.New("the request of the program has %s twice", "程序的请求中 %s 出现了两次", name)}
	}
	r = AuthorizationRequest{ClientID: q.Get("client_id"), Redirect: q.Get("redirect_uri"), State: q.Get("state"), Challenge: q.Get("code_challenge")}
	if r.Client, err = s.findClient(ctx, r.ClientID, u); err != nil {
		return r, err
	}
	if r.Redirect == "" && len(r.Client.Redirects) == 1 {
		r.Redirect = r.Client.Redirects[0]
	}
	if !r.Client.allowsRedirect(r.Redirect) {
		return r, &RequestError{Why: message.New("the program wants you to be sent to an address that it has not registered", "程序要求跳转到一个没有登记的地址")}
	}
	return r, s.checkRequest(&r, q, u)
}

// findClient returns a client by its name, which a user has brought.
func (s *Server) findClient(ctx context.Context, id string, u signin.User) (Client, error) {
	if !isDocumentURL(id) {
		c, ok := s.registeredClient(id)
		if !ok {
			return c, &RequestError{Why: message.New("this server does not know the program; remove the connection in the program and add it again", "本服务器不认识该程序；请在程序中删除此连接后重新添加")}
		}
		return c, nil
	}
	c, err := s.documents.clientOf(ctx, id, u.ID)
	if err != nil {
		return c, &RequestError{Why: message.New("the program cannot be told apart from others: %v", "无法确认该程序的身份：%v", err)}
	}
	return c, nil
}

// checkRequest checks what is told to the client, too.
func (s *Server) checkRequest(r *AuthorizationRequest, q url.Values, u signin.User) error {
	refuse := func(code string, why message.Message) error {
		return &RequestError{Why: why, Back: s.redirectURL(*r, "error", code, "error_description", why.String())}
	}
	switch {
	case len(r.State) > longestState:
		r.State = ""
		return refuse("invalid_request", message.New("the state that the program sends is too long", "程序发送的 state 太长"))
	case q.Get("response_type") != "code":
		return refuse("unsupported_response_type", message.New("the program asks for something other than a code (response_type)", "程序要求的不是授权码（response_type）"))
	case q.Get("code_challenge_method") != "S256" || !isChallenge(r.Challenge):
		return refuse("invalid_request", message.New("the program does not protect its code by PKCE with S256", "程序没有用 PKCE（S256）保护授权码"))
	case !s.isForResource(q["resource"]):
		return refuse("invalid_target", message.New("the program asks for a token for another server", "程序要求的是另一个服务器的令牌"))
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return refuse("invalid_request", message.New("the program wants to be answered in a way that there is not (response_mode)", "程序要求的回应方式不存在（response_mode）"))
	case q.Get("request") != "" || q.Get("request_uri") != "":
		return refuse("request_not_supported", message.New("the program sends its request in a way that is not read here", "程序发送请求的方式在这里不支持"))
	}
	asked := strings.Fields(q.Get("scope"))
	r.Scopes = sharedScopes(slices.DeleteFunc(slices.Clone(signin.Scopes), func(scope string) bool { return !slices.Contains(asked, scope) }), u)
	if len(r.Scopes) == 0 { // others, such as offline_access, mean nothing here
		r.Scopes = []string{signin.ScopeRead}
	}
	return nil
}

// redirectURL is where a browser is sent with an answer: it says who answers, so that a client
// that has several servers cannot be told the code of one by another.
func (s *Server) redirectURL(r AuthorizationRequest, says ...string) string {
	q := url.Values{"iss": {s.o.Public}}
	if r.State != "" {
		q.Set("state", r.State)
	}
	for i := 0; i < len(says); i += 2 {
		q.Set(says[i], says[i+1])
	}
	with := "?"
	if strings.Contains(r.Redirect, "?") {
		with = "&"
	}
	return r.Redirect + with + q.Encode()
}

// GrantExpiry is when a grant of a user ends at the latest.
func (s *Server) GrantExpiry(u signin.User) time.Time {
	lasts := grantLasts
	if u.Token == "" {
		lasts = providedLasts
	}
	return s.o.now().Add(lasts)
}

// sealedConsent is a request that somebody is asked about: they agree to what they were shown
// and to nothing else, and nobody does it for them.
type sealedConsent struct {
	AuthorizationRequest
	UserID string
	At     time.Time
}

// consentLasts is how long they may think about it.
const consentLasts = 10 * time.Minute

// SealRequest is a request that a user is asked about, for OpenRequest.
func (s *Server) SealRequest(r AuthorizationRequest, u signin.User) (string, error) {
	text, err := json.Marshal(sealedConsent{r, u.ID, s.o.now()})
	if err != nil {
		return "", err
	}
	return s.o.Grants.signPayload(kindConsent, text), nil
}

// OpenRequest returns a request that this user was asked about not long ago. The error is a
// *RequestError.
func (s *Server) OpenRequest(sealed string, u signin.User) (AuthorizationRequest, error) {
	var c sealedConsent
	text, ok := s.o.Grants.verifyPayload(kindConsent, sealed)
	if !ok || json.Unmarshal(text, &c) != nil || c.UserID != u.ID || !isValidAt(c.At, consentLasts, s.o.now()) {
		return AuthorizationRequest{}, &RequestError{Why: message.New("this question was put to somebody else, or too long ago; start again in the program", "这个请求不是向你提出的，或已过期；请在程序中重新开始")}
	}
	c.agreed = text
	return c.AuthorizationRequest, nil
}

// DenyRequest returns where a browser is sent whose user does not agree to what OpenRequest
// returned. What they agreed to on the same page before ends.
func (s *Server) DenyRequest(r AuthorizationRequest, u signin.User) (string, error) {
	id, _ := s.o.Grants.codeOf(r.agreed)
	if s.o.Grants.currentBook().find(id) != nil { // which takes no lock
		if err := s.endAgreed(id, r, u); err != nil {
			s.o.Logger.Error("a grant cannot be ended", "error", err)
			return "", errUnkeptAnswer
		}
	}
	return s.redirectURL(r, "error", "access_denied", "error_description", "the user has refused"), nil
}

// endAgreed ends the grant that comes of a request.
func (s *Server) endAgreed(id string, r AuthorizationRequest, u signin.User) error {
	return s.o.Grants.updateFile(func(b *grantBook) (bool, error) {
		g := b.find(id)
		if g == nil || g.UserID != u.ID || !matchesHash(g.ClientID, r.ClientID) {
			return false, nil
		}
		s.o.Logger.Info("grant ended: its user has refused it after all", "user", g.User, "client", g.Client, "grant", g.ID)
		b.remove(id)
		return true, nil
	})
}

// errUnkeptAnswer is for people whose answer cannot be kept; the log says why.
var errUnkeptAnswer = &RequestError{Why: message.New("your answer cannot be kept; who runs this server finds the reason in its log", "无法保存你的决定；原因见服务器日志，请联系管理者")}

// ApproveRequest keeps that a user agrees to what OpenRequest returned, and returns where the
// browser is sent with the code: with the same when it sends the answer twice.
func (s *Server) ApproveRequest(r AuthorizationRequest, u signin.User) (string, error) {
	now := s.o.now()
	g := &Grant{
		User: u.Name, UserID: u.ID, Token: u.Token, Client: r.Client.Name, Host: r.clientHost(), ClientID: hashOf(r.ClientID),
		Scopes: r.Scopes, Resource: s.resourceURL(), Made: now, Used: now, Until: s.GrantExpiry(u),
	}
	if g.Token == "" {
		g.Groups, g.May = u.Groups, u.Scopes
	}
	var secret string
	g.ID, secret = s.o.Grants.codeOf(r.agreed)
	g.Code = &code{Hash: hashOf(secret), Challenge: r.Challenge, Redirect: r.Redirect, Made: now}
	isNew := false
	err := s.o.Grants.updateFile(func(b *grantBook) (bool, error) {
		b.forget(now)
		if before := b.find(g.ID); before != nil {
			if !before.isUnused(kindCode, secret) {
				return false, errAnswered
			}
			return false, nil
		}
		err := b.addGrant(g)
		isNew = err == nil
		return isNew, err
	})
	if errors.Is(err, errAnswered) {
		return "", &RequestError{Why: message.New("this question has been answered; start again in the program", "这个请求已经答复过；请在程序中重新开始")}
	}
	if err != nil {
		s.o.Logger.Error("what somebody agreed to cannot be kept", "user", u.Name, "error", err)
		return "", errUnkeptAnswer
	}
	if isNew {
		s.o.Logger.Info("access granted", "user", u.Name, "client", r.Client.Name, "at", g.Host, "scopes", g.Scopes, "grant", g.ID)
	}
	return s.redirectURL(r, "code", secret), nil
}

var errAnswered = errors.New("what was agreed to has been given")
