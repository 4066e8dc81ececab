package glob

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// wildcards is a compiled pattern. It matches as doublestar.Match does, but in time
// proportional to the length of the pattern times that of the name: all places in the
// pattern that a name may have reached are followed in parallel, where doublestar tries
// the alternatives one after the other, each with all that follows.
type wildcards struct {
	pattern string
	starts  map[int][]int // where the alternatives begin that a "{" opens
	onward  []int         // place where matching continues: elsewhere at the end of an alternative
	idle    sync.Pool     // of *matching
}

// newWildcards reads a pattern that doublestar.ValidatePattern admits.
func newWildcards(pattern string) *wildcards {
	w := &wildcards{pattern: pattern, starts: make(map[int][]int), onward: make([]int, len(pattern)+1)}
	var open []int           // "{" whose "}" is still missing
	ends := make([][]int, 0) // of the alternatives of each of them
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
	for i := len(pattern) - 1; i >= 0; i-- { // ends of alternatives that follow each other
		w.onward[i] = w.onward[w.onward[i]]
	}
	return w
}

// classEnd returns the length of the class that a pattern begins with.
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

// patternState is a place in a pattern, and how it was come to.
type patternState struct {
	at  int
	how int8
}

const (
	inSegment     int8 = iota // after anything else
	startsSegment             // after "/", or at the start
	inStar                    // inside a star
	inFolders                 // inside a "**/"
	manners
)

// matchProgress is a pattern on its way through a name.
type matchProgress struct {
	*wildcards
	now, next []patternState
	seen      []int // by standing: the last position that it was reached at
	position  int   // counts on from name to name
	through   bool  // whatever follows matches
	steps     int   // taken, for the tests
}

// match reports whether the pattern matches the name, and how many steps that took.
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

// addReachable notes a standing, and all that can be reached from it without a
// character of the name.
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

// afterStar returns the pattern after the "*" or "**" at a place.
func (w *wildcards) afterStar(at int) (after int, isDouble bool) {
	after = w.onward[at+1]
	if after < len(w.pattern) && w.pattern[after] == '*' {
		return w.onward[after+1], true
	}
	return after, false
}

// advance continues from a state with the next character of the name.
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

// isAccepting reports whether a name may end in a state: nothing follows, or a pattern
// that also matches the folder itself.
func (m *matchProgress) isAccepting(s patternState) bool {
	if s.how == inFolders || s.how == inStar {
		return false // the states behind it were reached already
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
