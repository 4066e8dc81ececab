package match

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// expression finds the matches of a regular expression in a text, like regexp.FindAllIndex. That
// function cannot be cancelled, but reading from a reader can be stopped at any time, so each
// search reads the text through a reader, starting at some position. The reader starts one
// character earlier, so that \b and ^ see the preceding character.
type expression struct {
	first    *regexp.Regexp // the expression itself, for the start of the text
	later    *regexp.Regexp // the expression preceded by any character
	here     *regexp.Regexp // the expression preceded by the first character read
	prefix   []byte         // literal prefix of all matches; may be empty
	interval int            // number of characters read between checks of the context
}

// stepsBetween is the approximate number of steps between checks of the context, one per character
// and instruction. They take some milliseconds.
const stepsBetween = 1 << 16

// compile compiles an expression. Submatches are not reported.
func compile(tree *syntax.Regexp) (e *expression, err error) {
	e = &expression{interval: stepsBetween / max(1, countInstructions(tree))}
	for _, c := range []struct {
		to     **regexp.Regexp
		before string
	}{{&e.first, ""}, {&e.later, "(?s:.)"}, {&e.here, `\A(?s:.)`}} {
		if *c.to, err = regexp.Compile(c.before + "(?:" + tree.String() + ")"); err != nil {
			return nil, err
		}
	}
	prefix, _ := e.first.LiteralPrefix()
	e.prefix = []byte(prefix)
	return e, nil
}

// findAll returns the non-empty matches of the expression. If ctx ends, it returns those found
// until then, and the error of ctx.
func (e *expression) findAll(ctx context.Context, text []byte) (all []Range, err error) {
	r := runeReader{ctx: ctx, text: text, interval: e.interval}
	for at := 0; at <= len(text); {
		match, ok := e.next(&r, at)
		if r.stopped != nil || !ok {
			break
		}
		if match.Start < match.End {
			all = append(all, match)
		}
		if at = match.End; match.Start == match.End {
			_, size := utf8.DecodeRune(text[at:])
			at += max(1, size)
		}
	}
	return all, r.stopped
}

// mostVain limits the text read by failed attempts to match at occurrences of the prefix, as a
// multiple of the text passed. Beyond it, a single search of the remaining text takes less time.
const mostVain = 4

// next returns the first match that begins at or after position at.
func (e *expression) next(r *runeReader, at int) (match Range, ok bool) {
	for start, vain := at, 0; ; at++ {
		n := bytes.Index(r.text[at:], e.prefix)
		if n < 0 {
			return match, false
		}
		at += n
		switch {
		case at == 0:
			loc := e.first.FindReaderIndex(r.from(0))
			return rangeFrom(loc, 0)
		case len(e.prefix) == 0 || vain > mostVain*(at-start+len(e.prefix)):
			return e.behind(e.later, r, at)
		}
		if match, ok = e.behind(e.here, r, at); ok || r.stopped != nil {
			return match, ok
		}
		vain += r.at - at
	}
}

// behind finds the first match that begins at or after a position that is not the start of the text.
// by is e.later or e.here: both expressions begin with one more character, the one before the match.
func (e *expression) behind(by *regexp.Regexp, r *runeReader, at int) (match Range, ok bool) {
	_, size := utf8.DecodeLastRune(r.text[:at])
	match, ok = rangeFrom(by.FindReaderIndex(r.from(at-size)), at-size)
	if ok {
		_, size = utf8.DecodeRune(r.text[match.Start:])
		match.Start += size
	}
	return match, ok
}

// rangeFrom converts a match reported by package regexp for a reader that started at a position.
func rangeFrom(loc []int, at int) (match Range, ok bool) {
	if loc == nil {
		return Range{}, false
	}
	return Range{at + loc[0], at + loc[1]}, true
}

// runeReader reads a text until its context ends.
type runeReader struct {
	ctx      context.Context // context of one call of findAll
	text     []byte
	at       int
	interval int // number of characters read between checks of the context
	left     int // characters until the next check of the context
	stopped  error
}

// from sets the position from which the text is read.
func (r *runeReader) from(at int) *runeReader {
	r.at = at
	return r
}

// ReadRune implements io.RuneReader.
func (r *runeReader) ReadRune() (c rune, size int, err error) {
	if r.left--; r.left < 0 {
		r.stopped, r.left = r.ctx.Err(), r.interval
	}
	if r.stopped != nil || r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	c, size = rune(r.text[r.at]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRune(r.text[r.at:])
	}
	r.at += size
	return c, size, nil
}
