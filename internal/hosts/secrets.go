package hosts

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// isSecret tells by its name whether a variable is for few to see, as Gemini CLI does,
// which keeps those from its servers.
func isSecret(variable string) bool {
	variable = strings.ToUpper(variable)
	return slices.ContainsFunc([]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"},
		func(part string) bool { return strings.Contains(variable, part) })
}

// keep remembers a secret, which is known by the name that it has. What stands in the
// advice of the program is none.
func (f *filling) keep(name, value string) {
	if isSecret(name) && len(value) > 3 && value != "vademecum" && value != YourToken {
		f.secrets = append(f.secrets, value)
	}
}

// keepHeader remembers what lets somebody in, of a header that has it.
func (f *filling) keepHeader(name, value string) {
	switch name, value = strings.ToLower(name), strings.TrimSpace(value); {
	case strings.HasSuffix(name, "authorization"):
		f.keep(name, value[strings.LastIndexByte(value, ' ')+1:])
	case strings.Contains(name, "cookie"):
		f.keep("secret", value)
	default:
		f.keep(name, value)
	}
}

// keepURL remembers the password or token in a text that is a URL.
func (f *filling) keepURL(text string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return
	}
	password, found := u.User.Password()
	if !found && strings.HasPrefix(u.Scheme, "http") {
		password = u.User.Username()
	}
	f.keep("password", password)
	f.keep("password", url.QueryEscape(password))
	for name, values := range u.Query() {
		for _, value := range values {
			f.keep(name, value)
			f.keep(name, url.QueryEscape(value))
		}
	}
}

var (
	aHeader     = regexp.MustCompile(`^([\w-]+):\s*(.+)$`)
	aVariable   = regexp.MustCompile(`^(\w+)=["']?([^"']+)`)
	aSecretFlag = regexp.MustCompile(`(?i)^-.*(token|key|secret|password|passwd)(=|$)["']?([^"']*)`)
)

// keepArgs remembers the secrets of a command line, which another program may be given,
// too: what flags, variables, headers and URLs say.
func (f *filling) keepArgs(args []string) {
	for _, arg := range args {
		if header := aHeader.FindStringSubmatch(arg); header != nil {
			f.keepHeader(header[1], header[2])
		}
	}
	words := strings.Fields(strings.Join(args, " ")) // those of sh -c are in one
	for i, word := range words {
		f.keepURL(word)
		if variable := aVariable.FindStringSubmatch(word); variable != nil {
			f.keep(variable[1], variable[2])
			f.keepURL(variable[2])
		}
		switch flag := aSecretFlag.FindStringSubmatch(word); {
		case flag == nil:
		case flag[2] == "=":
			f.keep("secret", flag[3])
		case i+1 < len(words):
			f.keep("secret", strings.Trim(words[i+1], `"'`))
		}
	}
}

// kept are the secrets, the longest first, as one may be part of another.
func (f *filling) kept() []string {
	slices.SortFunc(f.secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(f.secrets)
}
