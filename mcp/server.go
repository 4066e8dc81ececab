// Package mcp serves an index to hosts that speak the Model Context Protocol: tools to search and
// read, every document as a resource, a prompt, and notifications when documents change.
//
// A [Server] serves one [Library], such as [vademecum/index.Index], over stdio or as an [Endpoint]
// over HTTP. Its texts for models are short and in English. Results stay within sizes that hosts
// were seen to show, in the form that [ResultsMode] chooses by the name of the client.
//
// # How a call is handled
//
// Middleware refuses what no client may ask and counts the rest for the audit ([ToolCall]). Each
// tool is a row of package operations, which parses the arguments, tolerating known mistakes of
// models. The server waits with [Library.WaitFresh] until recently saved files can be found, has
// the operation ask the library, notes what for the log, and sends the result as blocks of text and
// embedded resources within a budget. Texts that a client passes to index_docs are an overlay of the
// library for its session alone.
//
// No other package imports the SDK.
package mcp

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index/operations"
)

// Options configures a Server.
type Options struct {
	Version     string      // version of the program, which is sent to clients
	ResultsMode ResultsMode // form in which passages are returned; "" means ResultsAuto

	// PassesResourcesToModel reports whether the model of a client, given by the client's name, gets the text
	// of embedded resources, and whether that is known. If nil, it is unknown for all clients.
	PassesResourcesToModel func(clientName string) (reads, isKnown bool)

	// ResultLimits returns how many characters and bytes of a result a client, given by its name,
	// passes to its model uncut; 0 means the usual limit. If nil, all clients have the usual limits.
	ResultLimits func(clientName string) (characters, bytes int)

	// HasSearchAndFetch reports whether a client, given by its name, is offered the tools search and
	// fetch in addition to the others. If nil, no client is.
	HasSearchAndFetch func(clientName string) bool

	// WebPageURL returns the URL of the web page that shows a document to people. Its parameters are the
	// path of the document and, for a passage, the fragment of its URI and its text, which are "" for
	// the whole document. If nil, there are no such pages.
	WebPageURL func(path, fragment, passageText string) string

	// App is the page in which hosts show results to people; the zero value means none.
	App App

	Logger     *slog.Logger   // nil means slog.Default
	OnToolCall func(ToolCall) // called after each tool call; may be nil

	LogQueries bool // log the questions along with the calls

	// NewTextsLibrary creates an empty Library for the texts of a session, which exists until the
	// context is done. If nil, texts are refused.
	NewTextsLibrary func(context.Context) Library
	TotalTextQuota  *TotalTextQuota // limit of the total size of all sessions' texts; if nil, each session has its own limit
}

// Server serves MCP requests from a Library.
type Server struct {
	library        Library
	folders        []string // folders with resource templates; see addFolderTemplates
	sdk            *mcp.Server
	results        ResultsMode
	reads          func(client string) (reads, isKnown bool)
	limits         func(client string) (characters, bytes int)
	searchAndFetch func(client string) bool
	page           func(path, fragment, text string) string
	app            App
	listeners      *changeNotifier
	listed         knownResources
	given          operations.RecentCursors
	sessionTexts   textsBySession
	jobs           indexJobs
	log            *slog.Logger
	logQueries     bool
	observe        func(ToolCall)
	introduced     atomic.Pointer[cachedIntroduction]
	life           context.Context // done when the server ends
	end            func()
}

// neverCached marks responses about documents as uncacheable, as the documents are private and
// change.
var neverCached = mcp.Cacheable{TTLMs: 0, CacheScope: "private"}

// New returns a Server for a Library, which may still be loading.
func New(library Library, o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.ResultsMode == "" {
		o.ResultsMode = ResultsAuto
	}
	if o.PassesResourcesToModel == nil {
		o.PassesResourcesToModel = func(string) (bool, bool) { return false, false }
	}
	if o.ResultLimits == nil {
		o.ResultLimits = func(string) (int, int) { return 0, 0 }
	}
	if o.HasSearchAndFetch == nil {
		o.HasSearchAndFetch = func(string) bool { return false }
	}
	if o.OnToolCall == nil {
		o.OnToolCall = func(ToolCall) {}
	}
	s := &Server{library: library, results: o.ResultsMode, reads: o.PassesResourcesToModel, limits: o.ResultLimits, searchAndFetch: o.HasSearchAndFetch, page: o.WebPageURL, app: o.App, listeners: newChangeNotifier(), log: o.Logger, logQueries: o.LogQueries, observe: o.OnToolCall}
	s.sessionTexts = textsBySession{open: o.NewTextsLibrary, room: o.TotalTextQuota, of: make(map[textsOwner]*sessionTexts)}
	s.life, s.end = context.WithCancel(context.Background())
	impl := &mcp.Implementation{Name: "vademecum", Title: "Vademecum", Version: o.Version, Icons: icons()}
	s.sdk = mcp.NewServer(
		impl,
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
	for _, newOperation := range operations.All {
		s.addTool(newOperation)
	}
	s.addTemplates()
	s.addPrompt()
	s.sdk.AddReceivingMiddleware(registerSession, countRequests, s.audit, recoverPanics(o.Logger), repairErrors, nameWithoutIcon(impl), s.offerApp, refuseLongURIs, s.canonicalURIs, s.listResources, s.trackSubscriptions, s.addIntroduction, s.hideTools)
	s.sdk.AddSendingMiddleware(s.listeners.filterNotifications)
	return s
}

// RunChangeNotifier notifies clients of changes until ctx is done. It is needed for a Server whose
// requests come from an Endpoint; ServeStdio includes it.
func (s *Server) RunChangeNotifier(ctx context.Context) {
	defer s.end()
	s.watchResources(ctx)
}

// ServeStdio serves one client, reading from in and writing to out, until in ends or ctx is done,
// neither of which is an error.
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

// ignoreEnd returns nil if ctx is done, otherwise err.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// closing is how long the SDK may take to close a session whose client is gone.
const closing = 200 * time.Millisecond
