package lexical

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
)

// termNames holds the names of terms, by number, concatenated in one text: separate strings would
// take three times as much memory.
type termNames struct {
	text  *strings.Builder
	spans []nameSpan
	lost  int // bytes of the text that are no longer used

	languages analysis.CompoundLanguages // of the names, and perhaps of some that were removed
}

type nameSpan struct{ from, to uint32 }

// newTermNames returns an empty termNames with capacity for count names with a total size in bytes.
func newTermNames(count, size int) termNames {
	n := termNames{text: new(strings.Builder), spans: make([]nameSpan, 0, count)}
	n.text.Grow(size)
	return n
}

// loadedNames returns the names that are concatenated in a text.
func loadedNames(text []byte, ends []uint32) termNames {
	n := newTermNames(len(ends), len(text))
	n.text.Write(text)
	from := uint32(0)
	for _, to := range ends {
		n.spans = append(n.spans, nameSpan{from, to})
		n.languages |= analysis.CompoundLanguageOf(text[from:to])
		from = to
	}
	return n
}

func (n *termNames) count() int { return len(n.spans) }

// of returns the name of a term.
func (n *termNames) of(id int32) string {
	s := n.spans[id]
	return n.text.String()[s.from:s.to]
}

// add sets the name of the next term.
func (n *termNames) add(name string) {
	n.spans = append(n.spans, n.appendName(name))
}

// set changes the name of a term.
func (n *termNames) set(id int32, name string) {
	n.lost += int(n.spans[id].to - n.spans[id].from)
	n.spans[id] = n.appendName(name)
}

func (n *termNames) appendName(name string) nameSpan {
	if n.text == nil {
		n.text = new(strings.Builder)
	}
	from := n.text.Len()
	n.text.WriteString(name)
	n.languages |= analysis.CompoundLanguageOf(name)
	return nameSpan{uint32(from), uint32(n.text.Len())}
}

// rebuildText rebuilds the text if at least half of it is unused.
func (n *termNames) rebuildText() {
	if n.lost == 0 || 2*n.lost < n.text.Len() {
		return
	}
	fresh := newTermNames(len(n.spans), n.text.Len()-n.lost)
	for id := range n.spans {
		fresh.add(n.of(int32(id)))
	}
	*n = fresh
}

// savedNames are the names of terms at one moment.
type savedNames struct {
	text  string
	spans []nameSpan
}

// snapshot returns a copy. It shares the text, which is only appended to.
func (n *termNames) snapshot() savedNames {
	s := savedNames{spans: slices.Clone(n.spans)}
	if n.text != nil {
		s.text = n.text.String()
	}
	return s
}

func (s savedNames) of(id int32) string { return s.text[s.spans[id].from:s.spans[id].to] }
