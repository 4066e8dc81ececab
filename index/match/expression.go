package match

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// expression finds the matches of a regular expression in a text, as regexp.FindAllIndex does.
// That cannot be cancelled, while reading from a reader can end at any time: each search reads
// the text from a position on. So that \b and ^ see what precedes it, the reader begins one
// character earlier.
type expression struct {
	first    *regexp.Regexp // as it is, for the start of the text
	later    *regexp.Regexp // behind any character
	here     *regexp.Regexp // behind the first character that is read
	prefix   []byte         // of all that it matches, "" where that differs
	interval int            // how many characters are read between two looks at the context
}

// stepsBetween is about how many steps are taken between two looks at the context, one for each
// character and instruction: some milliseconds.
const stepsBetween = 1 << 16

// compile compiles an expression. Its groups are not needed.
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

// findAll returns where the expression matches, without what is empty. Where the context ends it
// returns what was found by then, and why.
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

// mostVain bounds how much is read in vain of places that have the prefix, by how much of the text
// they are in: beyond that one search for all of them takes less time.
const mostVain = 4

// next returns the first match that begins at a place or behind it.
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

// behind searches behind the character before a place.
func (e *expression) behind(by *regexp.Regexp, r *runeReader, at int) (match Range, ok bool) {
	_, size := utf8.DecodeLastRune(r.text[:at])
	match, ok = rangeFrom(by.FindReaderIndex(r.from(at-size)), at-size)
	if ok {
		_, size = utf8.DecodeRune(r.text[match.Start:])
		match.Start += size
	}
	return match, ok
}

// rangeFrom is a match that package regexp reports what was read from a place on.
func rangeFrom(loc []int, at int) (match Range, ok bool) {
	if loc == nil {
		return Range{}, false
	}
	return Range{at + loc[0], at + loc[1]}, true
}

// runeReader reads a text until a context ends.
type runeReader struct {
	ctx      context.Context // of one call of findAll
	text     []byte
	at       int
	interval int // see expression
	left     int // characters until the next look at the context
	stopped  error
}

// from makes it read from a position on.
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
