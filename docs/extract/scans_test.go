package extract

import "testing"

// TestScannedPageCount checks the number of pages in a message, and that reading it does not
// allocate: it is read for all documents after each change.
func TestScannedPageCount(t *testing.T) {
	scan := WithUnrecognisedPageCount("a scan", 12)
	if n := UnrecognisedPageCount(ErrNoText.Reason.WithCode("scanned many")); n != 0 {
		t.Errorf("%d pages of another code", n)
	}
	partly := WithRecognisedPages("some", 12)
	if !HasRecognisedPages(partly) || !HasRecognisedPages(WithRecognisedPages("some", 0)) || HasRecognisedPages(scan) || HasRecognisedPages("") {
		t.Error("it does not tell of what was recognised")
	}
	allocations := testing.AllocsPerRun(10, func() {
		if UnrecognisedPageCount(scan) != 12 || UnrecognisedPageCount(partly) != 12 || UnrecognisedPageCount("") != 0 || UnrecognisedPageCount(ErrNoText.Reason) != 0 {
			t.Error("it counts other pages")
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}
