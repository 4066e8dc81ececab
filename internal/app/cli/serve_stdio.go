package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"vademecum/internal/app/bridge"
	"vademecum/internal/app/owner"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
	"vademecum/mcp"
)

// stdioServer serves the host that has started this process.
type stdioServer struct {
	*program
	folders []string
	options mcp.Options
	group   *owner.SharingGroup // processes with the same settings; nil if this process shares no index with others
	known   *owner.Registration // description of this process for others
	log     *slog.Logger
}

// serveStdio serves one host over stdin and stdout. It uses the index of an earlier process with
// the same settings if there is one, otherwise an index of its own, which processes that start
// later share.
func (p *program) serveStdio(ctx context.Context, folders []string, o mcp.Options) error {
	log, err := p.newLogger()
	if err != nil {
		return err
	}
	p.awaits = true
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go endWithParent(ctx, os.Getppid(), cancel) // the parent is read before the host can be gone
	s := stdioServer{program: p, folders: folders, options: o, log: log}
	role, err := owner.RoleStandalone, error(nil)
	if s.group, err = p.serverGroup(folders); err == nil {
		role, err = s.group.Join(ctx)
	}
	s.known = p.register(folders, role, err)
	defer s.known.End()
	switch {
	case role == owner.RoleConnected:
		return s.serveFromOwner(ctx)
	case role == owner.RoleStandalone:
		log.Info("this process shares no index with others", "error", err)
	}
	if err := p.offerFetch(ctx); err != nil {
		return err
	}
	return s.withServer(ctx, func(ctx context.Context, server *mcp.Server) error {
		if role == owner.RoleOwner {
			defer s.shareUntilStopped(ctx, server)()
		}
		s.explainAtTerminal()
		return server.ServeStdio(ctx, p.stdin, p.stdout)
	})
}

// withServer opens the index, and keeps it up to date until serve returns.
func (s stdioServer) withServer(ctx context.Context, serve func(context.Context, *mcp.Server) error) error {
	ix, log, err := s.openIndex(s.folders)
	if err != nil {
		return err
	}
	o := s.options
	o.Logger, o.NewTextsLibrary = log, sessionTextOpener(ix)
	server := mcp.New(ix, o)
	return syncWhileServing(ctx, ix, log, func(ctx context.Context) error { return serve(ctx, server) })
}

// explainAtTerminal prints help for a user who has started by hand what a host should start.
func (s stdioServer) explainAtTerminal() {
	if term.IsTerminal(int(s.stdin.Fd())) {
		s.explainServing(s.folders)
	}
}

// clientHeader is the HTTP header by which a process identifies itself to the owner. Sessions, and
// texts that a host adds, belong to one process.
const clientHeader = "Vademecum-Client"

type clientKey struct{}

// largestTexts is the maximum size of a request in bytes. A host may add all its documents in one
// request.
const largestTexts = 160 << 20

// shareUntilStopped lets the server answer other processes in the background, until stop is called.
// stop returns when no response is sent to them any more. They repeat unanswered calls with the next
// owner, instead of getting an error from an index that is closed.
func (s stdioServer) shareUntilStopped(ctx context.Context, server *mcp.Server) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.share(ctx, server)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// share makes the server of this process answer other processes as well, as long as this process is
// the owner.
func (s stdioServer) share(ctx context.Context, server *mcp.Server) {
	for {
		if err := s.serveGroup(ctx, server); err != nil {
			s.log.Info("other processes hold an index of their own: the socket for them cannot be opened", "error", err)
			_ = s.group.ReleaseOwnership()
			s.known.SetRole(owner.RoleStandalone, message.New("the socket for other processes cannot be opened: %v", err))
			return
		}
		if ctx.Err() != nil {
			return
		}
		if !s.group.TryOwn() {
			s.known.SetRole(owner.RoleStandalone, owner.ReplacedOwnerReason)
			return
		}
	}
}

// serveGroup answers other processes until the socket is replaced or this process is no longer the
// owner. The sessions end with it, as requests in them may still be in progress.
func (s stdioServer) serveGroup(ctx context.Context, server *mcp.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := func(ctx context.Context) string { name, _ := ctx.Value(clientKey{}).(string); return name }
	endpoint := mcp.NewEndpoint(mcp.HTTPOptions{
		ChooseServer: func(*http.Request) *mcp.Server { return server },
		SessionOwner: client,
		TextOwner:    func(ctx context.Context) (string, bool) { return client(ctx), true },
		MaxBodyBytes: largestTexts,
	})
	go endpoint.RunIdleSessionCleanup(ctx)
	return s.group.Serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead { // a probe
			return
		}
		endpoint.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, r.Header.Get(clientHeader))))
	}))
}

