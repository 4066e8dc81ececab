package cli

import (
	"context"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/spf13/pflag"

	"vademecum/internal/app/web"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// defaultAddress is the address at which serve --http listens by default.
const defaultAddress = "127.0.0.1:8765"

// httpFlags are the flags of serve that concern HTTP.
type httpFlags struct {
	address    string
	public     string
	hosts      []string
	origins    []string
	noAuth     bool
	trustProxy bool
	rate       float64
	sessions   int

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

	ticket *signin.LocalSignIn // set by the command open, whose server has one user; otherwise nil

	on       net.Listener                         // listener that is open already, as in share and open; otherwise nil
	instance string                               // see web.Options.InstanceID
	announce func(ctx context.Context, at string) // prints the local URL of the server; nil means as serve does
}

func (f *httpFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.address, "http", "", "answer over HTTP at `ADDR` (default "+defaultAddress+"; a port alone means this machine), at the path /mcp")
	flags.Lookup("http").NoOptDefVal = defaultAddress
	flags.StringVar(&f.public, "public-url", "", "the `URL` at which others reach the server, such as https://kb.example.com")
	flags.StringArrayVar(&f.hosts, "allowed-host", nil, "a host `NAME` by which the server may be reached; those of this machine are always allowed")
	flags.StringArrayVar(&f.origins, "allowed-origin", nil, "an `ORIGIN` whose web pages may use the server, such as https://app.example.com")
	flags.StringVar(&f.tokens, "tokens", "", "accept the tokens in this `FILE`, as vademecum token new writes it")
	flags.BoolVar(&f.signIn, "sign-in", false, "let programs such as claude.ai connect on their own: whoever adds the server there signs in on its page and agrees")
	flags.StringVar(&f.issuer, "auth-issuer", "", "accept access tokens of this OpenID provider, `URL`")
	flags.StringArrayVar(&f.audiences, "auth-audience", nil, "the audience that such a token must have, `NAME` (default: the public URL with /mcp)")
	flags.StringVar(&f.userClaim, "auth-user-claim", "sub", "the claim of such a token with the user's name, `CLAIM`")
	flags.StringVar(&f.clientID, "auth-client-id", "", "have users of the page sign in at that provider, where the server is the client `ID`; without it they paste a token")
	flags.StringVar(&f.secretEnv, "auth-client-secret-env", "", "the environment `VARIABLE` with the secret of that client, if it has one")
	flags.StringArrayVar(&f.scopes, "auth-scope", nil, "what that client requests in addition to openid, `SCOPE` (default: read)")
	flags.StringVar(&f.cert, "tls-cert", "", "`FILE` with the certificate for HTTPS; it is reloaded when it changes")
	flags.StringVar(&f.key, "tls-key", "", "`FILE` with its key")
	flags.StringArrayVar(&f.allow, "allow", nil, "who may see a folder, and nobody else: `NAMES=FOLDER`, such as alice,group:cardio=notes")
	flags.StringVar(&f.rights, "allow-file", "", "the same as lines of a `FILE`, which is reloaded when it changes; a folder without a line is then visible to nobody, and * means all users")
	flags.BoolVar(&f.noAuth, "insecure-no-auth", false, "serve other machines without authentication")
	flags.BoolVar(&f.trustProxy, "trust-proxy", false, "trust X-Forwarded headers: only behind a proxy that sets them")
	flags.Float64Var(&f.rate, "rate-limit", 50, "requests per second from one user or address, `N` (bursts of four times as many)")
	flags.IntVar(&f.sessions, "max-sessions", 1000, "how many sessions may be open, `N`; one user has a tenth of them")
}

// requireHTTP returns a usage error if another HTTP flag is given without --http.
func (f *httpFlags) requireHTTP(flags *pflag.FlagSet) error {
	var own pflag.FlagSet
	f2 := httpFlags{}
	f2.define(&own)
	var err error
	own.VisitAll(func(o *pflag.Flag) {
		if flags.Changed(o.Name) && err == nil {
			err = usageErrorf("--%s is for serving over HTTP: give --http too", o.Name)
		}
	})
	return err
}

// tokensVariable is the environment variable that contains the lines of a token file.
const tokensVariable = "VADEMECUM_TOKENS"

