package hosts

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// isSecret reports whether the value of a variable is a secret, judging by its name with the rules
// by which Gemini CLI withholds variables from servers.
func isSecret(variable string) bool {
	variable = strings.ToUpper(variable)
	return slices.ContainsFunc([]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"},
		func(part string) bool { return strings.Contains(variable, part) })
}

// addSecret records the value of a variable as a secret if its name is that of one. Values that
// also occur in the advice of this program are not recorded.
func (f *expansion) addSecret(name, value string) {
	if isSecret(name) && len(value) > 3 && value != "vademecum" && value != TokenPlaceholder {
		f.secrets = append(f.secrets, value)
	}
}

// addHeaderSecret records the credentials in a header.
func (f *expansion) addHeaderSecret(name, value string) {
	switch name, value = strings.ToLower(name), strings.TrimSpace(value); {
	case strings.HasSuffix(name, "authorization"):
		f.addSecret(name, value[strings.LastIndexByte(value, ' ')+1:])
	case strings.Contains(name, "cookie"):
		f.addSecret("secret", value)
	default:
		f.addSecret(name, value)
	}
}

// addURLSecret records the password and the secrets among the query parameters if a text is a URL.
func (f *expansion) addURLSecret(text string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return
	}
	password, found := u.User.Password()
	if !found && strings.HasPrefix(u.Scheme, "http") {
		password = u.User.Username()
	}
	f.addSecret("password", password)
	f.addSecret("password", url.QueryEscape(password))
	for name, values := range u.Query() {
		for _, value := range values {
			f.addSecret(name, value)
			f.addSecret(name, url.QueryEscape(value))
		}
	}
}

var (
	aHeader     = lazyregexp.New(`^([\w-]+):\s*(.+)$`)
	aVariable   = lazyregexp.New(`^(\w+)=["']?([^"']+)`)
	aSecretFlag = lazyregexp.New(`(?i)^-.*(token|key|secret|password|passwd)(=|$)["']?([^"']*)`)
)

// addArgSecrets records the secrets in a command line, which may start another program: in flags,
// variables, headers and URLs.
func (f *expansion) addArgSecrets(args []string) {
	for _, arg := range args {
		if header := aHeader.FindStringSubmatch(arg); header != nil {
			f.addHeaderSecret(header[1], header[2])
		}
	}
	words := strings.Fields(strings.Join(args, " ")) // the words of sh -c are in one argument
	for i, word := range words {
		f.addURLSecret(word)
		if variable := aVariable.FindStringSubmatch(word); variable != nil {
			f.addSecret(variable[1], variable[2])
			f.addURLSecret(variable[2])
		}
		switch flag := aSecretFlag.FindStringSubmatch(word); {
		case flag == nil:
		case flag[2] == "=":
			f.addSecret("secret", flag[3])
		case i+1 < len(words):
			f.addSecret("secret", strings.Trim(words[i+1], `"'`))
		}
	}
}

// secretsLongestFirst returns the recorded secrets, the longest first, as one may be part of
// another.
func (f *expansion) secretsLongestFirst() []string {
	slices.SortFunc(f.secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(f.secrets)
}
