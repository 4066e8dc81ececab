// Base64 (RFC 4648) in text files is left out: nobody searches for it, and an embedded file has
// more letters than the text around it.

package data

import "strings"

const (
	leastLine = 60   // minimum characters per line of Base64: MIME (RFC 2045) has 76, PEM 64
	longLine  = 1024 // length in characters from which a word is Base64 whatever the order of its letters
)

// elideBase64 replaces Base64 in text by "…". Line ends are kept, so that line numbers do not
// change.
func elideBase64(text string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); {
		if !isDigit(text[at]) {
			at++
			continue
		}
		end := at + 1
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if end-at >= leastLine && isEncoded(text[at:end]) {
			b.WriteString(text[from:at])
			b.WriteString("…")
			from = elideLines(&b, text, at, end)
			end = from
		}
		at = end
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// elideLines returns the end of the Base64 data whose first line is text[at:end]. The following
// lines have the same length, and the last may be shorter. The line ends between them are written
// to b.
func elideLines(b *strings.Builder, text string, at, end int) int {
	width := end - at
	for {
		next := end + spaceLength(text[end:])
		last := next
		for last < len(text) && isDigit(text[last]) {
			last++
		}
		isLast := last == len(text) || !isSpace(text[last]) || last+spaceLength(text[last:]) == len(text) || !isDigit(text[last+spaceLength(text[last:])])
		switch {
		case next == end || last == next || last-next > width:
			return end
		case last-next < width && !isLast:
			return end
		}
		b.WriteString(strings.Repeat("\n", strings.Count(text[end:next], "\n")))
		end = last
	}
}

// isDigit reports whether c is a digit of Base64, in either of its alphabets, or its padding.
func isDigit(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("+/=-_", c) >= 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func spaceLength(s string) int {
	n := 0
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	return n
}

// isEncoded reports whether a long word is Base64 and not a path or a list of names. Base64 has
// more capitals, and its kinds of characters alternate at random.
func isEncoded(word string) bool {
	const capital, small, figure, sign = 0, 1, 2, 3
	var counts [4]int
	changes, before := 0, -1
	for _, c := range []byte(word) {
		kind := sign
		switch {
		case 'A' <= c && c <= 'Z':
			kind = capital
		case 'a' <= c && c <= 'z':
			kind = small
		case '0' <= c && c <= '9':
			kind = figure
		}
		if counts[kind]++; kind != before && before >= 0 {
			changes++
		}
		before = kind
	}
	hasAll := counts[capital] > 0 && counts[small] > 0 && counts[figure] > 0
	isMixed := counts[capital] > len(word)/5 && counts[small] > len(word)/10 && changes > len(word)/4 && counts[sign] < len(word)/4
	return hasAll && (isMixed || len(word) >= longLine)
}