// serveFromOwner connects the host to the owner, and makes this process the owner when the owner
// ends.
func (s stdioServer) serveFromOwner(ctx context.Context) error {
	if _, err := s.checkFoldersAndStore(s.folders); err != nil {
		return err
	}
	s.takesOver = true
	s.explainAtTerminal()
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	defer func() { cancel(); <-ended }()
	go func() {
		defer close(ended)
		s.group.RunWhenOwner(ctx, s.own)
	}()
	return bridge.Run(ctx, s.stdin, s.stdout, bridge.Options{
		URL: owner.EndpointURL, Transport: s.group.Transport(), Logger: s.log,
		MaxRetryPause: ownerPause, OnUnresponsive: s.group.ReportOwnerUnreachable, AllCallsIdempotent: true, ChangesSession: givesTexts,
		Header: http.Header{clientHeader: {fmt.Sprintf("%d-%s", os.Getpid(), rand.Text())}},
	})
}

// ownerPause is the longest pause between two attempts to reach the owner, which is on this
// machine.
const ownerPause = 100 * time.Millisecond

// givesTexts reports whether a tool call adds texts, which the server keeps for the session.
func givesTexts(call []byte) bool {
	var request struct {
		Params struct {
			Arguments struct{ Docs json.RawMessage }
		}
	}
	return json.Unmarshal(call, &request) == nil && len(request.Params.Arguments.Docs) > len("[]")
}

// own serves the index of this process, as the owner, to other processes and to this one, which
// connects in the same way as the others.
func (s stdioServer) own(ctx context.Context) {
	s.log.Info("this process holds the index now, which another process did before")
	s.known.SetRole(owner.RoleOwner, "")
	defer s.known.SetRole(owner.RoleConnected, "")
	err := s.withServer(ctx, func(ctx context.Context, server *mcp.Server) error {
		go server.RunChangeNotifier(ctx)
		s.share(ctx, server)
		return nil
	})
	if err != nil {
		s.log.Error("the index cannot be used", "error", err)
	}
	if ctx.Err() == nil { // so that this process, or another one, can try again
		_ = s.group.ReleaseOwnership()
		select {
		case <-time.After(retryOwnAfter):
		case <-ctx.Done():
		}
	}
}

// successorOpenTimeout is how long a process that takes over waits for the file system of a folder. One
// that takes longer counts as not answering until it does.
const successorOpenTimeout = 300 * time.Millisecond

// retryOwnAfter is how long a process waits after it has failed to serve as the owner.
const retryOwnAfter = time.Second

// serverGroup returns the group of the processes with the same settings. The error says why they
// cannot share an index.
func (p *program) serverGroup(folders []string) (*owner.SharingGroup, error) {
	if p.isInMemory() {
		return nil, message.Errorf("its index is in memory")
	}
	dir, err := system.CacheDir()
	if err != nil {
		return nil, err
	}
	return owner.NewSharingGroup(dir, p.settings(folders))
}

// register publishes a description of this process for others. reason says why it serves alone; nil
// if it does not.
func (p *program) register(folders []string, role owner.Role, reason error) *owner.Registration {
	dir, err := system.CacheDir()
	if err != nil {
		return nil
	}
	var text message.Message
	if reason != nil {
		text = message.FromError(reason)
	}
	return owner.Register(dir, p.settings(folders), role, text)
}

// settings returns everything by which the answers of two processes may differ: the version, the
// folders, the flags except that for the language of messages, and the environment variables that
// are read.
func (p *program) settings(folders []string) owner.Settings {
	all := owner.Settings{Version: p.release, BuildID: programStamp()}
	for _, dir := range folders {
		all.Folders = append(all.Folders, absoluteSetting(dir))
	}
	p.flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			if f.Name != "lang" {
				all.Flags = append(all.Flags, f.Name+"="+canonicalSetting(f.Name, value))
			}
		}
	})
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); isSetting(strings.ToUpper(name)) {
			all.Environment = append(all.Environment, line)
		}
	}
	slices.Sort(all.Environment)
	return all
}

// isSetting reports whether an environment variable may change the answers of a server.
func isSetting(name string) bool {
	for _, prefix := range []string{variablePrefix, "OPENAI_", "OLLAMA_", "HF_", "PG"} {
		if strings.HasPrefix(name, prefix) {
			return name != bridge.TokenVariable
		}
	}
	return strings.HasSuffix(name, "_PROXY")
}

// canonicalSetting returns the value of a flag; a path is returned in a form that does not depend
// on the working directory.
func canonicalSetting(flag, value string) string {
	if flag == "index" {
		return absoluteSetting(value)
	}
	if filepath.IsAbs(value) {
		return value
	}
	if _, err := os.Stat(value); err == nil {
		return absoluteSetting(value)
	}
	return value
}

// absoluteSetting returns a path as an absolute one. It does not resolve links, as a drive that
// hangs would block.
func absoluteSetting(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// programStamp returns a text that identifies the build of the program, as builds of one version
// may differ.
func programStamp() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
