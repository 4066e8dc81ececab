package index

import (
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/notice"
)

// TestOmittedPlaces checks that a page with several parts that are left out is named once.
func TestOmittedPlaces(t *testing.T) {
	t.Parallel()
	body := text.Body{
		Text:  "Zebrafish eat.\nThey sleep.\nThey swim.\nThey rest.\n",
		Parts: []extract.Part{{Kind: extract.Page, Number: 1}, {Kind: extract.Page, Number: 2, StartByte: 38}},
	}
	spans := []text.Span{text.SpanOf(body.Text, 0, 14), text.SpanOf(body.Text, 15, 26), text.SpanOf(body.Text, 27, 37), text.SpanOf(body.Text, 38, 48)}
	if got := notice.PlacesInDocument(omittedPlaces("fish.pdf", body, spans)).String(); got != "page 1; page 2" {
		t.Errorf("more of it in %q", got)
	}
}
