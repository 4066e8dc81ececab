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
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"vademecum/internal/message"
	"vademecum/internal/web"
	"vademecum/internal/web/access"
	"vademecum/internal/web/guard"
	"vademecum/internal/web/page"
	"vademecum/internal/web/signin"
	"vademecum/mcp"
)

// defaultAddress is the address at which serve --http listens by default.
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
	ofUser     int

	tokens    string
	issuer    string
	audiences []string
	userClaim string
	clientID  string
	secretEnv string
	scopes    []string
	cert, key string
	allow     []string
	rights    string

	signIn bool

	ticket *signin.Ticket // of whoever starts the server for themselves alone, see openCommand; else nil

	on       net.Listener                         // that is open already, see share and look; else nil
	instance string                               // see web.Options
	announce func(ctx context.Context, at string) // says where the server is, of which at is the URL on this machine; nil: as serve does
}

func (f *httpFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.address, "http", "", "answer over HTTP at `ADDR` (default "+defaultAddress+"; a port alone is one of this machine), at the path /mcp")
	flags.Lookup("http").NoOptDefVal = defaultAddress
	flags.StringVar(&f.public, "public-url", "", "the `URL` that the server has for others, such as https://kb.example.com")
	flags.StringArrayVar(&f.hosts, "allowed-host", nil, "a `NAME` under which the server may be reached; those of this machine always may")
	flags.StringArrayVar(&f.origins, "allowed-origin", nil, "an `ORIGIN` whose web pages may use the server, such as https://app.example.com")
	flags.StringVar(&f.tokens, "tokens", "", "let in who has a token of this `FILE`, as vademecum token new writes it")
	flags.BoolVar(&f.signIn, "sign-in", false, "let programs such as claude.ai connect by themselves: whoever adds the server there signs in on its page and agrees")
	flags.StringVar(&f.issuer, "auth-issuer", "", "let in who has an access token of this OpenID provider, `URL`")
	flags.StringArrayVar(&f.audiences, "auth-audience", nil, "whom such a token has to be meant for, `NAME` (default: the public URL with /mcp)")
	flags.StringVar(&f.userClaim, "auth-user-claim", "sub", "what such a token has as the user's name, `CLAIM`")
	flags.StringVar(&f.clientID, "auth-client-id", "", "have people who open the page sign in at that provider, which knows the server as the client `ID`; without it they paste a token")
	flags.StringVar(&f.secretEnv, "auth-client-secret-env", "", "the environment `VARIABLE` with the secret of that client, if it has one")
	flags.StringArrayVar(&f.scopes, "auth-scope", nil, "what that client asks for beside openid, `SCOPE` (default: read)")
	flags.StringVar(&f.cert, "tls-cert", "", "`FILE` with the certificate to serve HTTPS with; it is read again when it changes")
	flags.StringVar(&f.key, "tls-key", "", "`FILE` with its key")
	flags.StringArrayVar(&f.allow, "allow", nil, "who sees a folder, others do not: `NAMES=FOLDER`, such as alice,group:cardio=notes")
	flags.StringVar(&f.rights, "allow-file", "", "the same in the lines of a `FILE`, which is read again when it changes; a folder without a line is for nobody then, and * means all users")
	flags.BoolVar(&f.noAuth, "insecure-no-auth", false, "serve other machines without asking who they are")
	flags.StringVar(&f.sse, "sse", "auto", "speak the older HTTP+SSE at /sse and /mcp, `WHEN`: on, off or auto (on this machine only)")
	flags.BoolVar(&f.trustProxy, "trust-proxy", false, "believe what X-Forwarded headers say: only behind a proxy that sets them")
	flags.Float64Var(&f.rate, "rate-limit", 50, "requests a second of one user or address, `N` (four times as many at once)")
	flags.IntVar(&f.sessions, "max-sessions", 1000, "how many sessions may be open, `N`")
	flags.IntVar(&f.ofUser, "max-user-sessions", 0, "how many of them one user may have, `N` (default: a tenth)")
}

// requireHTTP refuses the other flags when --http is not given.
func (f *httpFlags) requireHTTP(flags *pflag.FlagSet) error {
	var own pflag.FlagSet
	f2 := httpFlags{}
	f2.define(&own)
	var err error
	own.VisitAll(func(o *pflag.Flag) {
		if flags.Changed(o.Name) && err == nil {
			err = usageErrorf("--%s is for serving over HTTP: give --http too", "--%s 用于通过 HTTP 提供服务：请同时给出 --http", o.Name)
		}
	})
	return err
}

