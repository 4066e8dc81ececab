package present

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Wrap breaks lines that are wider than a number of terminal columns. Continuation lines have the
// same indentation.
func Wrap(text string, columns int) string {
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\t", "    ")) {
		line = strings.TrimRight(line, " \n")
		rest := strings.TrimLeft(line, " ")
		indent := line[:min(len(line)-len(rest), columns/2)]
		for rest != "" {
			n := fittingBytes(rest, columns-len(indent))
			out.WriteString(indent + strings.TrimRight(rest[:n], " "))
			if rest = strings.TrimLeft(rest[n:], " "); rest != "" {
				out.WriteByte('\n')
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// fittingBytes returns how many bytes of a text fit on a line: whole words, but at least one. A
// line may break between wide characters, such as Chinese ones, but not before punctuation that
// belongs to them.
func fittingBytes(text string, columns int) int {
	end, used := 0, 0
	var last rune
	for i, r := range text {
		wide := isWide(r) || isWide(last)
		if r == ' ' || wide && !unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf, unicode.M, unicode.Cf) && !unicode.In(last, unicode.Ps, unicode.Pi) {
			end = i
		}
		if used += cellWidth(r); used > columns && end > 0 && r != ' ' {
			return end
		}
		last = r
	}
	return len(text)
}

// DisplayWidth returns how many terminal columns a line of text takes.
func DisplayWidth(text string) (n int) {
	for _, r := range text {
		n += cellWidth(r)
	}
	return n
}

// cellWidth returns how many columns of a terminal a character takes.
func cellWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}
