package cli

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

var serverName = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)

// entryNameError returns the usage error for a name that hosts do not take, with one that resembles it.
func entryNameError(name string) error {
	err := message.Errorf("--name %s: use up to 64 letters, digits, dashes and underscores", present.QuoteName(name))
	parts := strings.FieldsFunc(name, func(r rune) bool { return !serverName.MatchString(string(r)) })
	if near := strings.Join(parts, "-"); serverName.MatchString(near) {
		return usageError{err, message.New("such as --name %s", near)}
	}
	return usageError{error: err}
}

// ofServer are the names of the flags that install passes on to the server.
var ofServer = []string{"index", "store", "store-read", "library", "embed", "rerank", "ocr", "ocr-lang", "log-level", "log-queries", "results"}

// checkInstallOptions returns a usage error for options that a host could not use, before anything
// is written. It also probes the URL if there is one.
func (p *program) checkInstallOptions(c *cobra.Command, o *installOptions, folders []string) (err error) {
	switch {
	case !serverName.MatchString(o.name):
		return entryNameError(o.name)
	case o.url != "":
		return p.checkURL(c, o, folders)
	case o.authorities != "":
		return usageErrorf("--ca-file is for a server at a URL: give --url too")
	case o.token != "":
		return usageErrorf("--token-variable is for a server at a URL: give --url too")
	case len(folders) < p.minFolders():
		return usageErrorf("give the folder with your documents")
	case slices.Contains(folders, ""): // the absolute path of "" would be the working directory
		return checkFolders(folders)
	}
	if dir := folderWithHome(folders); dir != "" {
		p.noteOnce(p.localise("%s contains your whole home folder: the host could read everything private in it, and files that are not documents make answers worse; give the folder with the documents instead", absolutePath(dir)))
	}
	if err := p.offerFetch(c.Context()); err != nil {
		return err
	}
	if o.line, err = p.serveArgs(c.Flags(), folders); err != nil || o.add {
		return errors.Join(err, checkFolders(folders))
	}
	return p.checkServeLine(o.line)
}

// hostServer returns the server that a host starts, or to which it connects.
func (p *program) hostServer(m hosts.Machine, h hosts.Host, o installOptions) (s hosts.Server, err error) {
	s = hosts.Server{EntryName: o.name, URL: o.url}
	if o.url != "" {
		s.TokenVariable, s.IsTokenVariableGiven = o.token, o.token != ""
		if s.TokenVariable == "" && o.found.requiresToken && (!o.found.hasMetadata || h.SupportsOnlyStdio()) {
			s.TokenVariable = hosts.ConnectTokenVariable
		}
		if !h.SupportsOnlyStdio() {
			if o.authorities != "" {
				p.noteOnce(p.localise("--ca-file is for hosts that support only stdio: the others use the system's trusted authorities, or their own settings"))
			}
			return s, nil
		}
		if o.found.certificateError != nil {
			return s, usageError{message.Errorf("the certificate of the server is not trusted: %v", notice.ErrorLine(o.found.certificateError)), message.New("give --ca-file FILE with the authority that has signed it")}
		}
		if s.Args, err = o.connectFlags(); err != nil {
			return s, err
		}
		s.Program, err = p.permanentProgramPath()
		return s, err
	}
	if s.Args = o.line; o.add {
		if s.Args, err = p.mergedEntryArgs(m, h, o); err != nil {
			return s, err
		}
	}
	line, err := readServeLine(s.Args)
	if err != nil {
		return s, err
	}
	s.VariableNames = line.setVariables()
	s.Program, err = p.permanentProgramPath()
	return s, err
}

// setVariables returns the names of those environment variables that a server reads and that are
// set here.
func (p *program) setVariables() (names []string) {
	for _, name := range append(p.modelVariables(), "XDG_CACHE_HOME", storeVariable, replicaVariable) {
		if os.Getenv(name) != "" {
			names = append(names, name)
		}
	}
	return names
}

// permanentProgramPath returns the path of this program, and adds a note if the system may clear
// its folder.
func (p *program) permanentProgramPath() (string, error) {
	path, err := programPath()
	if err == nil && hosts.IsTemporaryPath(path) {
		p.noteOnce(p.localise("the program is in a temporary folder and will be deleted: move %s to a permanent place, and install it from there", present.QuoteName(path)))
	}
	return path, err
}