// parseAddressArg lets the address stand apart from its flag, as the argument after it, "" if
// there is none, or before the folders: a folder of such a name is given as ./NAME. A port
// alone is one of this machine.
func (f *httpFlags) parseAddressArg(folders []string, least int, after string) []string {
	f.address = portAddress(f.address)
	if f.address != defaultAddress {
		return folders
	}
	if at := slices.Index(folders, after); at >= 0 && isMeantAsAddress(after) {
		f.address = after // which check refuses
		return slices.Delete(folders, at, at+1)
	}
	if len(folders) <= least {
		return folders
	}
	at := max(0, slices.Index(folders, after))
	given := folders[at]
	if !isFolder(given) { // such as 2024
		given = portAddress(given)
	}
	if !isAddress(given) {
		return folders
	}
	f.address = given
	return slices.Delete(folders, at, at+1)
}

// likeAddress is what people write who forget the port or mistype it: 80x, 99999, 10.0.0.1,
// localhost, kb:http.
var likeAddress = regexp.MustCompile(`^(\d+[A-Za-z]{0,2}|[\d.]+|localhost|[^/\\]*:[^/\\]*)$`)

// isMeantAsAddress tells what is neither an address nor a folder and looks more like the
// former.
func isMeantAsAddress(text string) bool {
	return !isAddress(portAddress(text)) && !isFolder(text) && likeAddress.MatchString(text)
}

// isAddress reports whether an argument is an address to listen at, and not the path of a folder
// such as C:\notes.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.Atoi(port)
	}
	return err == nil && !strings.Contains(text, "/")
}

// portAddress is the address on this machine of what is only the number of a port.
func portAddress(given string) string {
	if _, err := strconv.ParseUint(given, 10, 16); err != nil {
		return given
	}
	return net.JoinHostPort("127.0.0.1", given)
}

// isPort tells what the system may know as a port, by its number or its name.
func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err != nil || 0 <= n && n < 1<<16
}

// tokensVariable is a list of tokens, as lines of the file.
const tokensVariable = "VADEMECUM_TOKENS"

// requiresUsers reports whether users have to authenticate.
func (f *httpFlags) requiresUsers() bool {
	return f.tokens != "" || f.issuer != "" || os.Getenv(tokensVariable) != ""
}

// limitsFolders reports whether some folders are restricted to some users.
func (f *httpFlags) limitsFolders() bool { return len(f.allow) > 0 || f.rights != "" }

// isLocal tells whether other machines cannot reach the server.
func (f *httpFlags) isLocal() bool {
	host, _, _ := net.SplitHostPort(f.address)
	return guard.IsLoopback(host)
}

// hasOneUser tells whether all who are not asked who they are use this machine.
func (f *httpFlags) hasOneUser() bool { return f.isLocal() && f.public == "" && len(f.hosts) == 0 }

// checkFlags refuses flags that do not go together.
func (f *httpFlags) checkFlags() error {
	noAddress := message.Errorf("--http takes a host and a port, such as %s, got %q", "--http 要主机和端口，如 %s，而不是 %q", defaultAddress, f.address)
	switch _, port, err := net.SplitHostPort(f.address); {
	case err == nil && !isPort(port) || !isPort(f.address):
		return usageError{noAddress, message.New("a port is a number up to 65535", "端口是不超过 65535 的数字")}
	case err != nil:
		return usageError{noAddress, message.New("a port alone, such as 8080, is one of this machine; a folder of such a name is given as ./NAME", "单独的端口（如 8080）是本机的；这样命名的文件夹写作 ./NAME")}
	case f.requiresUsers() && f.noAuth:
		return usageErrorf("--insecure-no-auth lets everyone in: leave it out, or what says who is", "--insecure-no-auth 让所有人进入：请去掉它，或去掉说明谁能进入的选项")
	case !f.isLocal() && !f.requiresUsers() && !f.noAuth:
		return usageError{message.Errorf("--http %s lets other machines in, and nobody is asked who they are", "--http %s 让其他机器进入，而不问对方是谁", f.address), message.New("give --tokens or --auth-issuer; --insecure-no-auth serves all who can reach it", "请给出 --tokens 或 --auth-issuer；--insecure-no-auth 为所有能连上的人服务")}
	case f.limitsFolders() && !f.requiresUsers():
		return usageErrorf("--allow and --allow-file are for users, and nobody is asked who they are: give --tokens or --auth-issuer", "--allow 和 --allow-file 用于区分用户，而现在不问对方是谁：请给出 --tokens 或 --auth-issuer")
	case f.public != "" && !isWebURL(f.public):
		return usageErrorf("--public-url takes a URL such as https://kb.example.com, got %q", "--public-url 要 URL，如 https://kb.example.com，而不是 %q", f.public)
	case web.CheckPathPrefix(web.PathPrefixOf(f.public)) != nil:
		return usageErrorf("--public-url %s: %v", "--public-url %s 有误：%v", f.public, web.CheckPathPrefix(web.PathPrefixOf(f.public)))
	case f.sse != "on" && f.sse != "off" && f.sse != "auto":
		return usageErrorf("--sse is on, off or auto, got %q", "--sse 是 on、off 或 auto，而不是 %q", f.sse)
	case f.ofUser > 0 && !f.requiresUsers():
		return usageErrorf("--max-user-sessions is for users, and nobody is asked who they are: give --tokens or --auth-issuer", "--max-user-sessions 用于区分用户，而现在不问对方是谁：请给出 --tokens 或 --auth-issuer")
	case f.rate <= 0 || f.sessions <= 0 || f.ofUser < 0:
		return usageErrorf("--rate-limit, --max-sessions and --max-user-sessions must be more than 0", "--rate-limit、--max-sessions 和 --max-user-sessions 必须大于 0")
	case (f.cert == "") != (f.key == ""):
		return usageErrorf("--tls-cert and --tls-key go together", "--tls-cert 和 --tls-key 要一起给出")
	}
	if err := f.checkSignIn(); err != nil {
		return err
	}
	return f.checkIssuer()
}

