package extract

import (
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

// UnrecognisedPages are the pages of a file that are pictures, or whose text is not characters:
// they need OCR.
type UnrecognisedPages struct {
	Pages []int           // from 1, in order
	Note  message.Message // message until OCR is done: a note, or the reason to skip a file without text
}

// codeScanned begins the code of a reason, or a note, of a file with scans, before their number.
const codeScanned = "scanned "

// WithScannedPages marks a reason, or a note, as that of a file with so many pages that need OCR.
func WithScannedPages(m message.Message, pages int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(pages))
}

// codeRecognised ends that code where the text of other pages was recognised.
const codeRecognised = " recognised"

// WithRecognisedPages marks a note like WithScannedPages, for a file some of whose pages were
// read by OCR. left may be 0: the pages without text then have none.
func WithRecognisedPages(m message.Message, left int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(left) + codeRecognised)
}

// HasRecognisedPages reports whether a note is one of WithRecognisedPages.
func HasRecognisedPages(m message.Message) bool {
	return strings.HasPrefix(m.Code(), codeScanned) && strings.HasSuffix(m.Code(), codeRecognised)
}

// ScannedPageCount returns how many pages still need OCR according to a message of
// WithScannedPages or WithRecognisedPages, or 0 for any other message. It is called for all
// documents after each change, and does not allocate.
func ScannedPageCount(m message.Message) int {
	number, isScan := strings.CutPrefix(m.Code(), codeScanned)
	if !isScan {
		return 0
	}
	pages, err := strconv.Atoi(strings.TrimSuffix(number, codeRecognised))
	if err != nil {
		return 0
	}
	return pages
}
