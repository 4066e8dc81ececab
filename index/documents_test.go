package index

import "testing"

// TestWhole: what people and models read of a document with pages has no word in two
// pieces, and no line less.
func TestWhole(t *testing.T) {
	t.Parallel()
	pdf := Document{MIME: "application/pdf", TextMIME: "text/plain"}
	for text, want := range map[string]string{
		"inter\u00ad\nnational law\nof the sea\n": "international\nlaw\nof the sea\n",
		"inter\u00ad\n  national\nlaw":            "international\nlaw",
		"a\u00ad\nb\u00ad\nc d":                   "abc\nd",
		"inter\u00ad\n\nnational":                 "inter-\n\nnational",
		"inter\u00ad\n":                           "inter-\n",
		"inter\u00ad":                             "inter-",
		"in\u00adter":                             "in\u00adter",
		"高血\u00ad\n压":                             "高血压",
		"":                                        "",
	} {
		if got := pdf.JoinDividedWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := (Document{MIME: "text/plain", TextMIME: "text/plain"}).JoinDividedWords("a\u00ad\nb"); got != "a\u00ad\nb" {
		t.Errorf("a text file is changed to %q", got)
	}
}
