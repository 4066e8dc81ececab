package oauth

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/message"

	"vademecum/internal/present"
)

// Client is a program that asks for tokens, as it says itself.
type Client struct {
	Name      string   `json:"n"` // "" where it gives none
	Redirects []string `json:"r"` // where browsers may be sent back to
}

// clientMetadata is what RFC 7591 has of a client, in a registration and in a document.
type clientMetadata struct {
	ID         string   `json:"client_id,omitempty"`
	Name       string   `json:"client_name,omitempty"`
	Redirects  []string `json:"redirect_uris"`
	AuthMethod string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes []string `json:"grant_types,omitempty"`
	Responses  []string `json:"response_types,omitempty"`
}

// grantTypes are those that there are.
var grantTypes = []string{"authorization_code", "refresh_token"}

// Limits of what a client says of itself.
const (
	mostRedirects   = 10
	longestRedirect = 400 // bytes
	longestName     = 80  // characters; more of a name is left out
	mostMarks       = 3   // on one character, which no script needs more of
)

// toClient checks what a client says of itself.
func (m clientMetadata) toClient() (c Client, err error) {
	switch {
	case len(m.Redirects) == 0:
		return c, message.Errorf("redirect_uris is missing", "缺少 redirect_uris")
	case len(m.Redirects) > mostRedirects:
		return c, message.Errorf("there are more than %d redirect_uris", "redirect_uris 超过 %d 个", mostRedirects)
	case len(m.GrantTypes) > 0 && !slices.Contains(m.GrantTypes, "authorization_code"):
		return c, message.Errorf("grant_types has no authorization_code, and tokens are given for nothing else", "grant_types 中没有 authorization_code，而令牌只凭它发放")
	case len(m.Responses) > 0 && !slices.Contains(m.Responses, "code"):
		return c, message.Errorf("response_types has no code, and nothing else is given", "response_types 中没有 code，而这里只发放 code")
	}
	kept, err := usableRedirects(m.Redirects)
	if len(kept) == 0 {
		return c, message.Errorf("redirect_uris: %v", "redirect_uris 有误：%v", err)
	}
	return Client{visibleName(m.Name), kept}, nil
}

// usableRedirects are the addresses that browsers may be sent to; err is why the first of
// the others is none. Some clients name one for each of their programs, Cursor four that
// are known here and one that is not, and use another: those are left out (RFC 7591,
// section 3.2.1, has the server say which it has kept).
func usableRedirects(all []string) (kept []string, err error) {
	for _, uri := range all {
		if bad := checkRedirect(uri); bad == nil {
			kept = append(kept, uri)
		} else if err == nil {
			err = bad
		}
	}
	return kept, err
}

// visibleName is what a client calls itself, without all that is not seen or changes what
// stands around it: a name is to look like what it is, and one of nothing but that is none.
func visibleName(name string) string {
	marks := 0 // in a row: many would be drawn over the lines above and below
	name = strings.Map(func(r rune) rune {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > mostMarks {
			return -1
		}
		switch {
		case unicode.IsSpace(r) || unicode.In(r, unicode.Z) || r == '\u2800': // of Braille, without a dot
			return ' '
		case !unicode.IsGraphic(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) > longestName {
		name = string([]rune(name)[:longestName]) + "…"
	}
	return name
}

// isHost tells names and addresses of hosts, with a port or not.
var isHost = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`).MatchString

// isScheme tells the schemes by which programs on a device are opened.
var isScheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`).MatchString

// dotless are the schemes without a dot of hosts that are known to send people back by them.
// All others belong to a domain, as com.example.app does (RFC 8252, section 8.4): what
// else a device opens by a short scheme is not known here, and may run what it is given.
var dotless = []string{"cursor", "vscode", "vscode-insiders", "windsurf"}

// checkRedirect says why browsers cannot be sent to an address: it has to be of a site
// that nobody listens to on the way, or of a program on the same device.
func checkRedirect(uri string) error {
	u, err := url.Parse(uri)
	shown := present.QuoteName(uri)
	switch {
	case len(uri) > longestRedirect:
		return message.Errorf("an address has more than %d bytes", "一个地址超过 %d 字节", longestRedirect)
	case err != nil || u.Opaque != "" || strings.ContainsFunc(uri, isForbiddenInURI):
		return message.Errorf("%s is no address", "%s 不是地址", shown)
	case strings.Contains(uri, "#") || u.User != nil:
		return message.Errorf("%s has a part that no address here may have: what follows #, or a user's name", "%s 含有这里的地址不能有的部分：# 之后的内容，或用户名", shown)
	case hasAnswer(u.RawQuery):
		return message.Errorf("%s has a part that is for the server to write: code, state, iss or error", "%s 含有应由服务器填写的部分：code、state、iss 或 error", shown)
	case u.Scheme == "https" && isHost(u.Host):
		return nil
	case u.Scheme == "http" && isHost(u.Host) && isLoopbackHost(u.Hostname()):
		return nil
	case u.Scheme == "http" || u.Scheme == "https":
		return message.Errorf("%s is neither https nor an address of the same device", "%s 既不是 https，也不是本设备的地址", shown)
	case !isScheme(u.Scheme) || !strings.Contains(u.Scheme, ".") && !slices.Contains(dotless, u.Scheme):
		return message.Errorf("nobody is sent to %s: the scheme of an address of a program has a dot, as in com.example.app:/callback", "不会跳转到 %s：程序的地址应使用带点的协议名，例如 com.example.app:/callback", shown)
	case u.Host != "" && !isHost(u.Host):
		return message.Errorf("%s is no address", "%s 不是地址", shown)
	}
	return nil
}

// hasAnswer tells a query with what this server says in it: which of the two the client
// would believe is not known.
func hasAnswer(query string) bool {
	q, err := url.ParseQuery(query)
	return err != nil || q.Has("code") || q.Has("state") || q.Has("iss") || q.Has("error")
}

// isForbiddenInURI tells what has to be written in another way in an address.
func isForbiddenInURI(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
}

// isLoopbackHost tells the names of the machine itself.
func isLoopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// allowsRedirect tells whether browsers are sent to an address: one of the client's, to the
// letter. A program on the same device takes whichever port is free (RFC 8252, section
// 7.3).
func (c Client) allowsRedirect(uri string) bool {
	if checkRedirect(uri) != nil {
		return false
	}
	if slices.Contains(c.Redirects, uri) {
		return true
	}
	portless, isOwn := loopbackWithoutPort(uri)
	return isOwn && slices.ContainsFunc(c.Redirects, func(known string) bool {
		of, isOwn := loopbackWithoutPort(known)
		return isOwn && of == portless
	})
}

// loopbackWithoutPort is an address of the same device without its port.
func loopbackWithoutPort(uri string) (rest string, isOwn bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || !isLoopbackHost(u.Hostname()) {
		return "", false
	}
	before, after, _ := strings.Cut(uri, u.Host)
	return before + strings.TrimSuffix(u.Host, ":"+u.Port()) + after, true
}

// redirectTarget is what somebody is told of where they are sent back to: the host, or the
// scheme that opens a program on their device. isOwn tells that it is on their device.
func redirectTarget(uri string) (name string, isOwn bool) {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return "", false
	case u.Scheme == "https":
		return u.Host, false
	case u.Scheme == "http":
		return u.Hostname(), true
	}
	return u.Scheme + ":", true
}