// serveArgs returns the arguments that a host passes to the program: the command serve, the
// folders, and the flags of this command that serve has as well.
func (p *program) serveArgs(flags *pflag.FlagSet, folders []string) ([]string, error) {
	args := []string{"serve"}
	for _, dir := range folders {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		args = append(args, abs)
	}
	passed, err := p.serverFlagArgs(flags, ofServer)
	return append(args, passed...), err
}

// serverFlagArgs returns those of the named flags that were given, as arguments of the command
// serve.
func (p *program) serverFlagArgs(flags *pflag.FlagSet, names []string) (args []string, err error) {
	for _, name := range names {
		passed, err := p.serverFlagArg(flags.Lookup(name))
		if err != nil {
			return nil, err
		}
		args = append(args, passed...)
	}
	return args, nil
}

func (p *program) serverFlagArg(f *pflag.Flag) (args []string, err error) {
	switch {
	case f == nil || !f.Changed: // the command may not have this flag
		return nil, nil
	case f.Name == "index":
		for _, file := range p.indexFiles {
			abs, err := filepath.Abs(file)
			if err != nil {
				return nil, err
			}
			args = append(args, "--index", abs)
		}
		return args, nil
	case f.Name == "library":
		for _, name := range p.libraries {
			args = append(args, "--library", name)
		}
		return args, nil
	case f.Name == "embed":
		return []string{"--embed", embed.AbsoluteSpec(p.embedSpec)}, nil
	case f.Name == "rerank":
		return []string{"--rerank", embed.AbsoluteSpec(p.reranker.spec)}, nil
	case f.Value.Type() == "bool":
		return []string{"--" + f.Name + "=" + f.Value.String()}, nil
	}
	return []string{"--" + f.Name, f.Value.String()}, nil
}

// connectFlags returns the flags of the command connect for a host that supports only stdio.
func (o installOptions) connectFlags() ([]string, error) {
	if o.authorities == "" {
		return nil, nil
	}
	if _, err := transportTrusting(o.authorities); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(o.authorities)
	return []string{"--ca-file", abs}, err
}

// checkAuthorities returns a usage error if --ca-file is given for a host that connects to the
// server itself, as the flag has no effect then.
func (o installOptions) checkAuthorities(h hosts.Host) error {
	if o.authorities == "" || h.SupportsOnlyStdio() {
		return nil
	}
	return usageError{message.Errorf("--ca-file is for hosts that support only stdio, and %s connects to the URL itself", h.Title), message.New("%s uses the system's trusted authorities, or its own settings", h.Title)}
}

// hasSecretPart reports whether a URL contains credentials.
func hasSecretPart(u *url.URL) bool {
	for name := range u.Query() {
		switch strings.ToLower(name) {
		case "token", "access_token", "auth", "key", "api_key", "apikey", "password", "secret":
			return true
		}
	}
	return u.User != nil
}

// variableName matches the name of an environment variable in the form that all hosts accept.
var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkURL returns a usage error for a URL that cannot be that of a server, and probes it.
func (p *program) checkURL(c *cobra.Command, o *installOptions, folders []string) error {
	u, err := url.Parse(o.url)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return usageErrorf("--url %s: give an address that begins with http:// or https://", present.QuoteName(o.url))
	case hasSecretPart(u):
		return usageErrorf("--url contains a password or a token, which would be written into the configuration of the host")
	case len(folders) > 0:
		return usageErrorf("a server at a URL has its own folders: give --url or folders")
	case o.add:
		return usageErrorf("--add is for folders, and a server at a URL has its own")
	case o.token != "" && (!variableName.MatchString(o.token) || strings.HasPrefix(o.token, signin.TokenPrefix)):
		return usageError{message.Errorf("--token-variable takes a name, not the token"), message.New("give the name of a variable, such as %s: no token is written into files", hosts.ConnectTokenVariable)}
	}
	for _, name := range ofServer {
		if c.Flags().Changed(name) {
			return usageErrorf("--%s is for the server at the URL: give it there", name)
		}
	}
	var through http.RoundTripper = http.DefaultTransport
	if o.authorities != "" {
		if through, err = transportTrusting(o.authorities); err != nil {
			return err
		}
	}
	if o.found, err = probeOrRefuse(c.Context(), through, o.url); err != nil {
		return err
	}
	p.tellProbeProblem(*o)
	return nil
}

// programPath returns the path of this program in a form that stays valid after an update: the one
// on the PATH if that is this program.
func programPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if found, err := exec.LookPath(filepath.Base(path)); err == nil && isSameFile(found, path) {
		if path, err = filepath.Abs(found); err != nil {
			return "", err
		}
	}
	return path, nil
}

func isSameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
