package docs

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/present"
)

// FileURI returns the file URI (RFC 8089) of an absolute path. Everything but plain ASCII is
// percent-encoded. Equal paths have equal URIs.
func FileURI(absolutePath string) string {
	p := filepath.ToSlash(absolutePath)
	host := ""
	switch {
	case runtime.GOOS == "windows" && strings.HasPrefix(p, "//"): // \\server\share
		host, p, _ = strings.Cut(p[2:], "/")
		p = "/" + p
	case !strings.HasPrefix(p, "/"): // C:\
		p = "/" + p
	}
	return "file://" + host + (&url.URL{Path: p}).EscapedPath()
}

// AppendFileURI appends to out the FileURI of a file, given the URI of its folder and its path in
// the folder, a clean slash path.
func AppendFileURI(out []byte, folderURI, slashPath string) []byte {
	out = append(append(out, strings.TrimSuffix(folderURI, "/")...), '/')
	if slashPath == "*" { // package url does not escape "*" if it is the whole path
		return append(out, "%2A"...)
	}
	return append(out, (&url.URL{Path: slashPath}).EscapedPath()...)
}

// ReadableURI returns a file URI with the letters and digits of all scripts unencoded, an
// IRI (RFC 3987): a Chinese letter is one character instead of nine. ParseFileURI accepts
// both. Characters not in Unicode form NFC stay encoded, as copying may compose them.
func ReadableURI(uri string) string {
	var out strings.Builder
	for rest := uri; rest != ""; {
		if raw, size := unescapedRune(rest); size > 0 {
			out.WriteRune(raw)
			rest = rest[size:]
			continue
		}
		out.WriteByte(rest[0])
		rest = rest[1:]
	}
	if readable := out.String(); norm.NFC.IsNormalString(readable) {
		return readable
	}
	return uri
}

// unescapedRune returns the letter or digit beyond ASCII whose escapes begin the text, and their
// length in bytes; 0 if there is none.
func unescapedRune(text string) (r rune, size int) {
	var encoded []byte
	for len(encoded) < utf8.UTFMax && len(text) >= size+3 && text[size] == '%' {
		b, err := hex.DecodeString(text[size+1 : size+3])
		if err != nil {
			return 0, 0
		}
		encoded, size = append(encoded, b[0]), size+3
		if utf8.FullRune(encoded) {
			break
		}
	}
	r, n := utf8.DecodeRune(encoded)
	if n != len(encoded) || n < 2 || !unicode.In(r, unicode.L, unicode.M, unicode.N) {
		return 0, 0
	}
	return r, size
}

// ParseFileURI returns the absolute path and the fragment of a file URI. It is the inverse of
// FileURI, but as lenient as possible without ambiguity: it accepts characters that should have
// been encoded, escapes in lower case, and the host localhost. The error is one line without
// control characters.
func ParseFileURI(uri string) (absolutePath, fragment string, err error) {
	absolutePath, fragment, err = parseFileURI(uri)
	if err != nil {
		return "", "", fmt.Errorf("uri %s: %w", present.QuoteShort(uri), err)
	}
	return absolutePath, fragment, nil
}

func parseFileURI(uri string) (abs, fragment string, err error) {
	if strings.ContainsFunc(uri, unicode.IsControl) {
		return "", "", errors.New("has control characters, which must be percent-encoded")
	}
	const scheme = "file:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", "", errors.New("want a URI that begins with file:///")
	}
	p, fragment, _ := strings.Cut(uri[len(scheme):], "#")
	host := ""
	if rest, ok := strings.CutPrefix(p, "//"); ok {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return "", "", errors.New("has no path")
		}
		host, p = rest[:slash], rest[slash:]
	}
	if strings.EqualFold(host, "localhost") {
		host = ""
	}
	if !strings.HasPrefix(p, "/") {
		return "", "", errors.New("has no absolute path")
	}
	if p, err = url.PathUnescape(p); err != nil {
		return "", "", errors.New("has a % that is not followed by two hexadecimal digits")
	}
	if fragment, err = url.PathUnescape(fragment); err != nil {
		return "", "", errors.New("has a % that is not followed by two hexadecimal digits")
	}
	if strings.IndexByte(p, 0) >= 0 {
		return "", "", errors.New("has a NUL in its path")
	}
	abs, err = localPath(host, p)
	return abs, fragment, err
}

// localPath turns the host and path of a file URI into a path of this system.
func localPath(host, p string) (string, error) {
	if runtime.GOOS != "windows" {
		if host != "" {
			return "", errors.New("names another host")
		}
		return filepath.Clean(p), nil
	}
	if host != "" {
		return filepath.Clean(`\\` + host + filepath.FromSlash(p)), nil
	}
	if len(p) >= 3 && p[2] == ':' { // /C:/
		p = p[1:]
	}
	return filepath.Clean(filepath.FromSlash(p)), nil
}