// requiresUsers reports whether the server authenticates users.
func (f *httpFlags) requiresUsers() bool {
	return f.tokens != "" || f.issuer != "" || os.Getenv(tokensVariable) != ""
}

// limitsFolders reports whether only some users may see some of the folders.
func (f *httpFlags) limitsFolders() bool { return len(f.allow) > 0 || f.rights != "" }

// isLocal reports whether the server can be reached only from this machine.
func (f *httpFlags) isLocal() bool {
	host, _, _ := net.SplitHostPort(f.address)
	return guard.IsLoopback(host)
}

// hasOneUser reports whether all requests without authentication come from the user of this
// machine.
func (f *httpFlags) hasOneUser() bool { return f.isLocal() && f.public == "" && len(f.hosts) == 0 }

// checkFlags returns a usage error for flags that are invalid or exclude each other.
func (f *httpFlags) checkFlags() error {
	noAddress := message.Errorf("--http takes a host and a port, such as %s, got %q", defaultAddress, f.address)
	switch _, port, err := net.SplitHostPort(f.address); {
	case err == nil && !isPort(port) || !isPort(f.address):
		return usageError{noAddress, message.New("a port is a number up to 65535")}
	case err != nil:
		return usageError{noAddress, message.New("a port alone, such as 8080, means this machine; give a folder with such a name as ./NAME")}
	case f.requiresUsers() && f.noAuth:
		return usageErrorf("--insecure-no-auth lets everyone in: leave it out, or the flags that say who may connect")
	case !f.isLocal() && !f.requiresUsers() && !f.noAuth:
		return usageError{message.Errorf("--http %s lets other machines in without authentication", f.address), message.New("give --tokens or --auth-issuer; --insecure-no-auth serves all who can reach it")}
	case f.limitsFolders() && !f.requiresUsers():
		return usageErrorf("--allow and --allow-file are for users, but there is no authentication: give --tokens or --auth-issuer")
	case f.public != "" && !isWebURL(f.public):
		return usageErrorf("--public-url takes a URL such as https://kb.example.com, got %q", f.public)
	case web.CheckPathPrefix(web.PathPrefixOf(f.public)) != nil:
		return usageErrorf("--public-url %s: %v", f.public, web.CheckPathPrefix(web.PathPrefixOf(f.public)))
	case f.rate <= 0 || f.sessions <= 0:
		return usageErrorf("--rate-limit and --max-sessions must be more than 0")
	case (f.cert == "") != (f.key == ""):
		return usageErrorf("--tls-cert and --tls-key go together")
	}
	if err := f.checkSignIn(); err != nil {
		return err
	}
	return f.checkIssuer()
}

func (f *httpFlags) checkIssuer() error {
	switch u, _ := url.Parse(f.issuer); {
	case f.issuer == "" && len(f.audiences) > 0:
		return usageErrorf("--auth-audience is for tokens of a provider: give --auth-issuer too")
	case f.issuer == "" && f.clientID != "":
		return usageErrorf("--auth-client-id is for a provider: give --auth-issuer too")
	case f.clientID == "" && (f.secretEnv != "" || len(f.scopes) > 0):
		return usageErrorf("--auth-client-secret-env and --auth-scope are for a client of a provider: give --auth-client-id too")
	case f.secretEnv != "" && os.Getenv(f.secretEnv) == "":
		// the value may be the secret itself, so it is not printed
		return usageErrorf("--auth-client-secret-env takes the name of an environment variable, and none of that name is set")
	case f.issuer == "":
		return nil
	case !isWebURL(f.issuer) || u.Scheme == "http" && !guard.IsLoopback(u.Host):
		return usageErrorf("--auth-issuer takes a URL such as https://login.example.com, got %q", f.issuer)
	case f.public == "" && !f.isLocal():
		return usageErrorf("--auth-issuer needs --public-url: clients request tokens for that URL")
	}
	return nil
}

// isWebURL reports whether a text is an HTTP or HTTPS URL without query, fragment and user.
func isWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// idleTimeout returns how long the server runs without requests before it exits; 0 means that it
// never exits for that.
func (f *httpFlags) idleTimeout() time.Duration {
	if f.ticket != nil {
		return ownIdle
	}
	return 0
}
