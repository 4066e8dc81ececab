package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"vademecum/internal/app/hosts"
	"vademecum/internal/app/mcpapp"
	"vademecum/internal/app/web"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
	"vademecum/mcp"
)

// ownIdle is how long the page must have been closed before the server of open exits; without
// scripts, how long it must have been unused.
const ownIdle = time.Hour

// openCommand returns the command open, which opens the web page of folders in a browser.
func (p *program) openCommand() *cobra.Command {
	var noBrowser bool
	c := &cobra.Command{
		Use:   "open FOLDER...",
		Short: "open folders in the browser: search and read them, see what was indexed",
		Long: `open folders in the browser: search and read them, see what was indexed

The page is for you alone: it runs on this machine, and the link to it works only
once. Its address stays the same, so bookmarks keep working in a browser that has
opened it before. If the page is already running, the command opens it with a new
link and exits. The page stops on Ctrl-C, or after being closed for an hour.`,
		Example: `  vademecum open notes
  vademecum open --no-browser notes`,
		Args: requireArgs(1, message.New("give the folder to open")),
		RunE: func(c *cobra.Command, folders []string) error {
			p.stderr.startAsync()
			on, place, err := p.listenForPage(c.Context(), folders)
			switch {
			case err != nil:
				return err
			case on == nil:
				p.openAgain(c.Context(), place, noBrowser)
				return nil
			}
			defer on.Close()
			own := httpFlags{on: on, address: on.Addr().String(), rate: 50, sessions: 100, userClaim: "sub"}
			own.ticket = signin.NewLocalSignInAt(signin.User{ID: "local", Scopes: signin.DocumentScopes}, place)
			// starting the browser may take a while
			own.announce = func(ctx context.Context, at string) {
				p.openLink(ctx, at, own.ticket.NewLoginCode(), noBrowser)
				fmt.Fprint(p.stderr, p.localise("vademecum: the page is at %v; Ctrl-C ends it\n", ticketURL(at, place)))
			}
			err = p.serveHTTP(c.Context(), folders, mcp.Options{Version: p.release, App: mcpapp.App(), PassesResourcesToModel: hosts.ReadsResources, ResultLimits: hosts.ResultLimit}, &own)
			if errors.Is(err, web.ErrIdle) {
				fmt.Fprintln(p.stderr, p.localise("vademecum: the page was closed an hour ago: stopping"))
				return nil
			}
			return err
		},
	}
	p.reranker.define(c.Flags())
	c.Flags().BoolVar(&noBrowser, "no-browser", false, "print the link instead of opening it")
	return c
}

// listenForPage listens at the address that the page of these folders had last. listener is nil if
// another process serves the page already.
func (p *program) listenForPage(ctx context.Context, folders []string) (listener net.Listener, address signin.PrivatePageAddress, err error) {
	sum := sha256.New()
	for _, folder := range folders {
		fmt.Fprintf(sum, "%s\x00", absolutePath(folder))
	}
	file := ""
	if dir, err := os.UserConfigDir(); err == nil {
		file = filepath.Join(dir, "vademecum", "open", hex.EncodeToString(sum.Sum(nil)[:8]))
	}
	listener, address, err = signin.ListenPrivatePage(ctx, file)
	switch {
	case err != nil && listener == nil:
		return nil, address, message.Errorf("listen on this machine: %v", err)
	case err != nil:
		fmt.Fprint(p.stderr, p.localise("vademecum: the page will have another address next time: %v\n", err))
	}
	return listener, address, nil
}

// openAgain opens a page that another process serves.
func (p *program) openAgain(ctx context.Context, address signin.PrivatePageAddress, noBrowser bool) {
	at := "http://" + address.LoopbackAddress()
	p.openLink(ctx, at, address.NewLoginCode(), noBrowser)
	fmt.Fprint(p.stderr, p.localise("vademecum: the page is already running at %v; to stop it, press Ctrl-C where it was started\n", ticketURL(at, address)))
}

// openLink opens a link that signs the browser in, or prints the link.
func (p *program) openLink(ctx context.Context, at, code string, noBrowser bool) {
	link := at + "/open?ticket=" + code
	err := system.ErrNoDesktop
	if !noBrowser {
		err = system.OpenOnDesktop(ctx, link)
	}
	if err != nil {
		fmt.Fprint(p.stderr, p.localise("vademecum: open this link, which works once: %s\n", link))
	}
}

// ticketURL returns the URL of the page under its own host name, which Safari may not be able to
// resolve.
func ticketURL(at string, address signin.PrivatePageAddress) message.Message {
	own := "http://" + net.JoinHostPort(address.SecretHostname, address.Port)
	if runtime.GOOS == "darwin" {
		return message.New("%s (in Safari at %s)", own, at)
	}
	return message.Message(own)
}
