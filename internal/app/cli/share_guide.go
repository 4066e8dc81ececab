package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vademecum/internal/app/tunnel"
	"vademecum/internal/app/web"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// numberedSteps prints a numbered list of what was done and of what the user has to do.
type numberedSteps struct {
	*program
	out   io.Writer
	count int
}

func (s *numberedSteps) printStep(format string, args ...any) {
	s.count++
	fmt.Fprintf(s.out, "%d. %s\n", s.count, s.localise(format, args...))
}

// printAddress prints the folders and their public address.
func (s *shareOptions) printAddress(steps *numberedSteps) {
	steps.printStep("Shared: %s", shellLine(absolutePaths(s.folders)))
	for _, dir := range absolutePaths(s.folders) {
		if all, err := os.ReadDir(dir); err == nil && len(all) == 0 {
			fmt.Fprintln(steps.out, "   "+steps.localise("%s is still empty: is it the right folder?", quoteArg(dir)))
		}
	}
	if t, found := tunnel.FindProgram(s.tunnel); found {
		steps.printStep("Address: %s, by %s (%s)", s.public, t.Title, t.Description)
		return
	}
	steps.printStep("Address: %s, which must forward to %s", s.public, s.on.Addr())
}

// firstTokenUser is the name of the user for whom share creates a token.
const firstTokenUser = "me"

// printToken prints where the tokens are; if there is none, it creates one and prints it.
func (s *shareOptions) printToken(steps *numberedSteps, hasToken bool) error {
	if hasToken {
		steps.printStep("Your token is one of those in %s; to make another: vademecum token new NAME --tokens %[1]s", quoteArg(s.tokens))
		return nil
	}
	token, entry, err := signin.NewTokenEntry(firstTokenUser, []string{signin.ScopeRead}, nil)
	if err == nil {
		err = entry.Append(s.tokens)
	}
	if err != nil {
		return usageError{message.Errorf("the first token cannot be saved: %v", err), message.New("give a file that you can write to: --tokens FILE")}
	}
	steps.printStep("Your token, shown only once; keep it like a password:\n   %s", token)
	return nil
}

// guideUser waits until the public address works, and prints how to connect clients to it.
func (s *shareOptions) guideUser(ctx context.Context, steps *numberedSteps) {
	if !s.awaitPublicAddress(ctx, steps) {
		return
	}
	steps.printStep("claude.ai: Settings › Connectors › Add custom connector, with this URL; the phone app then has it too:\n   %s/mcp", strings.TrimRight(s.public, "/"))
	steps.printStep("ChatGPT: Settings › Apps & Connectors › Advanced settings › Developer mode, then Create, with the same URL")
	steps.printStep("Ctrl-C ends it. To revoke a token: vademecum token revoke NAME --tokens %s", quoteArg(s.tokens))
}

func absolutePaths(folders []string) (all []string) {
	for _, dir := range folders {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		all = append(all, dir)
	}
	return all
}

// probeInterval is how often the public address is probed until it works.
const probeInterval = 3 * time.Second

// awaitPublicAddress probes the public address until it works, which it reports, and prints each
// new fault. It ends the server if a request without a token is answered there.
func (s *shareOptions) awaitPublicAddress(ctx context.Context, steps *numberedSteps) bool {
	tick := time.NewTicker(probeInterval)
	defer tick.Stop()
	var last string
	for {
		found := s.probePublicAddress(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case found.isOpen:
			s.end(shareEndError{message.Errorf("%s answers requests without a token, so sharing was ended; a proxy there may send a token of its own, or another server is there", s.public)})
			return false
		case found.fault == "":
			steps.printStep("Checked from this machine: %s", found.success)
			return true
		}
		if now := steps.translate(found.fault); now != last {
			steps.printStep("Not reachable yet: %s. Checking again every %d seconds", found.fault, int(probeInterval.Seconds()))
			last = now
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// publicProbe is what a request to the public address of a server has shown.
type publicProbe struct {
	isOpen  bool            // a request without a token was answered
	fault   message.Message // why it does not work, with advice; "" if it works
	success message.Message // what was checked, if it works
}

// probePublicAddress sends a request to the public address. It sends no token, as another server
// may answer there.
func (s *shareOptions) probePublicAddress(ctx context.Context) publicProbe {
	public, at := s.public, s.on.Addr()
	ctx, cancel := context.WithTimeout(ctx, 3*probeTimeout)
	defer cancel()
	u, err := url.Parse(public)
	if err != nil {
		return publicProbe{fault: message.FromError(err)}
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	switch {
	case err != nil && s.tunnel != "":
		return publicProbe{fault: message.New("the name %s is not known yet (%v): a new one takes up to ten minutes; if it still fails then, stop this with Ctrl-C and start it again", u.Hostname(), err)}
	case err != nil:
		return publicProbe{fault: message.New("the name %s does not resolve (%v): it needs a DNS entry, and a new one takes a while", u.Hostname(), err)}
	}
	mcp := strings.TrimRight(public, "/") + "/mcp"
	found := probeServer(ctx, http.DefaultTransport, mcp)
	switch {
	case found.certificateError != nil:
		return publicProbe{fault: message.New("the certificate of %s is not trusted (%v): the proxy needs one from a public authority for this name", u.Host, found.certificateError)}
	case found.unreachable != nil:
		return publicProbe{fault: message.New("the server cannot be reached at %s (%v): the proxy or tunnel must be running and forward to %s", u.Host, found.unreachable, at)}
	case !found.isServer:
		return publicProbe{fault: message.New("something else answers at %s (%s): the proxy or tunnel must forward to %s, with the paths unchanged", mcp, present.CleanLine(cmp.Or(found.redirect, found.refusal, found.status)), at)}
	case !found.requiresToken:
		return publicProbe{isOpen: true}
	case found.instance != s.instance:
		return publicProbe{fault: message.New("another server answers at %s: the proxy or tunnel must forward to %s", mcp, at)}
	}
	if found.hasMetadata {
		described := url.URL{Scheme: u.Scheme, Host: u.Host, Path: signin.ResourceMetadataPath + web.PathPrefixOf(public) + "/mcp"}
		if err := checkHealth(ctx, &described); err != nil {
			return publicProbe{fault: message.New("the proxy does not forward what programs need to sign in (%v): it must forward all paths", err)}
		}
	}
	return publicProbe{success: reachableMessage(u.Hostname(), addresses)}
}

// reachableMessage describes what was checked. If the host name resolves only to private addresses,
// it adds that other networks may not reach them.
func reachableMessage(name string, addresses []netip.Addr) message.Message {
	well := message.New("%s resolves, its certificate is valid, and the server answers there and refuses requests without a token", name)
	for _, a := range addresses {
		if a = a.Unmap(); !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			return well
		}
	}
	return message.Join(well, message.New("but %s is an address in your own network: it cannot be checked from here whether others can reach it", addresses[0].Unmap()))
}