func (f *httpFlags) checkIssuer() error {
	switch u, _ := url.Parse(f.issuer); {
	case f.issuer == "" && len(f.audiences) > 0:
		return usageErrorf("--auth-audience is for tokens of a provider: give --auth-issuer too", "--auth-audience 用于身份提供方的令牌：请同时给出 --auth-issuer")
	case f.issuer == "" && f.clientID != "":
		return usageErrorf("--auth-client-id is for a provider: give --auth-issuer too", "--auth-client-id 用于身份提供方：请同时给出 --auth-issuer")
	case f.clientID == "" && (f.secretEnv != "" || len(f.scopes) > 0):
		return usageErrorf("--auth-client-secret-env and --auth-scope are for a client of a provider: give --auth-client-id too", "--auth-client-secret-env 和 --auth-scope 用于身份提供方的客户端：请同时给出 --auth-client-id")
	case f.secretEnv != "" && os.Getenv(f.secretEnv) == "":
		return usageErrorf("--auth-client-secret-env takes the name of an environment variable, and none of that name is set", "--auth-client-secret-env 要环境变量的名称，而没有设置这个名称的变量") // it may be the secret itself
	case f.issuer == "":
		return nil
	case !isWebURL(f.issuer) || u.Scheme == "http" && !guard.IsLoopback(u.Host):
		return usageErrorf("--auth-issuer takes a URL such as https://login.example.com, got %q", "--auth-issuer 要 URL，如 https://login.example.com，而不是 %q", f.issuer)
	case f.public == "" && !f.isLocal():
		return usageErrorf("--auth-issuer needs --public-url: clients ask for tokens for that", "--auth-issuer 需要 --public-url：客户端为它申请令牌")
	}
	return nil
}

// isWebURL tells a URL of a site or a page without a query.
func isWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// idleTimeout is after how long without a request the server ends, 0 for never.
func (f *httpFlags) idleTimeout() time.Duration {
	if f.ticket != nil {
		return ownIdle
	}
	return 0
}

// speaksSSE reports whether the older transport HTTP+SSE is offered.
func (f *httpFlags) speaksSSE() bool { return f.sse == "on" || f.sse == "auto" && f.isLocal() }

