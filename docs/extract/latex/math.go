package latex

import "strings"

// readDollarMath writes a formula between dollar signs unchanged.
func (r *reader) readDollarMath() {
	mark := "$"
	if strings.HasPrefix(r.src[r.pos:], "$$") {
		mark = "$$"
	}
	r.pos += len(mark)
	r.writeFormula(mark, mark)
}

// writeFormula writes a formula unchanged, with the delimiters begin and end. A blank line ends it,
// too: TeX allows none in a formula, so that the text continues after a stray delimiter.
func (r *reader) writeFormula(begin, end string) {
	r.out.writeText(begin)
	for r.pos < len(r.src) {
		rest := r.src[r.pos:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, end):
			r.out.writeText(end)
			r.pos += len(end)
			return
		case c == '%':
			r.skipComment()
		case c == '\n':
			if blank := strings.TrimLeft(rest[1:], " \t"); blank == "" || blank[0] == '\n' {
				return
			}
			r.pos++
			r.writeLineEnd()
		case c == '\\' && len(rest) > 1 && rest[1] != '\n':
			r.out.writeText(rest[:2])
			r.pos += 2
		default:
			n := strings.IndexAny(rest[1:], "\\%\n$")
			if n < 0 {
				n = len(rest) - 1
			}
			r.out.writeText(rest[:n+1])
			r.pos += n + 1
		}
	}
}
