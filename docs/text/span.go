package text

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/present"
)

// A Span is a range of the text of a document, whose lines end with "\n".
type Span struct {
	StartByte, EndByte int // half open, in Body.Text
	StartLine, EndLine int // 1-based, inclusive
}

// fragment returns the fragment that identifies the span in a URI. If the span consists of whole
// lines without the last line end, these are lines in the notation of code forges, such as
// "L12-40", counted as in citations. Otherwise they are character positions of RFC 5147, such as
// "char=100,250", in which a line end counts as one character.
func (s Span) fragment(text string) string {
	if atLineStart(text, s.StartByte) && atLineEnd(text, s.EndByte) {
		first := countLineEnds(text[:s.StartByte]) + 1
		if last := first + countLineEnds(text[s.StartByte:s.EndByte]); last > first {
			return fmt.Sprintf("L%d-%d", first, last)
		}
		return fmt.Sprintf("L%d", first)
	}
	first := utf8.RuneCountInString(text[:s.StartByte])
	return fmt.Sprintf("char=%d,%d", first, first+utf8.RuneCountInString(text[s.StartByte:s.EndByte]))
}

// errFragment states which positions are valid.
var errFragment = errors.New(`want LFROM-TO or char=FROM,TO with FROM <= TO, as in "L12-40"`)

// resolveFragment returns the part of text that a fragment identifies, in lines or as in RFC 5147,
// so that resolveFragment(text, s.fragment(text)) is s. Either position of a range may be missing.
// A single position is an empty span. A position beyond the end means the end. A range of lines
// excludes the last line end. Integrity checks are ignored.
func resolveFragment(text, fragment string) (Span, error) {
	from, to, lines, ok := parseFragment(fragment)
	if !ok {
		return Span{}, fmt.Errorf("fragment %s: %w", present.QuoteShort(fragment), errFragment)
	}
	if !lines {
		start := characterOffset(text, 0, from)
		return SpanOf(text, start, characterOffset(text, start, to-from)), nil
	}
	start := lineOffset(text, 0, from)
	if from == to {
		return SpanOf(text, start, start), nil
	}
	end := lineOffset(text, start, to-from)
	if end > start {
		end = beforeLineEnd(text, end)
	}
	return SpanOf(text, start, end), nil
}

// parseFragment parses "L2-3" and "line=1,3", which denote the same lines. A missing first position
// is 0, a missing second one is math.MaxInt.
func parseFragment(fragment string) (from, to int, lines, ok bool) {
	if from, to, ok = parseLines(fragment); ok {
		return from, to, true, true
	}
	scheme, _, _ := strings.Cut(fragment, ";")
	name, value, ok := strings.Cut(scheme, "=")
	if !ok || name != "line" && name != "char" {
		return 0, 0, false, false
	}
	first, second, isRange := strings.Cut(value, ",")
	if first == "" && second == "" {
		return 0, 0, false, false
	}
	from, ok1 := parsePosition(first, 0)
	to, ok2 := parsePosition(second, math.MaxInt)
	if !isRange {
		to = from
	}
	return from, to, name == "line", ok1 && ok2 && from <= to
}

// parseLines parses "L12-40", "L12-L40" and "L12" into the positions before the first
// line and after the last.
func parseLines(fragment string) (from, to int, ok bool) {
	lines, ok := strings.CutPrefix(fragment, "L")
	if !ok {
		return 0, 0, false
	}
	first, last, isRange := strings.Cut(lines, "-")
	if !isRange {
		last = first
	}
	from, ok1 := parsePosition(first, 0)
	to, ok2 := parsePosition(strings.TrimPrefix(last, "L"), 0)
	return from - 1, to, ok1 && ok2 && 0 < from && from <= to
}

func parsePosition(s string, missing int) (int, bool) {
	if s == "" {
		return missing, true
	}
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return math.MaxInt, true // beyond the end of any text
	}
	return n, true
}

// lineOffset returns the start of the line that is n lines after the one at start.
func lineOffset(text string, start, n int) int {
	for ; n > 0 && start < len(text); n-- {
		start = min(lineEnd(text, start)+1, len(text))
	}
	return start
}

// characterOffset returns the position n characters after start.
func characterOffset(text string, start, n int) int {
	for ; n > 0 && start < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[start:])
		start += size
	}
	return start
}

// SpanOf returns the span of text[startByte:endByte] with its line numbers. A line end at the end of the
// span belongs to the line before it.
func SpanOf(text string, startByte, endByte int) Span {
	first := 1 + countLineEnds(text[:startByte])
	return Span{
		StartByte: startByte, EndByte: endByte,
		StartLine: first, EndLine: first + countLineEnds(text[startByte:max(startByte, beforeLineEnd(text, endByte))]),
	}
}

// LineSpan returns the span of the lines firstLine to lastLine of text, counted from 1 and inclusive,
// without the last line end. If lastLine is 0 or beyond the end, it means the last line of the text.
// It is an error if firstLine is beyond the end.
func LineSpan(text string, firstLine, lastLine int) (Span, error) {
	firstLine = max(firstLine, 1)
	if lastLine != 0 && lastLine < firstLine {
		return Span{}, fmt.Errorf("lines %d to %d: the last line is before the first", firstLine, lastLine)
	}
	from := lineOffset(text, 0, firstLine-1)
	if from == len(text) && firstLine > 1 {
		return Span{}, fmt.Errorf("line %d: the text has %d lines", firstLine, SpanOf(text, 0, len(text)).EndLine)
	}
	to := len(text)
	if lastLine != 0 {
		to = lineOffset(text, from, lastLine-firstLine+1)
	}
	to = max(from, beforeLineEnd(text, to))
	return Span{
		StartByte: from, EndByte: to,
		StartLine: firstLine, EndLine: firstLine + countLineEnds(text[from:to]),
	}, nil
}
