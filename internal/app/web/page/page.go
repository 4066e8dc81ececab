// Package page is the web page of the program: what the folders contain, what a question finds and
// why, and the documents themselves. It is plain HTML that works without scripts. It treats all
// content of documents as text, except for what package render makes of it. Packages signin and
// access decide who may see what before a page is made.
package page

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"vademecum/embed"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// Options configures Pages.
type Options struct {
	Authenticator *signin.Authenticator // identifies visitors; nil means everyone is let in
	LocalSignIn   *signin.LocalSignIn   // signs in browsers that the user opens on this machine; it must be a checker of Authenticator, too; nil for none
	OAuthServer   *oauth.Server         // OAuth server whose consent page is served; nil for none
	SessionKey    *signin.EncryptionKey // keeps sessions valid when the server restarts; nil means that they end
	ChooseView    func(signin.User) (*access.View, error)
	Logger        *slog.Logger

	// AllowRequest counts a request of a user against the rate limit, or one with a wrong token if
	// failed is set. Over the limit it responds with an error and returns false.
	AllowRequest func(w http.ResponseWriter, r *http.Request, user string, failed bool) bool
	// OpenStream counts a stream to a browser, which ends when isStillAllowed returns false; done must
	// be called at its end. If the user has too many, it responds with an error and ok is false.
	OpenStream func(w http.ResponseWriter, r *http.Request, isStillAllowed func(context.Context) bool) (ctx context.Context, done func(), ok bool)
	// SenderName returns the name that the log shows for the sender of a request.
	SenderName func(context.Context) string
	// SenderAddress returns the address that the log shows for the sender of a request.
	SenderAddress func(*http.Request) string
	LogQueries    bool // log the questions asked, with their users
	// IsSecure reports whether a request was encrypted on all its way.
	IsSecure func(*http.Request) bool
	// IsOwner reports whether a request is known to come from the user who started the server.
	IsOwner    func(*http.Request) bool
	PathPrefix string // prefix of the paths of all pages; "" for none

	ServerDescription
}

// ServerDescription describes a server, as its operator has configured it, for its pages.
type ServerDescription struct {
	IsForLocalUser bool           // the server is for one person, on this machine, who may open files
	URL            string         // URL of the MCP endpoint; "" means that it is derived from that of the page
	LocalServer    hosts.Server   // how a host on this machine starts the program; zero if it cannot
	Price          *embed.Price   // price of the embedding model; nil if it is free or the price is unknown
	JudgementsDir  string         // directory for users' judgements of results; "" for none
	VisitsDir      string         // directory for the state of the documents at the last visit; "" for none
	Machine        *hosts.Machine // machine whose hosts the page may configure; nil for none

	// MergeEntry returns the arguments of a server that serves the folders of an entry together with
	// those in args; nil if there cannot be such a server.
	MergeEntry func(entry hosts.InstalledEntry, args []string) []string
	// MissingKeys returns notes on the API keys that the user has to add by hand to the configuration
	// of a host.
	MissingKeys func(hosts.Host) []message.Message
}

// Pages serves the web pages. It is an http.Handler.
type Pages struct {
	o        Options
	sessions *signin.Sessions // nil without authentication
	routes   *http.ServeMux
	origins  *http.CrossOriginProtection
	links    *strings.Replacer // prepends PathPrefix to links

	judging  sync.Mutex // held while a file of judgements is written
	changing sync.Mutex // held while the configuration of a host is changed
	secret   []byte     // signs the changes that a page has shown

	mu    sync.Mutex
	lives map[*access.View]*live
}

