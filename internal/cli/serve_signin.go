package cli

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/message"
	"vademecum/internal/web/guard"
	"vademecum/internal/web/oauth"
	"vademecum/internal/web/signin"
)

// checkSignIn refuses what does not go with --sign-in: people sign in with a token, or at
// a provider, and nobody on the way may read what clients get.
func (f *httpFlags) checkSignIn() error {
	u, _ := url.Parse(f.public)
	switch {
	case !f.signIn:
		return nil
	case !f.requiresUsers():
		return usageError{message.Errorf("--sign-in has people sign in, and there is nothing that says who they are: give --tokens or --auth-issuer", "--sign-in 要求登录，而没有说明谁能登录：请给出 --tokens 或 --auth-issuer"), message.New("vademecum token new NAME --tokens FILE makes a token", "vademecum token new NAME --tokens FILE 会创建令牌")}
	case f.public == "" && !f.isLocal():
		return usageErrorf("--sign-in needs --public-url: programs are told that address", "--sign-in 需要 --public-url：程序会得知这个地址")
	case f.public != "" && u.Scheme == "http" && !guard.IsLoopback(u.Host):
		return usageErrorf("--sign-in takes HTTPS: others could read tokens on their way to %s", "--sign-in 要用 HTTPS：令牌在发往 %s 的途中可能被别人读到", f.public)
	}
	return nil
}

// signInServer gives tokens to programs that people connect, nil without --sign-in. The authenticator
// asks it about them.
func (f *httpFlags) signInServer(authenticator *signin.Authenticator, public string, log *slog.Logger) (*oauth.Server, error) {
	if !f.signIn {
		return nil, nil
	}
	file, err := grantsFile()
	if err != nil {
		return nil, err
	}
	grants, err := oauth.OpenGrants(file, log)
	if err != nil {
		return nil, usageError{message.Errorf("what people agree to cannot be kept: %v", "无法保存用户的授权：%v", err), message.New("the user who runs this has to be able to write in %s", "运行它的用户应当能写入 %s", quoteArg(filepath.Dir(file)))}
	}
	tokens, _ := authenticator.Checkers[0].(*signin.Tokens)
	s := oauth.New(oauth.Options{Issuer: strings.TrimRight(public, "/"), Grants: grants, Tokens: tokens, Provider: f.issuer, Logger: log})
	authenticator.Checkers, authenticator.Gives = slices.Insert(authenticator.Checkers, 1, signin.Checker(s)), s.Issuer()
	return s, nil
}

// checkGrantsApart refuses folders that have the file of grants in them: who reads the documents
// would read the key that signs what programs get.
func (f *httpFlags) checkGrantsApart(folders []string) error {
	file, err := grantsFile()
	if err != nil || !f.signIn {
		return nil
	}
	for _, dir := range folders {
		if path, isWithin := pathWithin(dir, filepath.Dir(file)); isWithin && !isHiddenPath(path) {
			return usageError{message.Errorf("%s is within %s: who reads there would find what people agreed to, and the key that signs it", "%s 在 %s 之内：读者会找到用户的授权和为其签名的密钥", filepath.Dir(file), absolutePath(dir)), message.New("serve the folders with the documents", "请提供存放文档的文件夹")}
		}
	}
	return nil
}

// pathWithin is the path of a file as seen from a folder that it is in, "." for the folder.
func pathWithin(dir, file string) (path string, isWithin bool) {
	path, err := filepath.Rel(realPath(dir), realPath(file))
	return path, err == nil && filepath.IsLocal(path)
}

// realPath is a path without links, as far as it is there.
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

// isHiddenPath tells a path below which nothing is indexed.
func isHiddenPath(path string) bool {
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), func(name string) bool { return strings.HasPrefix(name, ".") && name != "." })
}

// grantsFile is where grants are kept.
func grantsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", message.Errorf("there is no place for what people agree to: %v", "没有地方保存用户的授权：%v", err)
	}
	return oauth.GrantsFileIn(dir), nil
}

// tokenAudiences is whom tokens of the provider have to be meant for.
func (f *httpFlags) tokenAudiences(resource string) []string {
	if len(f.audiences) > 0 {
		return f.audiences
	}
	return []string{resource}
}

// signInClient is as what the page sends people to the provider, nil if it does not. Who
// names an audience has a provider that does not know what is served by its URL: Entra
// refuses to be told of it.
func (f *httpFlags) signInClient(provider *signin.Provider, resource string, key *signin.Key) *signin.Client {
	if f.clientID == "" {
		return nil
	}
	o := signin.ClientOptions{
		ID: f.clientID, Site: strings.TrimSuffix(resource, "/mcp"), Scopes: f.scopes, Audience: f.tokenAudiences(resource)[0], Key: key,
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
	switch {
	case f.ticket != nil:
		return f.ticket.Key()
	case !f.requiresUsers():
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
