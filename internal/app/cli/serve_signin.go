package cli

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// checkSignIn returns a usage error if --sign-in lacks what it requires: users who can sign in, and
// a public URL that is HTTPS or local.
func (f *httpFlags) checkSignIn() error {
	u, _ := url.Parse(f.public)
	switch {
	case !f.signIn:
		return nil
	case !f.requiresUsers():
		return usageError{message.Errorf("--sign-in needs a way to identify people: give --tokens or --auth-issuer"), message.New("vademecum token new NAME --tokens FILE makes a token")}
	case f.public == "" && !f.isLocal():
		return usageErrorf("--sign-in needs --public-url: programs are told that address")
	case f.public != "" && u.Scheme == "http" && !guard.IsLoopback(u.Host):
		return usageErrorf("--sign-in requires HTTPS: others could read tokens in transit to %s", f.public)
	}
	return nil
}

// signInServer returns the OAuth server of --sign-in, after adding it to the checkers of the
// authenticator; nil without that flag.
func (f *httpFlags) signInServer(authenticator *signin.Authenticator, public string, log *slog.Logger) (*oauth.Server, error) {
	if !f.signIn {
		return nil, nil
	}
	file, err := grantsFile()
	if err != nil {
		return nil, err
	}
	grants, err := oauth.OpenGrantStore(file, log)
	if err != nil {
		return nil, usageError{message.Errorf("grants cannot be saved: %v", err), message.New("the user who runs this must be able to write in %s", quoteArg(filepath.Dir(file)))}
	}
	tokens, _ := authenticator.Checkers[0].(*signin.TokenStore)
	s := oauth.New(oauth.Options{Issuer: strings.TrimRight(public, "/"), Grants: grants, UserTokens: tokens, ProviderIssuer: f.issuer, Logger: log})
	authenticator.Checkers, authenticator.OwnIssuer = slices.Insert(authenticator.Checkers, 1, signin.Checker(s)), s.Issuer()
	return s, nil
}

// checkGrantsOutside returns a usage error for a folder that contains the grants file, as users who
// may read its documents could read the key in that file.
func (f *httpFlags) checkGrantsOutside(folders []string) error {
	file, err := grantsFile()
	if err != nil || !f.signIn {
		return nil
	}
	for _, dir := range folders {
		if path, isWithin := pathWithin(dir, filepath.Dir(file)); isWithin && !isHiddenPath(path) {
			return usageError{message.Errorf("%s is within %s: anyone who can read there would find the grants, and the key that signs them", filepath.Dir(file), absolutePath(dir)), message.New("serve the folders with the documents")}
		}
	}
	return nil
}

// pathWithin returns the path of a file relative to a folder, "." for the folder itself; isWithin
// is false if the folder does not contain the file.
func pathWithin(dir, file string) (path string, isWithin bool) {
	path, err := filepath.Rel(realPath(dir), realPath(file))
	return path, err == nil && filepath.IsLocal(path)
}

// realPath returns a path with symbolic links resolved, as far as the path exists.
func realPath(path string) string {
	path = absolutePath(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return path
}

// isHiddenPath reports whether a part of a relative path is hidden, so that the path is not
// indexed.
func isHiddenPath(path string) bool {
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), func(name string) bool { return strings.HasPrefix(name, ".") && name != "." })
}

// grantsFile returns the path of the grants file.
func grantsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", message.Errorf("there is no place to save grants: %v", err)
	}
	return oauth.GrantsFileIn(dir), nil
}

// tokenAudiences returns the audiences for which tokens of the identity provider may be issued.
func (f *httpFlags) tokenAudiences(resource string) []string {
	if len(f.audiences) > 0 {
		return f.audiences
	}
	return []string{resource}
}

// signInClient returns the OAuth client by which users of the web pages sign in at the identity
// provider; nil if no client ID is given. With --auth-audience the client sends no resource
// indicator, as Entra rejects one.
func (f *httpFlags) signInClient(provider *signin.Provider, resource string, key *signin.EncryptionKey) *signin.Client {
	if f.clientID == "" {
		return nil
	}
	o := signin.ClientOptions{
		ID: f.clientID, SiteURL: strings.TrimSuffix(resource, "/mcp"), Scopes: f.scopes, Audience: f.tokenAudiences(resource)[0], CookieKey: key,
	}
	if f.secretEnv != "" {
		o.Secret = os.Getenv(f.secretEnv)
	}
	if len(o.Scopes) == 0 {
		o.Scopes = []string{signin.ScopeRead}
	}
	if len(f.audiences) == 0 {
		o.ResourceIndicator = resource
	}
	return signin.NewClient(provider, o)
}

// pageKey returns the key for the sessions of the web pages. It is stored if users sign in.
// Otherwise, or if it cannot be stored, each start of the server creates a new one.
func (f *httpFlags) pageKey(log *slog.Logger) *signin.EncryptionKey {
	switch {
	case f.ticket != nil:
		return f.ticket.SessionKey()
	case !f.requiresUsers():
		return signin.NewEncryptionKey()
	}
	dir, err := os.UserConfigDir()
	if err == nil {
		var key *signin.EncryptionKey
		if key, err = signin.OpenEncryptionKey(filepath.Join(dir, "vademecum", "sessions"), log); err == nil {
			return key
		}
	}
	log.Warn("there is no place for the key of the page's sessions: who signs in with a browser has to do it again when the server was restarted", "error", err)
	return signin.NewEncryptionKey()
}
