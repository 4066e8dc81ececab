package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/internal/app/hosts"
	"vademecum/internal/app/mcpapp"
	"vademecum/internal/app/tunnel"
	"vademecum/internal/base/message"
	"vademecum/mcp"
)

// shareOptions are the flags of the command share.
type shareOptions struct {
	httpFlags
	folders []string
	tunnel  string            // name of the tunnel program to start; "" if none
	end     func(cause error) // ends the server with a cause
}

// share returns the command share, which serves folders at a public HTTPS address.
func (p *program) share() *cobra.Command {
	s := shareOptions{httpFlags: httpFlags{rate: 50, sessions: 1000, userClaim: "sub", trustProxy: true}}
	c := &cobra.Command{
		Use:   "share FOLDER...",
		Short: "make folders available to claude.ai, a phone and ChatGPT, and say how",
		Long: `make folders available to claude.ai, a phone and ChatGPT, and say how

Without flags it lists what on this machine could give the server an HTTPS address.
--tunnel starts such a program; --public-url is for your own proxy or tunnel. The
command creates the first token, serves like serve --http, checks the address as
others reach it, and says what to paste where. Ctrl-C stops everything.`,
		Example: `  vademecum share notes
  vademecum share notes --tunnel tailscale
  vademecum share notes --public-url https://kb.example.com`,
		Args: p.requireFolders(message.New("give the folder to share")),
		RunE: func(c *cobra.Command, folders []string) error {
			if !c.Flags().Changed("log-level") {
				p.logLevel = "info" // at this level each call is logged
			}
			p.stderr.startAsync()
			s.folders = folders
			err := p.shareFolders(c.Context(), &s)
			if c.Context().Err() != nil { // Ctrl-C is the normal end of share
				return nil
			}
			return err
		},
	}
	c.Flags().StringVar(&s.tunnel, "tunnel", "", tunnelHelp().String())
	c.Flags().StringVar(&s.public, "public-url", "", "the HTTPS `URL` at which others reach the server, through your own proxy or tunnel")
	c.Flags().StringVar(&s.address, "http", defaultAddress, "`ADDR` of this machine at which the proxy or tunnel finds the server; a port alone will do")
	c.Flags().StringVar(&s.tokens, "tokens", "", "`FILE` with a line for each token (default: tokens in the program's configuration folder)")
	p.reranker.define(c.Flags())
	return c
}

func tunnelNames() (names []string) {
	for _, t := range tunnel.Programs {
		names = append(names, t.Name)
	}
	return names
}

func (p *program) shareFolders(ctx context.Context, s *shareOptions) error {
	s.address = portAddress(s.address)
	_, err := p.checkFoldersAndStore(s.folders)
	if err = errors.Join(checkNotHome(s.folders), p.checkShareFlags(s), err); err != nil {
		return err
	}
	if s.public == "" && s.tunnel == "" {
		p.printTunnelsAndProxies(s.address)
		return usageError{message.Errorf("specify how others reach this machine"), message.New("give --tunnel PROGRAM, or --public-url URL")}
	}
	on, err := listenAt(s.address) // before the tunnel starts, as another program may have the port
	if err != nil {
		return err
	}
	defer on.Close()
	s.on = on
	hasToken, err := p.readTokens(s)
	if err != nil {
		return err
	}
	s.signIn = true // users sign in with a token of that file
	s.instance = rand.Text()
	ctx, s.end = context.WithCancelCause(ctx)
	tunnelEnded, err := p.startTunnel(ctx, s)
	if err != nil {
		return err
	}
	defer func() { s.end(nil); <-tunnelEnded }()
	steps := &numberedSteps{program: p, out: p.stdout}
	s.printAddress(steps)
	if err := s.printToken(steps, hasToken); err != nil {
		return err
	}
	s.announce = func(ctx context.Context, _ string) { s.guideUser(ctx, steps) }
	err = p.serveHTTP(ctx, s.folders, mcp.Options{Version: p.release, App: mcpapp.App(), PassesResourcesToModel: hosts.ReadsResources, ResultLimits: hosts.ResultLimit, HasSearchAndFetch: hosts.ExpectsSearchAndFetch}, &s.httpFlags)
	if cause := new(shareEndError); errors.As(context.Cause(ctx), cause) {
		return cause.error
	}
	return err
}

