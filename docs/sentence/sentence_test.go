package sentence

import (
	"strings"
	"testing"
)

// TestIsPartOfWord: the full stop before the bar belongs to the word before it, or ends a sentence.
func TestIsPartOfWord(t *testing.T) {
	for text, want := range map[string]bool{
		"Die Lieferung erfolgt am 5.| November 2025.": true,
		"bis zum 30.|\nNovember":                      true,
		"on 5.| November 2025":                        true,
		"le 1.| mai":                                  true,
		"im 3.| Quartal":                              true,
		"in Kapitel 3.| Quartale zählen":              false,
		"We met 12.| The rest left.":                  false,
		"Im Jahr 2024.| November war kalt.":           false,
		"ist gem.| § 12 fällig":                       true,
		"300 euros incl.| VAT":                        true,
		"Tannhof GmbH & Co.| KG":                      true,
		"made by Dray & Co.| The price":               false,
		"Kestrel Inc.| Marlow":                        true,
		"Kestrel Inc.| It agreed.":                    false,
		"z.| B. Händler":                              true,
		"z. B.| Händler":                              true,
		"z.B.| Händler":                               true,
		"u. a.| Händler":                              true,
		"nach Abs.| 3":                                true,
		"Case No.| G7QZ41B2":                          true,
		"He said no.| Then he left.":                  false,
		"No.| IV":                                     true,
		"Nr.| 7":                                      true,
		"Dr.| Anton":                                  true,
		"Dr. med.| Anton":                             true,
		"in St.| Gallen":                              true,
		"in Main St.| The house":                      false,
		"Smith et al.| In mice":                       false,
		"(vgl.| Anlage)":                              true,
		"The end.| November came.":                    false,
		"Er kam.| Die Lieferung folgte.":              false,
		"M.| Dupont":                                  true,
		"Mme.| Curie":                                 true,
		"血压高.| 少吃盐":                                   false,
		".| x":                                        false,
		"\xff.| x":                                    false,
		strings.Repeat("long", 20) + "no.| 5":         false,
		"Stop vitamin K.| Patients on warfarin":       false,
		"gegen Hepatitis B.| Erwachsene":              false,
		"written by J.| Smith":                        true,
		"Jan.| 2024":                                  true,
		"booktitle={Proc.| OCEANS}, year={2023}":      true,
		"title = {The {B}altic.| {A} sea}":            true,
		"title={{Tides.| Seas}}":                      true,
		"year={2023}} We ran.| Then we sat {here}":    false,
		"abstract={" + strings.Repeat("We ran far. ", 20) + "We ran.| Then we sat.}": false,
		"{We ran.| Then we sat.}":           false,
		"Die Karten der ersten 30.| Nutzer": false,
	} {
		dot := strings.Index(text, "|") - 1
		whole := strings.Replace(text, "|", "", 1)
		if got := IsPartOfWord(whole, dot); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzIsPartOfWord: any text can be asked about.
func FuzzIsPartOfWord(f *testing.F) {
	f.Add("am 5. November", 4)
	f.Add("\xffäx. ", 4)
	f.Fuzz(func(t *testing.T, text string, dot int) {
		if dot >= 0 && dot < len(text) {
			IsPartOfWord(text, dot)
		}
	})
}