// newAuthenticator asks users who they are until ctx ends, nil if nobody is asked.
func (f *httpFlags) newAuthenticator(ctx context.Context, resource string, key *signin.Key, files *reloaders, log *slog.Logger) (*signin.Authenticator, error) {
	if f.ticket != nil {
		return &signin.Authenticator{Checkers: []signin.Checker{f.ticket}, Resource: resource}, nil
	}
	if !f.requiresUsers() {
		return nil, nil
	}
	tokens, err := signin.OpenTokens(f.tokens, os.Getenv(tokensVariable), log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noTokenFile(f.tokens)
	}
	if err != nil {
		return nil, usageError{message.Errorf("the tokens cannot be used: %v", "无法使用这些令牌：%v", err), message.New("vademecum token new NAME --tokens FILE writes such lines", "vademecum token new NAME --tokens FILE 会写入这样的行")}
	}
	if f.tokens != "" {
		files.add("tokens", tokens.Reread)
	}
	if f.issuer == "" && !tokens.IsReady() {
		log.Warn("there is no token yet: nobody is let in", "file", f.tokens)
	}
	door := &signin.Authenticator{Checkers: []signin.Checker{tokens}, Issuer: f.issuer, Resource: resource}
	if f.issuer != "" {
		provider := signin.NewProvider(signin.ProviderOptions{Issuer: f.issuer, Audiences: f.tokenAudiences(resource), UserClaim: f.userClaim, Logger: log})
		go provider.Run(ctx)
		door.Checkers = append(door.Checkers, provider)
		door.HasOwn = f.tokens != "" || os.Getenv(tokensVariable) != ""
		door.Client = f.signInClient(provider, resource, key)
	}
	return door, nil
}

// tlsConfig returns the configuration of HTTPS, nil for HTTP.
func (f *httpFlags) tlsConfig(files *reloaders, stats *web.Stats, log *slog.Logger) (*tls.Config, error) {
	if f.cert == "" {
		return nil, nil
	}
	certificate, err := web.OpenCertificate(f.cert, f.key, f.certificateNames(), log)
	if err != nil {
		return nil, usageErrorf("the certificate cannot be used: %v", "无法使用证书：%v", err)
	}
	stats.WatchCertificate(certificate)
	files.add("certificate", certificate.Reread)
	return certificate.TLSConfig(), nil
}

// listen opens the address of the server, for HTTPS where it has a certificate.
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

