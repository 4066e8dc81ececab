package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"vademecum/internal/web/signin"
)

// meantFor is whom tokens of the provider have to be meant for.
func (f *httpFlags) meantFor(resource string) []string {
	if len(f.audiences) > 0 {
		return f.audiences
	}
	return []string{resource}
}

// client is as what the page sends people to the provider, nil if it does not. Who
// names an audience has a provider that does not know what is served by its URL: Entra
// refuses to be told of it.
func (f *httpFlags) client(provider *signin.Provider, resource string, key *signin.Key) *signin.Client {
	if f.clientID == "" {
		return nil
	}
	o := signin.ClientOptions{
		ID: f.clientID, Site: strings.TrimSuffix(resource, "/mcp"), Scopes: f.scopes, Audience: f.meantFor(resource)[0], Key: key,
	}
	if f.secretEnv != "" {
		o.Secret = os.Getenv(f.secretEnv)
	}
	if len(o.Scopes) == 0 {
		o.Scopes = []string{signin.ScopeRead}
	}
	if len(f.audiences) == 0 {
		o.Resource = resource
	}
	return signin.NewClient(provider, o)
}

// pageKey returns the key of the page's sessions: of this server alone where there are none that
// could outlast it, or no place for it.
func (f *httpFlags) pageKey(log *slog.Logger) *signin.Key {
	if f.ticket != nil || !f.asks() {
		return signin.NewKey()
	}
	dir, err := os.UserConfigDir()
	if err == nil {
		var key *signin.Key
		if key, err = signin.OpenKey(filepath.Join(dir, "vademecum", "sessions"), log); err == nil {
			return key
		}
	}
	log.Warn("there is no place for the key of the page's sessions: who signs in with a browser has to do it again when the server was restarted", "error", err)
	return signin.NewKey()
}
