package org

import (
	"strings"
	"testing"
	"time"

	"vademecum/docs/struck"
)

// TestMarkStruck checks what is marked as struck out.
func TestMarkStruck(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Give +70 mg+ 80 mg.", "Give ~~70 mg~~ 80 mg."},
		{"* TODO Dose +70 mg+ 80 mg :drug:\n+70+\n", "* TODO Dose ~~70 mg~~ 80 mg :drug:\n~~70~~\n"},
		{"| Zolfane | +70 mg+ | 80 mg |\n|---+---|\n", "| Zolfane | ~~70 mg~~ | 80 mg |\n|---+---|\n"},
		{"(+a+), \"+b+\" -+c+- 药\u200B+70+\u200B80", "(~~a~~), \"~~b~~\" -~~c~~- 药\u200B~~70~~\u200B80"},
		{"+a\nb+ and +a\nb\nc+", "~~a\nb~~ and +a\nb\nc+"},
		{"+ item +x+\n+ other\n- +y\n- z+", "+ item ~~x~~\n+ other\n- +y\n- z+"},
		{"C++ and D++, 1+2, a+b+c, Na+, + a +, 药+70+80, +49 30", "C++ and D++, 1+2, a+b+c, Na+, + a +, 药+70+80, +49 30"},
		{"=a +b+ c= ~+d+ x~ +e+", "=a +b+ c= ~+d+ x~ ~~e~~"},
		{"| Rh | A+ | +0.5 | O+ | +40 mg+ | 20 mg |\n", "| Rh | A+ | +0.5 | O+ | ~~40 mg~~ | 20 mg |\n"},
		{"+-----+----+\n| a | b |\n+-----+----+", "+-----+----+\n| a | b |\n+-----+----+"},
		{"#+begin_src sh\necho +a+ ~~b~~\n#+END_SRC\n: +b+\n# +c+\n:PROPERTIES:\n:X: +d+\n:END:\n#+begin_quote\n+e+\n#+end_quote\n", "#+begin_src sh\necho +a+ ~~b~~\n#+END_SRC\n: +b+\n# +c+\n:PROPERTIES:\n:X: +d+\n:END:\n#+begin_quote\n~~e~~\n#+end_quote\n"},
		{"*** Dose\n\n    Give +70 mg+\n    now.\n", "*** Dose\n\n   Give ~~70 mg~~\n    now.\n"},
		{"See you~~tomorrow~~", "See you~\u2060~tomorrow~\u2060~"},
		{"Plain +.", "Plain +."},
		{"+~a~+", "~~\u2060~a~\u2060~~"},
	} {
		got := MarkStruck(c.text)
		if got != c.want {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
		if strings.Contains(c.text, "mg+") && len(struck.Find(got)) == 0 {
			t.Errorf("nothing is struck out in %q", got)
		}
	}
}

// TestHostile checks that long paragraphs of marks end, which a quadratic search would not.
func TestHostile(t *testing.T) {
	for _, part := range []string{" +a", "+a\n", " +a+", " =a", " ~a", " ~a =b=", " +=", "+a\nb\nc+\n"} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			MarkStruck(strings.Repeat(strings.Repeat(part, (maxParagraph-8)/len(part))+" -+ b+\n\n", 4))
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%q takes too long", part)
		}
	}
}
