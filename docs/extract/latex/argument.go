package latex

import "strings"

// Lengths in bytes of what is looked for ahead.
const (
	maxArgument  = 8 << 10  // of the argument of a macro
	maxFruitless = 16 << 20 // that are searched in vain, of a whole source
)

// skipBlank skips white space within a paragraph.
func (r *reader) skipBlank() {
	ends := 0
	for ; r.pos < len(r.src); r.pos++ {
		switch r.src[r.pos] {
		case ' ', '\t':
		case '\n':
			if ends++; ends > 1 {
				return
			}
		default:
			return
		}
	}
}

// argument takes what stands between the braces that come next, if there are
// any, and passes the line ends before and inside on.
func (r *reader) argument() (arg string, ok bool) { return r.bracketed('{', '}') }

// option takes what stands between the square brackets that come next.
func (r *reader) option() (arg string, ok bool) { return r.bracketed('[', ']') }

func (r *reader) bracketed(open, end byte) (arg string, ok bool) {
	before := r.pos
	r.skipBlank()
	n := -1
	if r.pos < len(r.src) && r.src[r.pos] == open {
		n = r.closing(r.src[r.pos+1:], end)
	}
	if n < 0 {
		r.pos = before
		return "", false
	}
	arg = r.src[r.pos+1 : r.pos+1+n]
	r.out.owe(r.src[before : r.pos+1+n])
	r.pos += n + 2
	return arg, true
}

// closing returns where the bracket is closed that was opened before s, or -1.
// The ends of files that go on and on without one are not looked for again and
// again.
func (r *reader) closing(s string, end byte) int {
	if r.looked > maxFruitless {
		return -1
	}
	s = s[:min(len(s), maxArgument)]
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == end && depth == 0:
			return i
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				r.looked += i
				return -1
			}
		}
	}
	r.looked += len(s)
	return -1
}

// index returns where the text goes on with what, from the position on, or -1.
func (r *reader) index(what string) int {
	if r.looked > maxFruitless {
		return -1
	}
	n := strings.Index(r.src[r.pos:], what)
	if n < 0 {
		r.looked += len(r.src) - r.pos
	}
	return n
}