// warnOfPlainTokens says that tokens are sent in the open.
func (p *program) warnOfPlainTokens(f *httpFlags, door *signin.Authenticator, secure *tls.Config) {
	if door != nil && secure == nil && !f.trustProxy && !f.isLocal() {
		fmt.Fprintln(p.stderr, p.localise("vademecum: tokens can be read on their way: give --tls-cert and --tls-key, or --trust-proxy behind a proxy that has a certificate", "vademecum：令牌在途中可能被读到：请给出 --tls-cert 和 --tls-key，或在有证书的代理后面使用 --trust-proxy"))
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

// folderRights say who sees which folder.
func (f *httpFlags) folderRights(folders []string, files *reloaders, log *slog.Logger) (*access.Rights, error) {
	rights, err := access.OpenRights(folders, f.allow, f.rights, log)
	if isNotExist(err) {
		return nil, usageErrorf("--allow-file: no such file: %s", "--allow-file：没有这样的文件：%s", absolutePath(f.rights))
	}
	if err != nil {
		return nil, usageError{error: err}
	}
	if f.issuer == "" { // which may call people as it likes
		if err := checkRuleNames(rights.CachedRules()); err != nil {
			return nil, err
		}
	}
	if f.rights != "" {
		files.add("rights", rights.Reread)
	}
	return rights, nil
}

// allowedHosts are those under which the server is reached.
func (f *httpFlags) allowedHosts() (*guard.AllowedHosts, error) {
	host, _, _ := net.SplitHostPort(f.address)
	names, err := guard.NewAllowedHosts(host, f.public, f.hosts, f.origins)
	if err != nil {
		return nil, usageError{error: err}
	}
	return names, nil
}

// serveHTTP serves folders until ctx ends.
func (p *program) serveHTTP(ctx context.Context, folders []string, o mcp.Options, f *httpFlags) error {
	if err := f.checkFlags(); err != nil {
		return err
	}
	f.public = guard.CanonicalURL(f.public)
	if _, err := p.checkFoldersAndStore(folders); err != nil {
		return err
	}
	if err := f.checkGrantsApart(folders); err != nil {
		return err
	}
	if err := p.offerFetch(ctx); err != nil {
		return err
	}
	names, err := f.allowedHosts()
	if err != nil {
		return err
	}
	log, err := p.newLogger()
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // who reads the log may go; users stay
	o.Logger, o.TextRoom = log, mcp.NewTextQuota(textRoom)
	var files reloaders
	stats := web.NewStats(p.release)
	on, secure, err := f.listen(&files, stats, log)
	if err != nil {
		return err
	}
	defer on.Close()
	at := localURL(on.Addr(), secure != nil)
	site := strings.TrimSuffix(cmp.Or(f.public, at), "/")
	o.Page = func(path, fragment, text string) string { return site + page.DocumentLink(path, fragment, text) }
	key := f.pageKey(log)
	door, err := f.newAuthenticator(ctx, site+"/mcp", key, &files, log)
	if err != nil {
		return err
	}
	signIn, err := f.signInServer(door, cmp.Or(f.public, at), log)
	if err != nil {
		return err
	}
	named := folders
	if len(folders) == 0 {
		named = p.libraries
	}
	rights, err := f.folderRights(named, &files, log)
	if err != nil {
		return err
	}
	f.keepWarningOfNames(door, rights, log)
	ctx, cancel := context.WithCancel(ctx)
	served := newServerOptions(ctx, p, folders, o, stats, door != nil)
	defer served.group.Wait()
	defer cancel()
	p.reloadOnSignal(ctx, files)
	shelves, err := served.newViews(rights.Rules, f.limitsFolders())
	if err != nil {
		return err
	}
	p.announceServer(served, at, f, on.Addr())
	p.warnOfPlainTokens(f, door, secure)
	return web.New(web.Options{
		Names: names, Door: door, SignIn: signIn, Logger: log, Choose: shelves.ViewFor, SSE: f.speaksSSE(), MaxSessions: f.sessions,
		OneUser: f.hasOneUser(), LogQueries: o.LogQueries, MaxOfUser: f.ofUser, TLS: secure, TrustProxy: f.trustProxy, Rate: f.rate, Stats: served.stats,
		Public: f.public, Instance: f.instance, About: p.pageAbout(f, at, f.requiresUsers()),
		Key: key, Ticket: f.ticket, Idle: f.idleTimeout(),
	}).Serve(ctx, on)
}

// serverOptions is what servers over some of the folders are begun with.
type serverOptions struct {
	program *program
	folders []string
	names   []string // of all of them, for whoever sees some; nil while none are limited, and for one alone
	options mcp.Options
	stats   *web.Stats
	turns   *web.Limiter // of the questions to all of them
	log     *slog.Logger
	ctx     context.Context // until when they serve
	group   sync.WaitGroup
}

func newServerOptions(ctx context.Context, p *program, folders []string, o mcp.Options, stats *web.Stats, known bool) *serverOptions {
	return &serverOptions{
		program: p, folders: folders, options: o, log: o.Logger, ctx: ctx,
		stats: stats, turns: web.NewLimiter(2*runtime.GOMAXPROCS(0), known, stats),
	}
}

// newViews choose who answers a user by the rules. Where all see all of it, it is read
// before they come.
func (s *serverOptions) newViews(rules func() access.Rules, limited bool) (*access.Views, error) {
	shelves := access.NewViews(rules, s.newView)
	if limited {
		return shelves, s.check()
	}
	_, err := shelves.ViewFor(signin.User{})
	return shelves, err
}

// check opens all folders once: of folders that lie in each other, one would show
// what the other is to hide, and what a document is called by its path must not depend
// on who sees it.
func (s *serverOptions) check() error {
	ix, _, err := s.program.openIndex(s.folders)
	if err != nil {
		return err
	}
	s.names = ix.FolderNames()
	return ix.Close()
}

// textRoom is for the texts that clients give, in bytes: as much as four sessions may
// have.
const textRoom = 256 << 20

// newView serves some of the folders.
func (s *serverOptions) newView(numbers []int) (*access.View, error) {
	some := *s.program
	var folders, called []string
	some.indexFiles, some.libraries, some.names = nil, nil, nil
	for _, n := range numbers {
		called = append(called, strconv.Itoa(n+1))
		if len(s.folders) > 0 {
			folders = append(folders, s.folders[n])
		}
		if len(s.program.indexFiles) > 0 {
			some.indexFiles = append(some.indexFiles, s.program.indexFiles[n])
		}
		if len(s.program.libraries) > 0 {
			some.libraries = append(some.libraries, s.program.libraries[n])
		}
		if len(s.names) > 0 {
			some.names = append(some.names, s.names[n])
		}
	}
	ix, _, err := some.openIndex(folders)
	if err != nil {
		return nil, err
	}
	s.stats.WatchIndex(strings.Join(called, "+"), ix)
	library := s.turns.LimitLibrary(ix)
	o := s.options
	o.Texts, o.Observe = sessionTextOpener(ix), s.stats.CountCall
	server := mcp.New(library, o)
	s.group.Go(func() {
		err := syncWhileServing(s.ctx, ix, s.log, func(ctx context.Context) error {
			server.NotifyChanges(ctx)
			return nil
		})
		if err != nil {
			s.log.Error("the index was not closed", "error", err)
		}
	})
	return &access.View{Library: library, Server: server}, nil
}
