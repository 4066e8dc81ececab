package oauth

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"

	"vademecum/internal/base/present"
)

// Client is the metadata that an OAuth client has registered.
type Client struct {
	Name         string   `json:"n"` // "" if unnamed
	RedirectURIs []string `json:"r"`
}

// clientMetadata is the metadata of a client (RFC 7591, section 2), as a registration or a client
// ID metadata document contains it.
type clientMetadata struct {
	ID            string   `json:"client_id,omitempty"`
	Name          string   `json:"client_name,omitempty"`
	RedirectURIs  []string `json:"redirect_uris"`
	AuthMethod    string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes    []string `json:"grant_types,omitempty"`
	ResponseTypes []string `json:"response_types,omitempty"`
}

// grantTypes are the supported grant types.
var grantTypes = []string{"authorization_code", "refresh_token"}

// Limits of the metadata of a client.
const (
	maxRedirectURIs     = 10
	maxRedirectURIBytes = 400 // bytes
	maxNameLength       = 80  // characters; longer names are cut
	maxCombiningMarks   = 3   // on one character; no script needs more
)

// toClient checks the metadata and returns the part that the server needs.
func (m clientMetadata) toClient() (c Client, err error) {
	switch {
	case len(m.RedirectURIs) == 0:
		return c, message.Errorf("redirect_uris is missing")
	case len(m.RedirectURIs) > maxRedirectURIs:
		return c, message.Errorf("there are more than %d redirect_uris", maxRedirectURIs)
	case len(m.GrantTypes) > 0 && !slices.Contains(m.GrantTypes, "authorization_code"):
		return c, message.Errorf("grant_types has no authorization_code, and tokens are issued for nothing else")
	case len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code"):
		return c, message.Errorf("response_types has no code, and nothing else is supported")
	}
	accepted, err := acceptedRedirectURIs(m.RedirectURIs)
	if len(accepted) == 0 {
		return c, message.Errorf("redirect_uris: %v", err)
	}
	return Client{displayName(m.Name), accepted}, nil
}

// acceptedRedirectURIs returns those redirect URIs that are valid; err is why the first of the
// others is refused. Some clients register a URI for each of their products, and Cursor registers
// one that is refused here and that it does not use. The response to a registration contains the
// accepted URIs (RFC 7591, section 3.2.1).
func acceptedRedirectURIs(all []string) (accepted []string, err error) {
	for _, uri := range all {
		if refused := checkRedirectURI(uri); refused == nil {
			accepted = append(accepted, uri)
		} else if err == nil {
			err = refused
		}
	}
	return accepted, err
}

// displayName returns the name of a client for display: without invisible characters and those that
// alter the surrounding text, as a name must not look like another one. The result may be "".
func displayName(name string) string {
	marks := 0 // consecutive combining marks: many would be drawn over the lines above and below
	name = strings.Map(func(r rune) rune {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > maxCombiningMarks {
			return -1
		}
		switch {
		case unicode.IsSpace(r) || unicode.In(r, unicode.Z) || r == '\u2800': // U+2800: blank Braille
			return ' '
		case !unicode.IsGraphic(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) > maxNameLength {
		name = string([]rune(name)[:maxNameLength]) + "…"
	}
	return name
}

// isHost reports whether a text is a host name or IP address, possibly with a port.
var isHost = lazyregexp.New(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`).MatchString

// isScheme reports whether a text is a URI scheme.
var isScheme = lazyregexp.New(`^[a-z][a-z0-9+.-]*$`).MatchString

// editorSchemes are private-use URI schemes without a dot that belong to editors that are MCP
// hosts. All other schemes must be reversed domain names such as com.example.app (RFC 8252, section
// 8.4), as an arbitrary short scheme may open a program that executes what it is given.
var editorSchemes = []string{"cursor", "vscode", "vscode-insiders", "windsurf"}

// checkRedirectURI returns an error unless a redirect URI is an HTTPS URL or a loopback URL, or has
// a private-use scheme.
func checkRedirectURI(uri string) error {
	u, err := url.Parse(uri)
	shown := present.QuoteName(uri)
	switch {
	case len(uri) > maxRedirectURIBytes:
		return message.Errorf("an address has more than %d bytes", maxRedirectURIBytes)
	case err != nil || u.Opaque != "" || strings.ContainsFunc(uri, isForbiddenInURI):
		return message.Errorf("%s is not an address", shown)
	case strings.Contains(uri, "#") || u.User != nil:
		return message.Errorf("%s has a part that no address here may have: what follows #, or a user's name", shown)
	case hasResponseParameters(u.RawQuery):
		return message.Errorf("%s has a part that only the server may set: code, state, iss or error", shown)
	case u.Scheme == "https" && isHost(u.Host):
		return nil
	case u.Scheme == "http" && isHost(u.Host) && isLoopbackHost(u.Hostname()):
		return nil
	case u.Scheme == "http" || u.Scheme == "https":
		return message.Errorf("%s is neither https nor an address of the same device", shown)
	case !isScheme(u.Scheme) || !strings.Contains(u.Scheme, ".") && !slices.Contains(editorSchemes, u.Scheme):
		return message.Errorf("no redirect to %s: the scheme of a program's address must have a dot, as in com.example.app:/callback", shown)
	case u.Host != "" && !isHost(u.Host):
		return message.Errorf("%s is not an address", shown)
	}
	return nil
}

// hasResponseParameters reports whether a query contains parameters of the authorization response
// already. Clients would differ in which of two values they use.
func hasResponseParameters(query string) bool {
	q, err := url.ParseQuery(query)
	return err != nil || q.Has("code") || q.Has("state") || q.Has("iss") || q.Has("error")
}

// isForbiddenInURI reports whether a character must be percent-encoded in a URI.
func isForbiddenInURI(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
}

// isLoopbackHost reports whether a host is localhost or a loopback address.
func isLoopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// allowsRedirectURI reports whether the client has registered a redirect URI. The port of a
// loopback URI may differ (RFC 8252, section 7.3).
func (c Client) allowsRedirectURI(uri string) bool {
	if checkRedirectURI(uri) != nil {
		return false
	}
	if slices.Contains(c.RedirectURIs, uri) {
		return true
	}
	wanted, isLoopback := loopbackWithoutPort(uri)
	return isLoopback && slices.ContainsFunc(c.RedirectURIs, func(registered string) bool {
		has, isLoopback := loopbackWithoutPort(registered)
		return isLoopback && has == wanted
	})
}

// loopbackWithoutPort returns a loopback URI without its port; isLoopback is false for any other
// URI.
func loopbackWithoutPort(uri string) (rest string, isLoopback bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || !isLoopbackHost(u.Hostname()) {
		return "", false
	}
	before, after, _ := strings.Cut(uri, u.Host)
	return before + strings.TrimSuffix(u.Host, ":"+u.Port()) + after, true
}

// redirectTarget returns the host of a redirect URI, or its scheme if that opens a program.
// isOnDevice reports whether it is on the user's device.
func redirectTarget(uri string) (name string, isOnDevice bool) {
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
