package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"vademecum/internal/web"
	"vademecum/internal/web/guard"
	"vademecum/mcp"
)

// defaultAddress is where serve --http listens when it is not told.
const defaultAddress = "127.0.0.1:8765"

// httpFlags are the flags of serve that are about HTTP.
type httpFlags struct {
	address    string
	public     string
	hosts      []string
	origins    []string
	noAuth     bool
	sse        string
	trustProxy bool
	rate       float64
	sessions   int
}

func (f *httpFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.address, "http", "", "answer over HTTP at `ADDR` (default "+defaultAddress+"), at the path /mcp")
	flags.Lookup("http").NoOptDefVal = defaultAddress
	flags.StringVar(&f.public, "public-url", "", "the `URL` that the server has for others, such as https://kb.example.com")
	flags.StringArrayVar(&f.hosts, "allowed-host", nil, "a `NAME` under which the server may be reached; those of this machine always may")
	flags.StringArrayVar(&f.origins, "allowed-origin", nil, "an `ORIGIN` whose web pages may use the server, such as https://app.example.com")
	flags.BoolVar(&f.noAuth, "insecure-no-auth", false, "serve other machines without asking who they are")
	flags.StringVar(&f.sse, "sse", "auto", "speak the older HTTP+SSE at /sse and /mcp, `WHEN`: on, off or auto (on this machine only)")
	flags.BoolVar(&f.trustProxy, "trust-proxy", false, "believe what X-Forwarded headers say: only behind a proxy that sets them")
	flags.Float64Var(&f.rate, "rate-limit", 50, "requests a second of one user or address, `N` (four times as many at once)")
	flags.IntVar(&f.sessions, "max-sessions", 1000, "how many sessions may be open, `N`")
}

// onlyWithHTTP refuses the other flags when --http is not given.
func (f *httpFlags) onlyWithHTTP(flags *pflag.FlagSet) error {
	var own pflag.FlagSet
	f2 := httpFlags{}
	f2.define(&own)
	var err error
	own.VisitAll(func(o *pflag.Flag) {
		if flags.Changed(o.Name) && err == nil {
			err = mistake("", "--%s is for serving over HTTP: give --http too", o.Name)
		}
	})
	return err
}

// takeAddress lets the address stand apart from its flag, before the folders: a
// folder of such a name is given as ./NAME.
func (f *httpFlags) takeAddress(folders []string) []string {
	if f.address != defaultAddress || len(folders) < 2 {
		return folders
	}
	if _, port, err := net.SplitHostPort(folders[0]); err != nil || port == "" || strings.Contains(folders[0], "/") {
		return folders
	}
	f.address = folders[0]
	return folders[1:]
}

// check refuses flags that do not go together.
func (f *httpFlags) check() error {
	host, _, err := net.SplitHostPort(f.address)
	if err != nil {
		return mistake("", "--http takes a host and a port, such as %s, got %q", defaultAddress, f.address)
	}
	if !guard.IsLoopback(host) && !f.noAuth {
		return mistake("--insecure-no-auth serves all who can reach it", "--http %s lets other machines in, and nobody is asked who they are", f.address)
	}
	if u, err := url.Parse(f.public); f.public != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		return mistake("", "--public-url takes a URL such as https://kb.example.com, got %q", f.public)
	}
	if f.sse != "on" && f.sse != "off" && f.sse != "auto" {
		return mistake("", "--sse is on, off or auto, got %q", f.sse)
	}
	if f.rate <= 0 || f.sessions <= 0 {
		return mistake("", "--rate-limit and --max-sessions must be more than 0")
	}
	return nil
}

// speaksSSE tells whether the older protocol is spoken.
func (f *httpFlags) speaksSSE() bool {
	host, _, _ := net.SplitHostPort(f.address)
	return f.sse == "on" || f.sse == "auto" && guard.IsLoopback(host)
}

// serveHTTP serves folders until ctx ends.
func (p *program) serveHTTP(ctx context.Context, folders []string, mode mcp.ResultsMode, f *httpFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	host, _, _ := net.SplitHostPort(f.address)
	names, err := guard.NewNames(host, f.public, f.hosts, f.origins)
	if err != nil {
		return mistake("", "%w", err)
	}
	ix, log, err := p.open(folders)
	if err != nil {
		return err
	}
	on, err := net.Listen("tcp", f.address)
	if err != nil {
		_ = ix.Close()
		return fmt.Errorf("listen at %s: %w", f.address, err)
	}
	library := web.TakeTurns(ix, 2*runtime.GOMAXPROCS(0))
	server := mcp.New(library, mcp.Options{Version: p.release, Results: mode, Logger: log})
	endpoint := mcp.NewEndpoint(mcp.HTTPOptions{
		Choose: func(*http.Request) *mcp.Server { return server },
		SSE:    f.speaksSSE(), MaxSessions: f.sessions, MaxBody: web.MaxBody,
	})
	fmt.Fprintf(p.stderr, "vademecum: MCP at http://%s/mcp\n", on.Addr())
	return serveWhile(ctx, ix, log, func(ctx context.Context) error {
		go server.Follow(ctx)
		return web.New(web.Options{Names: names, Endpoint: endpoint, Logger: log, TrustProxy: f.trustProxy, Rate: f.rate}).Serve(ctx, on)
	})
}
