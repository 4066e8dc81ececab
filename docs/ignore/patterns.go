package ignore

import "strings"

// A pattern is a line of an ignore file, as defined by gitignore(5). Names are compared byte by
// byte, as git does.
type pattern struct {
	line      int    // line number in the file, from 1
	text      string // the pattern as written
	glob      string // the glob without the parts that the other fields represent
	isNegated bool
	isDirOnly bool
	isName    bool // whether it matches names in any directory, not paths
}

// parsePatterns reads the patterns of an ignore file.
func parsePatterns(text string) (all []pattern) {
	for i, line := range strings.Split(text, "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		p := pattern{line: i + 1, text: line}
		p.glob, p.isNegated = strings.CutPrefix(line, "!")
		p.glob, p.isDirOnly = strings.CutSuffix(p.glob, "/")
		p.isName = !strings.Contains(p.glob, "/")
		p.glob = strings.TrimPrefix(p.glob, "/")
		if p.glob != "" {
			all = append(all, p)
		}
	}
	return all
}

// trimSpaces removes trailing spaces, except those escaped by a backslash.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// lastMatch returns the last pattern that matches a path.
func lastMatch(all []pattern, path string, isDir bool) (p pattern, ok bool) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(all) - 1; i >= 0; i-- {
		p = all[i]
		switch {
		case p.isDirOnly && !isDir:
		case p.isName && wildcards{}.match(p.glob, name) == matched, !p.isName && wildcards{isPath: true}.match(p.glob, path) == matched:
			return p, true
		}
	}
	return pattern{}, false
}

// wildcards matches globs like git's wildmatch.c.
type wildcards struct {
	isPath bool // "*" and "?" do not match a slash; only "**" does
}

// result is the result of matching a glob. Values above unmatched mean that an earlier star need
// not be retried, which keeps the time proportional to both lengths.
type result uint8

const (
	matched result = iota
	unmatched
	unmatchedInPart // no match even if a star matches more of this path element
	exhausted       // no match even if a star matches more of the remaining text
)

func (w wildcards) match(glob, text string) result {
	for at := 0; at < len(glob); at++ {
		c := glob[at]
		if c == '*' {
			return w.matchStar(glob, at, text)
		}
		if text == "" {
			return exhausted
		}
		switch c {
		case '?':
			if w.isPath && text[0] == '/' {
				return unmatched
			}
		case '[':
			size, isIn := matchClass(glob[at:], text[0])
			if size == 0 {
				return exhausted // the class is not closed
			}
			if !isIn || w.isPath && text[0] == '/' {
				return unmatched
			}
			at += size - 1
		default:
			if c == '\\' {
				if at++; at == len(glob) {
					return unmatched
				}
				c = glob[at]
			}
			if c != text[0] {
				return unmatched
			}
		}
		text = text[1:]
	}
	if text != "" {
		return unmatched
	}
	return matched
}

// matchStar matches a glob from the star at a position on.
func (w wildcards) matchStar(glob string, at int, text string) result {
	rest := strings.TrimLeft(glob[at:], "*")
	isWhole := (at == 0 || glob[at-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	anySlash := !w.isPath || isWhole && len(glob)-at-len(rest) > 1
	if w.isPath && anySlash && strings.HasPrefix(rest, "/") {
		if r := w.match(rest[1:], text); r == matched || r == exhausted {
			return r
		}
	}
	if rest == "" {
		if !anySlash && strings.Contains(text, "/") {
			return unmatchedInPart
		}
		return matched
	}
	if !anySlash && rest[0] == '/' {
		slash := strings.IndexByte(text, '/')
		if slash < 0 {
			return exhausted
		}
		return w.match(rest, text[slash:])
	}
	for ; text != ""; text = text[1:] {
		switch r := w.match(rest, text); {
		case r == matched, r == exhausted, r == unmatchedInPart && !anySlash:
			return r
		}
		if !anySlash && text[0] == '/' {
			return unmatchedInPart
		}
	}
	return exhausted
}

// matchClass returns the length of the character class at the start of a glob, 0 if it is not
// closed, and whether it contains c.
func matchClass(glob string, c byte) (size int, isIn bool) {
	at := 1
	isNegated := at < len(glob) && (glob[at] == '!' || glob[at] == '^')
	if isNegated {
		at++
	}
	last := byte(0) // possible start of a range
	for first := true; at < len(glob) && (first || glob[at] != ']'); first = false {
		own := glob[at]
		switch {
		case own == '[' && strings.HasPrefix(glob[at:], "[:"):
			end := strings.IndexByte(glob[at+2:], ']')
			if end < 0 {
				return 0, false
			}
			name, ok := strings.CutSuffix(glob[at+2:at+2+end], ":")
			if ok {
				has, known := namedClasses[name]
				if !known {
					return 0, false
				}
				isIn = isIn || has(c)
				at, last = at+2+end+1, 0
				continue
			}
		case own == '-' && last != 0 && at+1 < len(glob) && glob[at+1] != ']':
			if at++; glob[at] == '\\' {
				at++
			}
			if at == len(glob) {
				return 0, false
			}
			isIn = isIn || last <= c && c <= glob[at]
			at, last = at+1, 0
			continue
		case own == '\\':
			if at++; at == len(glob) {
				return 0, false
			}
			own = glob[at]
		}
		isIn = isIn || own == c
		at, last = at+1, own
	}
	if at >= len(glob) {
		return 0, false
	}
	return at + 1, isIn != isNegated
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isGraph(c byte) bool { return '!' <= c && c <= '~' }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

// namedClasses are the POSIX character classes for ASCII.
var namedClasses = map[string]func(byte) bool{
	"lower": isLower, "upper": isUpper, "digit": isDigit, "graph": isGraph, "alnum": isAlnum,
	"alpha":  func(c byte) bool { return isLower(c) || isUpper(c) },
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"print":  func(c byte) bool { return c == ' ' || isGraph(c) },
	"punct":  func(c byte) bool { return isGraph(c) && !isAlnum(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}
