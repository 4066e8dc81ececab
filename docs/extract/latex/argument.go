package latex

import "strings"

// Limits on looking ahead, in bytes.
const (
	maxArgument  = 8 << 10  // maximum length of a macro argument
	maxFruitless = 16 << 20 // maximum total length searched without a match, for each source
)

// skipBlank skips white space and comments up to the end of the paragraph. As in TeX, a comment hides the end
// of its line.
func (r *reader) skipBlank() {
	ends := 0
	for ; r.pos < len(r.src); r.pos++ {
		switch r.src[r.pos] {
		case ' ', '\t':
		case '%':
			line, _, isEnded := strings.Cut(r.src[r.pos:], "\n")
			if !isEnded {
				return
			}
			r.pos += len(line)
		case '\n':
			if ends++; ends > 1 {
				return
			}
		default:
			return
		}
	}
}

// readArgument consumes the next argument in braces, if there is one. The line ends before and
// inside it are written later, so that later lines keep their numbers.
func (r *reader) readArgument() (arg string, ok bool) { return r.readBracketed('{', '}') }

// readOption consumes the next optional argument, in square brackets, if there is one.
func (r *reader) readOption() (arg string, ok bool) { return r.readBracketed('[', ']') }

func (r *reader) readBracketed(open, end byte) (arg string, ok bool) {
	before := r.pos
	r.skipBlank()
	n := -1
	if r.pos < len(r.src) && r.src[r.pos] == open {
		n = r.findClosing(r.src[r.pos+1:], end)
	}
	if n < 0 {
		r.pos = before
		return "", false
	}
	arg = r.src[r.pos+1 : r.pos+1+n]
	r.out.addOwedLineEnds(r.src[before : r.pos+1+n])
	r.pos += n + 2
	return arg, true
}

// findClosing returns the offset in s of the bracket that closes the one before s, or -1. It gives
// up once too many bytes were searched in vain, so that files with many unclosed brackets do not
// take quadratic time.
func (r *reader) findClosing(s string, end byte) int {
	if r.fruitlessBytes > maxFruitless {
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
				r.fruitlessBytes += i
				return -1
			}
		}
	}
	r.fruitlessBytes += len(s)
	return -1
}

// findAhead returns the offset, from the current position, of the next occurrence of s, or -1.
func (r *reader) findAhead(s string) int {
	if r.fruitlessBytes > maxFruitless {
		return -1
	}
	n := strings.Index(r.src[r.pos:], s)
	if n < 0 {
		r.fruitlessBytes += len(r.src) - r.pos
	}
	return n
}
