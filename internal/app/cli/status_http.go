package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// statusHTTP prints whether a server answers. Its address is the value of --http, or the argument
// after that flag.
func (p *program) statusHTTP(c *cobra.Command, address string, args []string) error {
	for _, name := range []string{"why", "json"} {
		if c.Flags().Changed(name) {
			return usageErrorf("--%s is about an index, and --http about a server: give one of them", name)
		}
	}
	if address != defaultAddress {
		args = append([]string{address}, args...)
	}
	if slices.ContainsFunc(args, isFolder) {
		return usageErrorf("a server has its own folders: give --http ADDR or folders")
	}
	if len(args) > 1 {
		return usageErrorf("--http takes one address, got %s", quoteArgs(args))
	}
	at, err := healthURL(portAddress(append(args, defaultAddress)[0]))
	if err != nil {
		return err
	}
	if err := checkHealth(c.Context(), at); err != nil {
		return message.Errorf("the server reports a problem: %v", err)
	}
	fmt.Fprintln(&p.out, "ok")
	return nil
}

// healthURL returns the URL of the health check of a server, given its address or URL.
func healthURL(at string) (*url.URL, error) {
	if strings.Contains(at, "://") {
		if !isWebURL(at) {
			return nil, usageErrorf("give a URL such as https://kb.example.com, got %q", at)
		}
		u, err := url.Parse(at)
		if err != nil {
			return nil, err
		}
		// serve prints the URL with this path
		u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/mcp")
		return u.JoinPath("healthz"), nil
	}
	host, port, err := net.SplitHostPort(at)
	if err != nil || port == "" || strings.Contains(port, "/") {
		return nil, usageErrorf("give a host and a port, such as %s, got %q", defaultAddress, at)
	}
	// a server listens at all addresses, but no client connects to the unspecified one
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/healthz"}, nil
}

// healthLimit is the time limit for the response to a health check.
const healthLimit = 5 * time.Second

func checkHealth(ctx context.Context, at *url.URL) error {
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return err
	}
	answer, err := healthClient(at).Do(r)
	if err != nil {
		return unansweredError(at.Host, err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return message.Errorf("%s answers %s: %s", at, answer.Status, present.CleanLine(strings.TrimSpace(string(said))))
	}
	return nil
}

// unansweredError returns an error of an HTTP client in plain words.
func unansweredError(host string, err error) error {
	var name *net.DNSError
	var errno syscall.Errno
	if of := new(url.Error); errors.As(err, &of) {
		err = of.Err
	}
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return message.Errorf("there is no host called %s", name.Name)
	case errors.As(err, &errno):
		err = errno
	}
	return message.Errorf("nothing answers at %s: %v", host, err)
}

// healthClient returns an HTTP client for requests to the server at a URL. It follows no redirects.
// If the server is on this machine, its certificate, which is for its public name, is not verified;
// requests contain nothing secret.
func healthClient(at *url.URL) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:             http.ProxyFromEnvironment,
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: guard.IsLoopback(at.Host)},
			DisableKeepAlives: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
