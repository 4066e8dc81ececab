package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/internal/app/bridge"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) connect() *cobra.Command {
	var authorities string
	c := &cobra.Command{
		Use:   "connect URL",
		Short: "let a host that supports only stdio use an MCP server over HTTP",
		Long: `let a host that supports only stdio use an MCP server over HTTP

The host starts this command as it would start a server. If the server requires a
token, it is read from ` + bridge.TokenVariable + ` in the environment. If the server is
unavailable for a while, the session continues as soon as it is back.`,
		Example: `  vademecum install claude-desktop --url https://kb.example.com/mcp
  vademecum connect https://kb.example.com/mcp`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give the URL of one server, such as http://%s/mcp", defaultAddress)
			}
			p.stderr.startAsync()
			o, err := p.bridgeOptions(args[0], authorities)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			go endWithParent(ctx, os.Getppid(), cancel)
			return bridge.Run(ctx, p.stdin, p.stdout, o)
		},
	}
	c.Flags().StringVar(&authorities, "ca-file", "", "also trust the authorities in this `FILE`, for a certificate not signed by a public one")
	return c
}

// bridgeOptions returns the options of a bridge to the server at a URL, which may have a
// certificate of the authorities in a file.
func (p *program) bridgeOptions(given, authorities string) (o bridge.Options, err error) {
	if o.Logger, err = p.newLogger(); err != nil {
		return o, err
	}
	u, err := url.Parse(given)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return o, usageErrorf("%s: give an address that begins with http:// or https://", present.QuoteName(given))
	case hasSecretPart(u):
		return o, usageError{message.Errorf("the URL contains a password or a token, which others can read"), message.New("put the token into %s", bridge.TokenVariable)}
	}
	o.URL, o.Token = given, strings.TrimSpace(os.Getenv(bridge.TokenVariable))
	if o.Token != "" && u.Scheme == "http" && !guard.IsLoopback(u.Hostname()) {
		o.Logger.Warn("the token can be read on its way: the URL does not begin with https://", "url", given)
	}
	if authorities != "" {
		o.Transport, err = transportTrusting(authorities)
	}
	return o, err
}

// transportTrusting returns a transport that trusts the certificate authorities in a file in
// addition to those of the system.
func transportTrusting(file string) (*http.Transport, error) {
	pem, err := os.ReadFile(file)
	if isNotExist(err) {
		return nil, usageErrorf("--ca-file: no such file: %s", absolutePath(file))
	}
	if err != nil {
		return nil, message.Errorf("read the authorities: %v", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // the system has no pool
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, usageErrorf("--ca-file: %s holds no certificate in PEM", absolutePath(file))
	}
	through := http.DefaultTransport.(*http.Transport).Clone()
	through.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return through, nil
}
