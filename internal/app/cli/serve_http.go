package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"vademecum/internal/app/owner"
	"vademecum/internal/app/web"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/page"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/mcp"
)

// serveHTTP serves folders over HTTP until ctx is done.
func (p *program) serveHTTP(ctx context.Context, folders []string, o mcp.Options, f *httpFlags) error {
	if err := p.checkHTTP(ctx, folders, f); err != nil {
		return err
	}
	s, err := p.listenHTTP(f)
	if err != nil {
		return err
	}
	defer s.listener.Close()
	if err := s.openAccess(ctx, folders); err != nil {
		return err
	}
	return s.serve(ctx, folders, o)
}

// checkHTTP checks what can be checked before a server listens, and offers to fetch the model.
func (p *program) checkHTTP(ctx context.Context, folders []string, f *httpFlags) error {
	if err := f.checkFlags(); err != nil {
		return err
	}
	f.public = guard.CanonicalURL(f.public)
	if _, err := p.checkFoldersAndStore(folders); err != nil {
		return err
	}
	if err := f.checkGrantsOutside(folders); err != nil {
		return err
	}
	return p.offerFetch(ctx)
}

// httpServer is a server over HTTP that listens.
type httpServer struct {
	*program
	flags    *httpFlags
	hosts    *guard.AllowedHosts
	log      *slog.Logger
	stats    *web.Stats
	files    reloaders // what is read again at a signal
	listener net.Listener
	tls      *tls.Config // nil for HTTP
	url      string      // its URL on this machine

	// who is let in, and sees what; see openAccess
	key           *signin.EncryptionKey
	authenticator *signin.Authenticator // nil if it has no users
	signIn        *oauth.Server         // nil unless it signs users in
	rights        *access.RuleStore
}

// listenHTTP listens at the address of the server.
func (p *program) listenHTTP(f *httpFlags) (*httpServer, error) {
	hosts, err := f.allowedHosts()
	if err != nil {
		return nil, err
	}
	log, err := p.newLogger()
	if err != nil {
		return nil, err
	}
	signal.Ignore(syscall.SIGPIPE) // the server outlives the reader of its log
	s := &httpServer{program: p, flags: f, hosts: hosts, log: log, stats: web.NewStats(p.release)}
	s.listener, s.tls, err = f.listen(&s.files, s.stats, log)
	if err != nil {
		return nil, err
	}
	s.url = localURL(s.listener.Addr(), s.tls != nil)
	return s, nil
}

// publicURL returns the URL by which others reach the server, without a slash at the end.
func (s *httpServer) publicURL() string {
	return strings.TrimSuffix(cmp.Or(s.flags.public, s.url), "/")
}

// openAccess reads who is let in, and who may see which of the folders.
func (s *httpServer) openAccess(ctx context.Context, folders []string) (err error) {
	f := s.flags
	s.key = f.pageKey(s.log)
	if s.authenticator, err = f.newAuthenticator(ctx, s.publicURL()+"/mcp", s.key, &s.files, s.log); err != nil {
		return err
	}
	if s.signIn, err = f.signInServer(s.authenticator, cmp.Or(f.public, s.url), s.log); err != nil {
		return err
	}
	named := folders
	if len(folders) == 0 {
		named = s.libraries
	}
	if s.rights, err = f.folderRights(named, &s.files, s.log); err != nil {
		return err
	}
	f.keepWarningOfNames(s.authenticator, s.rights, s.log)
	return nil
}

// serve answers requests until ctx is done.
func (s *httpServer) serve(ctx context.Context, folders []string, o mcp.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	f := s.flags
	o.Logger, o.TotalTextQuota = s.log, mcp.NewTotalTextQuota(textRoom)
	o.WebPageURL = func(path, fragment, text string) string {
		return s.publicURL() + page.DocumentLink(path, fragment, text)
	}
	served := newServerOptions(ctx, s.program, folders, o, s.stats, s.authenticator != nil)
	defer served.group.Wait()
	defer cancel()
	s.reloadOnSignal(ctx, s.files)
	views, err := served.newViews(s.rights.Rules, f.limitsFolders())
	if err != nil {
		return err
	}
	known := s.register(folders, owner.RoleStandalone, message.Errorf("it serves over HTTP"))
	defer known.End()
	s.announceServer(served, s.url, f, s.listener.Addr())
	s.warnOfPlainTokens(f, s.authenticator, s.tls)
	return web.New(web.Options{
		AllowedHosts: s.hosts, Authenticator: s.authenticator, OAuthServer: s.signIn, Logger: s.log, ChooseView: views.ViewFor, MaxSessions: f.sessions,
		IsSingleUser: f.hasOneUser(), LogQueries: o.LogQueries, TLS: s.tls, TrustProxy: f.trustProxy, RequestsPerSecond: f.rate, Stats: served.stats,
		PublicURL: f.public, InstanceID: f.instance, ServerDescription: s.pageAbout(f, s.url, f.requiresUsers()),
		SessionKey: s.key, LocalSignIn: f.ticket, IdleTimeout: f.idleTimeout(),
	}).Serve(ctx, s.listener)
}

