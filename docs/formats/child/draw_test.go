package child

import (
	"errors"
	"testing"
	"time"

	"vademecum/docs/extract"
)

// TestDraw checks that a page is drawn within the limits for a file, and that drawing and reading
// leave the child process usable for each other.
func TestDraw(t *testing.T) {
	short := testLimits()
	short.file = time.Second
	short.patience = 40
	for format, test := range map[string]struct {
		limits          limits
		picture, reason string
	}{
		"test-echo":  {testLimits(), "a file: {3 {5 9} [{6 7}] [] [] {0 0 0 0} 0 0 0}", ""},
		"test-skip":  {testLimits(), "", "no such page"},
		"test-panic": {testLimits(), "", "damaged: the reader of .test-panic failed"},
		"test-hoard": {testLimits(), "", "takes too much memory to read"},
		"test-spin":  {short, "", "takes too long to read (over 1 s)"},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			p := testPool(t, test.limits)
			what := extract.DrawingRequest{Page: 3, Passage: extract.CharacterRange{From: 5, To: 9}, Words: []extract.CharacterRange{{From: 6, To: 7}}}
			_, picture, err := p.handle(t.Context(), request{Format: "." + format, Draw: &what}, []byte("a file"))
			var reason string
			if s := (*extract.SkipError)(nil); errors.As(err, &s) {
				reason = s.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if string(picture) != test.picture || reason != test.reason {
				t.Errorf("got %q, reason %q", picture, reason)
			}
			if c, err := p.readTest(t.Context(), "test-echo", "next"); err != nil || c.Text != "next" {
				t.Errorf("the file after it: %q, %v", c.Text, err)
			}
		})
	}
}
