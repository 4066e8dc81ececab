package extract

import (
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

// UnrecognisedPages are the pages of a file that need OCR, because they are pictures or because
// their text does not map to characters.
type UnrecognisedPages struct {
	Pages []int           // from 1, in order
	Note  message.Message // message until OCR is done: a note, or the reason to skip a file without text
}

// codeScanned is the prefix of the message code for a file with scans; the number of scanned pages
// follows.
const codeScanned = "scanned "

// WithScannedPages marks a reason or a note as one for a file in which this many pages need OCR.
func WithScannedPages(m message.Message, pages int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(pages))
}

// codeRecognised is the suffix of that code if the text of other pages was recognised.
const codeRecognised = " recognised"

// WithRecognisedPages is like WithScannedPages, for a file some of whose pages were read by OCR.
// left is the number of pages that still need OCR; if it is 0, the pages without text really have
// none.
func WithRecognisedPages(m message.Message, left int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(left) + codeRecognised)
}

// HasRecognisedPages reports whether a note was marked by WithRecognisedPages.
func HasRecognisedPages(m message.Message) bool {
	return strings.HasPrefix(m.Code(), codeScanned) && strings.HasSuffix(m.Code(), codeRecognised)
}

// ScannedPageCount returns how many pages still need OCR according to a message marked by
// WithScannedPages or WithRecognisedPages, or 0 for any other message. It is called for all
// documents after each change, so it does not allocate.
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
