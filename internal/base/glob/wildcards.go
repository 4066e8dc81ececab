package glob

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// wildcards is a compiled pattern. It matches like doublestar.Match, but in time proportional to
// the length of the pattern times that of the name. It follows all positions in the pattern in
// parallel, whereas doublestar tries the alternatives one after the other, each with everything
// that follows it.
type wildcards struct {
	pattern string
	starts  map[int][]int // by the position of a "{": the starts of its alternatives
	onward  []int         // where matching continues, by position: differs at the end of an alternative
	idle    sync.Pool     // of *matchProgress
}

// newWildcards compiles a pattern that doublestar.ValidatePattern accepts.
func newWildcards(pattern string) *wildcards {
	w := &wildcards{pattern: pattern, starts: make(map[int][]int), onward: make([]int, len(pattern)+1)}
	var open []int           // positions of "{" that are not closed yet
	ends := make([][]int, 0) // ends of the alternatives of each of them
	for i := range w.onward {
		w.onward[i] = i
	}
	for i := 0; i < len(pattern); i++ {
		inner := len(open) - 1
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += classEnd(pattern[i:]) - 1
		case c == '{':
			w.starts[i] = []int{i + 1}
			open, ends = append(open, i), append(ends, nil)
		case c == ',' && inner >= 0:
			w.starts[open[inner]] = append(w.starts[open[inner]], i+1)
			ends[inner] = append(ends[inner], i)
		case c == '}' && inner >= 0:
			for _, end := range append(ends[inner], i) {
				w.onward[end] = i + 1
			}
			open, ends = open[:inner], ends[:inner]
		}
	}
	for i := len(pattern) - 1; i >= 0; i-- { // resolve chains of ends of nested alternatives
		w.onward[i] = w.onward[w.onward[i]]
	}
	return w
}

// classEnd returns the length of the character class that a pattern begins with.
func classEnd(pattern string) int {
	for i := 1; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case ']':
			return i + 1
		}
	}
	return len(pattern)
}

// patternState is a position in a pattern and the way in which it was reached.
type patternState struct {
	at  int
	how int8
}

const (
	inSegment     int8 = iota // after any other element
	startsSegment             // after "/", or at the start
	inStar                    // within a star
	inFolders                 // within a "**/"
	manners
)

// matchProgress is the state of matching a name.
type matchProgress struct {
	*wildcards
	now, next []patternState
	seen      []int // by state: the last position at which it was reached
	position  int   // in the name; not reset between names
	through   bool  // the rest of the name matches in any case
	steps     int   // counted for tests
}

// match reports whether the pattern matches the name, and the number of steps.
func (w *wildcards) match(name string) (ok bool, steps int) {
	m, isUsed := w.idle.Get().(*matchProgress)
	if !isUsed {
		m = &matchProgress{wildcards: w, seen: make([]int, (len(w.pattern)+1)*int(manners))}
	}
	defer w.idle.Put(m)
	m.next, m.through, m.steps = m.next[:0], false, 0
	m.position++
	m.addReachable(0, startsSegment)
	for rest := name; rest != "" && len(m.next) > 0 && !m.through; {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		m.now, m.next = m.next, m.now[:0]
		m.position++
		for _, s := range m.now {
			m.advance(s, r)
		}
	}
	return m.through || slices.ContainsFunc(m.next, m.isAccepting), m.steps
}

// addReachable adds a state and all states that can be reached from it without consuming a
// character.
func (m *matchProgress) addReachable(at int, how int8) {
	m.steps++
	at = m.onward[at]
	if !m.addIfNew(at, how) || at == len(m.pattern) {
		return
	}
	switch m.pattern[at] {
	case '{':
		for _, start := range m.starts[at] {
			m.addReachable(start, how)
		}
	case '*':
		after, isDouble := m.afterStar(at)
		switch {
		case isDouble && how == startsSegment && after == len(m.pattern):
			m.through = true
		case isDouble && how == startsSegment && m.pattern[after] == '/':
			m.addIfNew(at, inFolders)
			m.addReachable(after+1, startsSegment)
		default:
			m.addIfNew(at, inStar)
			m.addReachable(after, inSegment)
		}
	}
}

// addIfNew reports whether the state is new at this position of the name.
func (m *matchProgress) addIfNew(at int, how int8) bool {
	which := at*int(manners) + int(how)
	if m.seen[which] == m.position {
		return false
	}
	m.seen[which] = m.position
	m.next = append(m.next, patternState{at, how})
	return true
}

// afterStar returns the position after the "*" or "**" at a position.
func (w *wildcards) afterStar(at int) (after int, isDouble bool) {
	after = w.onward[at+1]
	if after < len(w.pattern) && w.pattern[after] == '*' {
		return w.onward[after+1], true
	}
	return after, false
}

// advance computes the states that follow from s with the next character of the name.
func (m *matchProgress) advance(s patternState, r rune) {
	m.steps++
	if s.at == len(m.pattern) {
		return
	}
	switch c := m.pattern[s.at]; {
	case s.how == inFolders:
		m.addIfNew(s.at, inFolders)
		if r == '/' {
			after, _ := m.afterStar(s.at)
			m.addReachable(after+1, startsSegment)
		}
	case s.how == inStar:
		if r != '/' {
			after, _ := m.afterStar(s.at)
			m.addIfNew(s.at, inStar)
			m.addReachable(after, inSegment)
		}
	case c == '{', c == '*':
	case c == '?':
		if r != '/' {
			m.addReachable(s.at+1, inSegment)
		}
	case c == '[':
		class := m.pattern[s.at : s.at+classEnd(m.pattern[s.at:])]
		m.steps += len(class)
		if inClass(class[1:len(class)-1], r) {
			m.addReachable(s.at+len(class), inSegment)
		}
	default:
		at := s.at
		if c == '\\' {
			at++
		}
		if own, size := utf8.DecodeRuneInString(m.pattern[at:]); own == r {
			how := inSegment
			if r == '/' {
				how = startsSegment
			}
			m.addReachable(at+size, how)
		}
	}
}

// isAccepting reports whether a name may end in a state: nothing of the pattern is left, or the rest,
// such as "/**", also matches the folder itself.
func (m *matchProgress) isAccepting(s patternState) bool {
	if s.how == inFolders || s.how == inStar {
		return false // the states after it were added already
	}
	var rest strings.Builder
	for at := s.at; at < len(m.pattern) && rest.Len() < len("/**/")+1; at = m.onward[at+1] {
		rest.WriteByte(m.pattern[at])
	}
	switch rest.String() {
	case "", "**/", "/**", "/**/":
		return true
	}
	return false
}

// inClass reports whether a class, given without its brackets, contains a character.
func inClass(class string, r rune) bool {
	negated := class[0] == '!' || class[0] == '^'
	if negated {
		class = class[1:]
	}
	next := func() rune {
		own, size := utf8.DecodeRuneInString(class)
		class = class[size:]
		return own
	}
	const none = utf8.MaxRune
	last := none
	for class != "" {
		own := next()
		if own == '-' && last < none && class != "" {
			class = strings.TrimPrefix(class, `\`)
			if end := next(); last <= r && r <= end {
				return !negated
			}
			last = none
			continue
		}
		if own == '\\' {
			own = next()
		}
		if own == r {
			return !negated
		}
		last = own
	}
	return negated
}
