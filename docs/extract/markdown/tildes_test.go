package markdown

import (
	"strings"
	"testing"
)

// TestEscapeTildes checks which pairs of tildes are made literal, shown as ≈.
func TestEscapeTildes(t *testing.T) {
	for _, c := range []struct{ text, all, stray string }{
		{"好呀~~ 明天见~~", "好呀≈ 明天见≈", "好呀~~ 明天见~~"}, // neither begins struck-out text
		{"好呀~~明天见~~", "好呀≈明天见≈", "好呀≈明天见≈"},
		{"好呀！~~明天见！~~\n\nx", "好呀！≈明天见！≈\n\nx", "好呀！≈明天见！≈\n\nx"},
		{"See you~~tomorrow\nBye~~", "See you≈tomorrow\nBye≈", "See you≈tomorrow\nBye≈"},
		{"剂量~~40毫克~~20毫克，好呀~~3点见~~", "剂量≈40毫克≈20毫克，好呀≈3点见≈", "剂量~~40毫克~~20毫克，好呀≈3点见≈"},
		{"Take ~~40 mg~~ 20 mg", "Take ≈40 mg≈ 20 mg", "Take ~~40 mg~~ 20 mg"},
		{"a,~~40 mg~~,\"~~b~~\"", "a,≈40 mg≈,\"≈b≈\"", "a,~~40 mg~~,\"~~b~~\""},
		{"Hi~~all, take ~~40 mg~~ 20 mg", "Hi≈all, take ≈40 mg≈ 20 mg", "Hi≈all, take ~~40 mg~~ 20 mg"},
		{"x ~~a\nb~~ c", "x ≈a\nb≈ c", "x ≈a\nb≈ c"},
		{"w = ~~(a)\nh = ~~(b)", "w = ≈(a)\nh = ≈(b)", "w = ~~(a)\nh = ~~(b)"},
		{"~~~\na~~~~b ~ c", "~~~\na~~~~b ~ c", "~~~\na~~~~b ~ c"},
		{"none", "none", "none"},
	} {
		show := strings.NewReplacer(LiteralTildes, "≈").Replace
		if got := show(EscapeTildes(c.text)); got != c.all {
			t.Errorf("%q: %q, want %q", c.text, got, c.all)
		}
		if got := show(EscapeStrayTildes(c.text)); got != c.stray {
			t.Errorf("%q in plain text: %q, want %q", c.text, got, c.stray)
		}
	}
}
