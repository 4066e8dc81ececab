// Package page is what people look at with a browser: what the folders hold, what a
// question finds and why, and the documents themselves. It is plain HTML that works
// without scripts; all that comes from documents is text to it, but for what render makes
// of them. Who may see what is decided before a page is made, by signin and access.
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

// Options say what Pages show, and to whom.
type Options struct {
	Authenticator *signin.Authenticator // which asks who people are; nil: everyone is let in
	Ticket        *signin.Ticket        // that lets one browser in, of which Authenticator knows; nil: there is none
	SignIn        *oauth.Server         // by which people let clients in; nil: there is none
	Key           *signin.Key           // by which sessions outlast the server; nil: they end with it
	Choose        func(signin.User) (*access.View, error)
	Logger        *slog.Logger

	// Admit counts a request of a user, or one with a wrong token when failed is true.
	// It answers those that are too many, and returns false.
	Admit func(w http.ResponseWriter, r *http.Request, user string, failed bool) bool
	// Stream opens a stream for a user, who may have it as long as still says yes. It
	// answers those that are too many, and returns false.
	Stream func(w http.ResponseWriter, r *http.Request, still func(context.Context) bool) (ctx context.Context, done func(), ok bool)
	// NameOf is who sends a request, as the log tells it.
	NameOf func(context.Context) string
	// From is the address that a request comes from, as the log tells it.
	From       func(*http.Request) string
	LogQueries bool // what is asked is logged, beside who asks
	// IsSecure tells that nobody can read a request on its way.
	IsSecure func(*http.Request) bool
	// IsOwner tells that a request is known to be from a program of the user who has started
	// the server.
	IsOwner func(*http.Request) bool
	Below   string // the path below which the pages are reached, "" for none

	About
}

// About is what who starts the server knows of it.
type About struct {
	Local     bool           // it is one person's, on this machine: files may be opened there
	URL       string         // by which programs reach what is served, "" for that by which the page is
	Program   hosts.Server   // how a host on this machine starts the program, zero where that is of no use
	Price     *embed.Price   // of the model, nil when it costs nothing, or nobody knows
	Judgement string         // folder in which judgements are kept, "" for none
	Visits    string         // folder in which it is kept what there was at the last visit, "" for none
	Machine   *hosts.Machine // where the configurations of hosts lie, nil where that is of no use

	// MergeEntry returns the arguments by which a host has the program serve what an entry
	// says, and what other arguments do; nil where nothing does both.
	MergeEntry func(entry hosts.Installed, args []string) []string
	// MissingKeys says which keys a host has to be given by hand.
	MissingKeys func(hosts.Host) []message.Message
}

// Pages answers browsers.
type Pages struct {
	o        Options
	sessions *signin.Sessions // nil where nobody is asked
	routes   *http.ServeMux
	origins  *http.CrossOriginProtection
	links    *strings.Replacer // that puts Below in front of links

	judging  sync.Mutex // held while a file of judgements is written
	changing sync.Mutex // held while the configuration of a host is changed
	secret   []byte     // by which the changes are known that a page has shown

	mu    sync.Mutex
	lives map[*access.View]*live
}

// New makes Pages.
func New(o Options) *Pages {
	p := &Pages{o: o, origins: http.NewCrossOriginProtection(), lives: make(map[*access.View]*live), links: linksBelow(o.Below), secret: []byte(rand.Text())}
	if o.Authenticator != nil {
		key := o.Key
		if key == nil {
			key = signin.NewKey()
		}
		authenticator := o.Authenticator
		if o.SignIn != nil { // a client with a token is not whoever gave it
			authenticator = authenticator.WithoutChecker(o.SignIn)
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
		p.routes.HandleFunc("GET "+signin.PathAnswer, p.fromProvider)
	}
	if o.SignIn != nil {
		p.routes.HandleFunc("GET "+oauth.PathAuthorize, p.authorize)
		p.routes.HandleFunc("POST "+oauth.PathAuthorize, p.visited((*request).consent))
	}
	if o.Ticket != nil {
		p.routes.HandleFunc("GET /open", p.open)
		p.routes.HandleFunc("GET "+signin.PathProof, p.proveOpen)
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

// Limits of what a browser sends.
const (
	longestForm  = 128 << 10        // bytes, nine for each character of Chinese
	longestQuery = 80 << 10         // with the longest question that is answered
	longestWait  = 30 * time.Second // until a page is given up
)

// policy lets a page load nothing but what this server has, and be shown in no other.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP answers a request that has passed the guard.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = redirectPrefixer{w, p.o.Below}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // without one a browser says of a form that nobody sends it
	if p.o.SignIn == nil || !isOfSignIn(r.URL.Path) {
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
	if path.Clean(r.URL.Path) != r.URL.Path { // the routes would lead elsewhere
		p.nothing(w, r)
		return
	}
	p.keepLocale(w, r)
	p.routes.ServeHTTP(w, r)
}

// failForm tells why a form was not read.
func (p *Pages) failForm(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadRequest
	if errors.As(err, new(*http.MaxBytesError)) {
		status = http.StatusRequestEntityTooLarge
	}
	p.fail(w, r, status, message.New("the form cannot be read"))
}

// nothing is at other paths.
func (p *Pages) nothing(w http.ResponseWriter, r *http.Request) {
	if p.o.Below != "" {
		p.fail(w, r, http.StatusNotFound, message.New("nothing is here"))
		return
	}
	p.fail(w, r, http.StatusNotFound, message.New("nothing is here; MCP is at /mcp"))
}
