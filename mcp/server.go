// Package mcp serves an index to hosts that speak the Model Context Protocol:
// tools to search and read, every document as a resource, a prompt, and
// notifications when documents change.
//
// A [Server] serves one [Library], which [vademecum/index.Index] is, over stdio or as an
// [Endpoint] over HTTP. What it says to a model is English and short: results keep to what
// hosts were seen to show, in the form that [ResultsMode] chooses by the name of the client.
//
// # The way of a call
//
// Middleware refuses what no client may ask and counts the rest for the audit ([ToolCall]). The
// tool reads its arguments, forgiving what models are known to get wrong, waits by
// [Library.WaitFresh] until what was saved before can be found, asks the library, and
// renders the answer into blocks of text and embedded resources within a budget. One file
// has one tool: retrieve_docs.go, read_doc.go, list_docs.go, index_docs.go, and search.go
// and fetch.go for ChatGPT alone, which expects tools of these names. Texts that a client
// gives to index_docs are an overlay of the library for its session alone.
//
// The package is the only one that knows the SDK.
package mcp

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options say how a Server behaves.
type Options struct {
	Version string      // of the program, told to clients
	Results ResultsMode // how passages are returned; "" is ResultsAuto

	// Reads tells of a client, by the name that it gives, whether its model gets the text
	// of embedded resources, and whether that is known; nil: of none it is.
	Reads func(client string) (reads, isKnown bool)

	// Limits tells of a client, by its name, how many characters and bytes of content in a
	// result its model gets whole, 0 where that is as much as others pass on; nil: it is for all.
	Limits func(client string) (characters, bytes int)

	// SearchAndFetch tells of a client, by its name, whether it is to have the tools search
	// and fetch beside the others; nil: none is.
	SearchAndFetch func(client string) bool

	// Page returns the URL at which people see a document, by its path as shown, and a
	// passage of it by the fragment of its URI and its text, both "" for the whole; nil:
	// there is none.
	Page func(path, fragment, text string) string

	Logger  *slog.Logger   // nil: slog.Default
	Observe func(ToolCall) // told of each call of a tool; nil: nobody is

	LogQueries bool // what was asked is logged, beside that it was

	// Texts opens a Library of no documents, which keeps the texts that one session
	// gives until the context ends; nil: none are taken.
	Texts    func(context.Context) Library
	TextRoom *TextQuota // of all texts; nil: as much as each session may have
}

// Server answers MCP requests from one Library.
type Server struct {
	library        Library
	folders        []string // of the library, as clients were told; see addFolderTemplates
	sdk            *mcp.Server
	results        ResultsMode
	reads          func(client string) (reads, isKnown bool)
	limits         func(client string) (characters, bytes int)
	searchAndFetch func(client string) bool
	page           func(path, fragment, text string) string
	listeners      *changeNotifier
	listed         knownResources
	given          recentCursors
	sessionTexts   textsBySession
	jobs           indexJobs
	log            *slog.Logger
	logQueries     bool
	observe        func(ToolCall)
	introduced     atomic.Pointer[cachedIntroduction]
	life           context.Context // ends with the server
	end            func()
}

// neverCached is what answers about the documents are: a user's files, and they
// change.
var neverCached = mcp.Cacheable{TTLMs: 0, CacheScope: "private"}

// New makes a server for a Library, which may still be loading.
func New(library Library, o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Results == "" {
		o.Results = ResultsAuto
	}
	if o.Reads == nil {
		o.Reads = func(string) (bool, bool) { return false, false }
	}
	if o.Limits == nil {
		o.Limits = func(string) (int, int) { return 0, 0 }
	}
	if o.SearchAndFetch == nil {
		o.SearchAndFetch = func(string) bool { return false }
	}
	if o.Observe == nil {
		o.Observe = func(ToolCall) {}
	}
	s := &Server{library: library, results: o.Results, reads: o.Reads, limits: o.Limits, searchAndFetch: o.SearchAndFetch, page: o.Page, listeners: newChangeNotifier(), log: o.Logger, logQueries: o.LogQueries, observe: o.Observe}
	s.sessionTexts = textsBySession{open: o.Texts, room: o.TextRoom, of: make(map[textsOwner]*sessionTexts)}
	s.life, s.end = context.WithCancel(context.Background())
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: "vademecum", Title: "Vademecum", Version: o.Version, Icons: icons()},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       sdkLogger(o.Logger),
			Capabilities: &mcp.ServerCapabilities{
				Tools:       &mcp.ToolCapabilities{},
				Prompts:     &mcp.PromptCapabilities{},
				Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
				Completions: &mcp.CompletionCapabilities{},
			},
			CompletionHandler:  s.completeArgument,
			SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
			UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
			SetCacheable:       func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = neverCached },
		})
	s.addTools()
	s.addTemplates()
	s.addPrompt()
	s.sdk.AddReceivingMiddleware(registerSession, countRequests, s.audit, recoverPanics(o.Logger), repairErrors, refuseLongURIs, s.canonicalURIs, s.listResources, s.trackSubscriptions, s.addIntroduction, s.hideTools)
	s.sdk.AddSendingMiddleware(s.listeners.filterNotifications)
	return s
}

// NotifyChanges tells clients of changes until ctx ends, for a Server that an Endpoint
// chooses.
func (s *Server) NotifyChanges(ctx context.Context) {
	defer s.end()
	s.watchResources(ctx)
}

// ServeStdio talks to one client over in and out until in ends or ctx does.
// Neither is an error.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.end()
	go s.watchResources(ctx)
	client := newStdioTransport(in, out)
	session, err := s.sdk.Connect(ctx, client, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
		return ignoreEnd(ctx, err)
	case <-client.ended:
	case <-ctx.Done():
		go session.Close() // it may wait for a client that does not read
	}
	select {
	case err = <-ended:
	case <-time.After(closing):
	}
	return ignoreEnd(ctx, err)
}

// ignoreEnd drops an error that comes of being told to end.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// closing is how long the SDK has to end a session whose client is gone.
const closing = 200 * time.Millisecond