// shareEndError is the reason for which share has ended its server.
type shareEndError struct{ error }

// checkNotHome returns a usage error for the home folder of the user and folders that contain it,
// as they contain all private files.
func checkNotHome(folders []string) error {
	if dir := folderWithHome(folders); dir != "" {
		return usageError{message.Errorf("%s contains your home folder: everything private in it could be found from anywhere", absolutePath(dir)), message.New("name the folder with the documents")}
	}
	return nil
}

// checkShareFlags returns a usage error for flags with which the server could be reached without
// HTTPS, or not at all.
func (p *program) checkShareFlags(s *shareOptions) error {
	t, known := tunnel.FindProgram(s.tunnel)
	switch {
	case s.tunnel != "" && s.public != "":
		return usageError{message.Errorf("--tunnel determines the address automatically: --public-url cannot be combined with it"), message.New("start the tunnel yourself, or leave --public-url out")}
	case s.tunnel != "" && !known:
		return usageError{message.Errorf("--tunnel %s is not a supported program: there are %s", quoteArg(s.tunnel), strings.Join(tunnelNames(), ", ")), message.New("start it yourself, and give its address as --public-url")}
	case s.tunnel != "" && !t.IsInstalled():
		return usageError{message.Errorf("there is no program %s on the PATH", t.Name), message.New("to get it: %s", t.InstallHint(runtime.GOOS))}
	case strings.HasPrefix(s.public, "http://"):
		return usageError{message.Errorf("--public-url %s: tokens could be read in transit, and claude.ai and ChatGPT accept only https://", s.public), message.New("vademecum share FOLDER says what can give the server a certificate")}
	}
	if _, _, err := net.SplitHostPort(s.address); err == nil && !s.isLocal() {
		return usageError{message.Errorf("--http %s lets other machines in without HTTPS: a proxy or tunnel of this machine leads to it", s.address), message.New("give a port of this machine, such as --http 8765")}
	}
	return s.checkFlags()
}

// startTunnel runs the tunnel program until ctx is done, if one is chosen. ended is closed when the
// program has ended, or at once if none is chosen. If it ends unexpectedly, the server is ended as well.
func (p *program) startTunnel(ctx context.Context, s *shareOptions) (ended <-chan struct{}, err error) {
	done := make(chan struct{})
	if s.tunnel == "" {
		close(done)
		return done, nil
	}
	t, _ := tunnel.FindProgram(s.tunnel)
	at := s.on.Addr().String()
	fmt.Fprintln(p.stdout, p.localise("starting: %s", shellLine(t.Command(at))))
	started, err := t.Start(ctx, at, func(line string) { fmt.Fprintf(p.stdout, "  %s\n", line) }, func() {
		fmt.Fprintln(p.stdout, p.localise("%s has not reported its address yet: it may be asking for something above, or cannot reach the internet. Ctrl-C ends it", t.Name))
	})
	if err != nil {
		return nil, err
	}
	s.public = started.URL
	go func() {
		defer close(done)
		if err := started.Wait(); err != nil {
			s.end(shareEndError{err})
		}
	}()
	return done, nil
}

// readTokens sets the default of --tokens, and reports whether that file contains a token.
func (p *program) readTokens(s *shareOptions) (hasToken bool, err error) {
	if s.tokens == "" {
		dir, err := os.UserConfigDir()
		if err == nil {
			s.tokens = filepath.Join(dir, "vademecum", "tokens")
			err = os.MkdirAll(filepath.Dir(s.tokens), 0o700)
		}
		if err != nil {
			return false, usageError{message.Errorf("there is no place for the tokens: %v", err), message.New("name a file: --tokens FILE")}
		}
	}
	all, err := tokenFile(s.tokens).readEntries(p, true)
	return len(all) > 0, err
}
