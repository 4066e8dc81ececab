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

// TestTildesOverLines checks which pairs of tildes in lines of prose are made literal, shown as ≈.
func TestTildesOverLines(t *testing.T) {
	for text, want := range map[string]string{
		"Take ~~40 mg\nevery morning~~ 20 mg.":      "Take ~~40 mg\nevery morning~~ 20 mg.",
		"> ~~give\n> 40 mg\n> daily~~.":             "> ~~give\n> 40 mg\n> daily~~.",
		"note:\n~~give 40 mg~~ 20 mg":               "note:\n~~give 40 mg~~ 20 mg",
		"剂量~~40毫克\n每日~~20毫克":                        "剂量~~40毫克\n每日~~20毫克",
		"好呀~~明天\n见~~好":                              "好呀≈明天\n见≈好",
		"See you~~tomorrow\nBye~~":                  "See you≈tomorrow\nBye≈",
		"Ann: ~~so glad\nBob: me too~~":             "Ann: ≈so glad\nBob: me too≈",
		"[9:01] ~~so glad\n[9:02] me too~~":         "[9:01] ≈so glad\n[9:02] me too≈",
		"- ~~a\n- b~~ c":                            "- ≈a\n- b≈ c",
		"~~a\n\nb~~":                                "~~a\n\nb~~", // in two paragraphs, neither mark has a partner
		"~~a\nb~~c":                                 "≈a\nb≈c",
		"Hi~~all\ntake ~~40 mg\nof it~~, 20 mg":     "Hi≈all\ntake ~~40 mg\nof it~~, 20 mg",
		"1. ~~40 mg\ndaily~~ 20 mg\n2. ~~x\n3. y~~": "1. ~~40 mg\ndaily~~ 20 mg\n2. ≈x\n3. y≈",
	} {
		if got := strings.ReplaceAll(EscapeStrayTildesInProse(text), LiteralTildes, "≈"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
