package ranking

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

const (
	longestRunning = 120 // maximum bytes of a line that may be the header or footer of each page
	leastRunning   = 3   // minimum number of pages: fewer equal lines are no evidence
)

// withoutRunningLines removes the headers and footers of pages from a part of a document: lines
// with the same words again and again, and an increasing number. Otherwise "5 mg" and "10 mg" in
// them would count as content.
func withoutRunningLines(body text.Body, start, end int) string {
	var kept strings.Builder
	at := start
	for line := range strings.Lines(body.Text[start:end]) {
		if !isRunningLine(line, body.Text) && !isPageNumber(body, at, line) {
			kept.WriteString(line)
		}
		at += len(line)
	}
	return kept.String()
}

// isPageNumber reports whether the line at a position is only a number, with or without hyphens,
// and is the first or last on a page.
func isPageNumber(body text.Body, at int, line string) bool {
	if written := strings.Trim(line, " \t\r\n\f-–"); written == "" || strings.Trim(written, "0123456789") != "" {
		return false
	}
	isBlank := func(from, to int) bool { return strings.TrimSpace(body.Text[from:to]) == "" }
	for _, p := range body.Parts {
		if p.Kind == extract.Page && (p.StartByte <= at && isBlank(p.StartByte, at) || p.StartByte >= at+len(line) && isBlank(at+len(line), p.StartByte)) {
			return true
		}
	}
	return false
}

// isRunningLine reports whether a line occurs at least three times in a document, each time with
// the next number before or after it.
func isRunningLine(line, document string) bool {
	words, _ := withoutPageNumber(line)
	if words == "" || len(line) > longestRunning || len(words) == len(strings.TrimSpace(line)) || strings.Count(document, words) < leastRunning {
		return false
	}
	found, last := 0, -1
	for at := 0; ; {
		i := strings.Index(document[at:], words)
		if i < 0 {
			return found >= leastRunning
		}
		i += at
		at = i + len(words)
		whole, _, _ := strings.Cut(document[strings.LastIndexByte(document[:i], '\n')+1:], "\n")
		other, number := withoutPageNumber(whole)
		if other != words {
			continue
		}
		if last >= 0 && number != last+1 {
			return false
		}
		found, last = found+1, number
	}
}

// withoutPageNumber separates a line from the number that it begins or ends with; -1 if there is
// none.
func withoutPageNumber(line string) (words string, number int) {
	const digits = "0123456789"
	line = strings.Trim(line, " \t\r\n\f")
	words = strings.TrimRight(line, digits)
	written := line[len(words):]
	if written == "" {
		words = strings.TrimLeft(line, digits)
		written = line[:len(line)-len(words)]
	}
	number, err := strconv.Atoi(written)
	if err != nil {
		number = -1
	}
	return strings.TrimSpace(words), number
}
