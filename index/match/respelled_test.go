package match

import (
	"slices"
	"testing"
)

// TestRespelled checks that umlauts and ß are found in either spelling, and only where a word may have them.
func TestRespelled(t *testing.T) {
	for _, test := range []struct {
		text, in string
		want     []string
	}{
		{"Stoerung", "Störung, STÖRUNGEN, Storung", []string{"Störung", "STÖRUNG"}},
		{"störung", "Stoerung Sto\u0308rung", []string{"Stoerung", "Sto\u0308rung"}},
		{"Mueller Strasse 5.", "bei Müller\nStraße 5. und Mueller  Straße 5x", []string{"Müller\nStraße 5."}},
		{"Müllerstraße", "MUELLERSTRASSE", []string{"MUELLERSTRASSE"}},
		{"aerger (neue Quelle)", "Ärger (neue Quelle), Ärger (neü Qülle)", []string{"Ärger (neue Quelle)"}},
	} {
		m := NewRespelled(test.text)
		if m == nil {
			t.Errorf("%q has no umlaut", test.text)
			continue
		}
		places, err := m.Find(t.Context(), nil, test.in)
		var got []string
		for _, p := range places {
			got = append(got, test.in[p.Start:p.End])
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, %v; want %q", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"blue", "true value", "Bauer", "Quelle", "Strasse", "ue", "变"} {
		if NewRespelled(text) != nil {
			t.Errorf("%q has an umlaut", text)
		}
	}
}
