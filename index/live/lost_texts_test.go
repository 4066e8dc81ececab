package live

import (
	"testing"

	"vademecum/index/search"
)

// TestLostIsForgotten: a lost text is reported until another document has taken the place
// of its own, and nothing is looked for from then on.
func TestLostIsForgotten(t *testing.T) {
	var l lostTexts
	l.add(1)
	l.add(2)
	one, two, three := &search.Document{}, &search.Document{}, &search.Document{}
	one.ID, two.ID, three.ID = 1, 2, 3
	if found := l.documentsAmong([]*search.Document{one, two, three}); len(found) != 2 || found[0] != one || found[1] != two {
		t.Errorf("lost are %v", found)
	}
	if found := l.documentsAmong([]*search.Document{two, three}); len(found) != 1 || found[0] != two {
		t.Errorf("then %v", found)
	}
	if l.documentsAmong([]*search.Document{three}); !l.isEmpty() {
		t.Errorf("the rows %v are noted for ever", l.rows)
	}
}