// New returns Pages.
func New(o Options) *Pages {
	p := &Pages{o: o, origins: http.NewCrossOriginProtection(), lives: make(map[*access.View]*live), links: linksBelow(o.PathPrefix), secret: []byte(rand.Text())}
	if o.Authenticator != nil {
		key := o.SessionKey
		if key == nil {
			key = signin.NewEncryptionKey()
		}
		authenticator := o.Authenticator
		if o.OAuthServer != nil { // a client's token must not sign in as the user who granted it
			authenticator = authenticator.WithoutChecker(o.OAuthServer)
		}
		p.sessions = signin.NewSessions(authenticator, key, o.Logger)
	}
	p.routes = http.NewServeMux()
	p.routes.HandleFunc("GET /assets/{name}", p.asset)
	p.routes.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, assetURL("icon.svg"), http.StatusMovedPermanently)
	})
	p.routes.HandleFunc("GET /sign-in", p.signInForm)
	p.routes.HandleFunc("POST /sign-in", p.signIn)
	p.routes.HandleFunc("POST /sign-out", p.signOut)
	if p.client() != nil {
		p.routes.HandleFunc("GET "+pathProvider, p.toProvider)
		p.routes.HandleFunc("GET "+signin.PathCallback, p.fromProvider)
	}
	if o.OAuthServer != nil {
		p.routes.HandleFunc("GET "+oauth.PathAuthorize, p.authorize)
		p.routes.HandleFunc("POST "+oauth.PathAuthorize, p.visited((*request).consent))
	}
	if o.LocalSignIn != nil {
		p.routes.HandleFunc("GET /open", p.open)
		p.routes.HandleFunc("GET "+signin.PathServerProof, p.proveOpen)
	}
	for pattern, show := range map[string]func(*request){
		"GET /{$}":               (*request).search,
		"GET /search":            (*request).search,
		"GET /find":              (*request).findText,
		"GET /check":             (*request).checkForm,
		"POST /check":            (*request).check,
		"GET /doc":               (*request).document,
		"GET /doc/state":         (*request).documentState,
		"GET /picture":           (*request).picture,
		"GET /file":              (*request).file,
		"POST /reveal":           (*request).reveal,
		"GET /library":           (*request).library,
		"GET /library/state":     (*request).state,
		"GET /library/documents": (*request).documents,
		"GET /library/skipped":   (*request).skipped,
		"GET /library/since":     (*request).since,
		"GET /library/left-out":  (*request).leftOut,
		"GET /events":            (*request).events,
		"GET /add":               (*request).add,
		"POST /add":              (*request).changeHost,
		"GET /help":              (*request).help,
		"GET /help/{topic}":      (*request).help,
		"GET /try":               (*request).try,
		"POST /try/judge":        (*request).saveJudgement,
		"GET /try/figures":       (*request).figures,
	} {
		p.routes.HandleFunc(pattern, p.visited(show))
	}
	p.routes.HandleFunc("/", p.nothing)
	return p
}

// Limits of what a browser may send, and of the time that a page may take.
const (
	longestForm  = 128 << 10        // bytes; nine per Chinese character
	longestQuery = 80 << 10         // bytes; enough for the longest question that is answered
	longestWait  = 30 * time.Second // time limit for making a page
)

// policy is the Content-Security-Policy of pages: a page loads only content from this server and
// cannot be framed.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP handles a request that the guard has let pass.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = redirectPrefixer{w, p.o.PathPrefix}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// with no-referrer, browsers would send forms without their origin
	h.Set("Referrer-Policy", "same-origin")
	if p.o.OAuthServer == nil || !isOfSignIn(r.URL.Path) {
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Language, Cookie")
	switch {
	case len(r.URL.RawQuery) > longestQuery:
		p.fail(w, r, http.StatusRequestURITooLong, message.New("the question is too long"))
		return
	case r.Method == http.MethodPost:
		if err := p.origins.Check(r); err != nil {
			p.fail(w, r, http.StatusForbidden, message.New("this was not sent by a page of this server"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, longestForm)
		if err := r.ParseForm(); err != nil {
			p.failForm(w, r, err)
			return
		}
	}
	if path.Clean(r.URL.Path) != r.URL.Path { // otherwise the request would be redirected to the clean path
		p.nothing(w, r)
		return
	}
	p.keepLocale(w, r)
	p.routes.ServeHTTP(w, r)
}

// failForm explains why a form could not be read.
func (p *Pages) failForm(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadRequest
	if errors.As(err, new(*http.MaxBytesError)) {
		status = http.StatusRequestEntityTooLarge
	}
	p.fail(w, r, status, message.New("the form cannot be read"))
}

// nothing responds to a request for a path that does not exist.
func (p *Pages) nothing(w http.ResponseWriter, r *http.Request) {
	if p.o.PathPrefix != "" {
		p.fail(w, r, http.StatusNotFound, message.New("there is nothing here"))
		return
	}
	p.fail(w, r, http.StatusNotFound, message.New("there is nothing here; MCP is at /mcp"))
}