// newAuthenticator returns the authenticator of the server; nil if it has no users. It fetches the
// keys of an identity provider until ctx is done, and adds the token file to files.
func (f *httpFlags) newAuthenticator(ctx context.Context, resource string, key *signin.EncryptionKey, files *reloaders, log *slog.Logger) (*signin.Authenticator, error) {
	if f.ticket != nil {
		return &signin.Authenticator{Checkers: []signin.Checker{f.ticket}, ResourceURL: resource}, nil
	}
	if !f.requiresUsers() {
		return nil, nil
	}
	tokens, err := signin.OpenTokenStore(f.tokens, os.Getenv(tokensVariable), log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noTokenFile(f.tokens)
	}
	if err != nil {
		return nil, usageError{message.Errorf("the tokens cannot be used: %v", err), message.New("vademecum token new NAME --tokens FILE writes such lines")}
	}
	if f.tokens != "" {
		files.add("tokens", tokens.Reload)
	}
	if f.issuer == "" && !tokens.CanAcceptTokens() {
		log.Warn("there is no token yet: nobody is let in", "file", f.tokens)
	}
	authenticator := &signin.Authenticator{Checkers: []signin.Checker{tokens}, ProviderIssuer: f.issuer, ResourceURL: resource}
	if f.issuer != "" {
		provider := signin.NewProvider(signin.ProviderOptions{Issuer: f.issuer, Audiences: f.tokenAudiences(resource), UserClaim: f.userClaim, Logger: log})
		go provider.FetchMetadata(ctx)
		authenticator.Checkers = append(authenticator.Checkers, provider)
		authenticator.AllowsTokenInBrowser = f.tokens != "" || os.Getenv(tokensVariable) != ""
		authenticator.ProviderClient = f.signInClient(provider, resource, key)
	}
	return authenticator, nil
}

// tlsConfig returns the configuration for HTTPS; nil for HTTP.
func (f *httpFlags) tlsConfig(files *reloaders, stats *web.Stats, log *slog.Logger) (*tls.Config, error) {
	if f.cert == "" {
		return nil, nil
	}
	certificate, err := web.OpenCertificate(f.cert, f.key, f.certificateNames(), log)
	if err != nil {
		return nil, usageErrorf("the certificate cannot be used: %v", err)
	}
	stats.WatchCertificate(certificate)
	files.add("certificate", certificate.Reload)
	return certificate.TLSConfig(), nil
}

// listen listens at the address of the server, with TLS if the server has a certificate.
func (f *httpFlags) listen(files *reloaders, stats *web.Stats, log *slog.Logger) (net.Listener, *tls.Config, error) {
	secure, err := f.tlsConfig(files, stats, log)
	if err != nil {
		return nil, nil, err
	}
	if f.on != nil {
		return f.on, secure, nil
	}
	on, err := listenAt(f.address)
	return on, secure, err
}

// warnOfPlainTokens prints a warning if tokens are sent without TLS over a network.
func (p *program) warnOfPlainTokens(f *httpFlags, authenticator *signin.Authenticator, secure *tls.Config) {
	if authenticator != nil && secure == nil && !f.trustProxy && !f.isLocal() {
		fmt.Fprintln(p.stderr, p.localise("vademecum: tokens can be read in transit: give --tls-cert and --tls-key, or --trust-proxy behind a proxy that has a certificate"))
	}
}

// certificateNames returns the names for which the certificate has to be valid, as far as they are
// known.
func (f *httpFlags) certificateNames() []string {
	if u, err := url.Parse(f.public); err == nil && f.public != "" {
		return []string{u.Hostname()}
	}
	var names []string
	for _, host := range f.hosts {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		names = append(names, host)
	}
	if len(names) > 0 {
		return names
	}
	host, _, _ := net.SplitHostPort(f.address)
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return nil
	}
	return []string{host}
}

// folderRights returns the rules that say who may see which folder, and adds their file to files.
func (f *httpFlags) folderRights(folders []string, files *reloaders, log *slog.Logger) (*access.RuleStore, error) {
	rights, err := access.OpenRuleStore(folders, f.allow, f.rights, log)
	if isNotExist(err) {
		return nil, usageErrorf("--allow-file: no such file: %s", absolutePath(f.rights))
	}
	if err != nil {
		return nil, usageError{error: err}
	}
	if f.issuer == "" { // users of an identity provider may have names that tokens do not allow
		if err := checkRuleNames(rights.CachedRules()); err != nil {
			return nil, err
		}
	}
	if f.rights != "" {
		files.add("rights", rights.Reload)
	}
	return rights, nil
}

// allowedHosts returns the host names and origins that requests to the server may have.
func (f *httpFlags) allowedHosts() (*guard.AllowedHosts, error) {
	host, _, _ := net.SplitHostPort(f.address)
	names, err := guard.NewAllowedHosts(host, f.public, f.hosts, f.origins)
	if err != nil {
		return nil, usageError{error: err}
	}
	return names, nil
}
