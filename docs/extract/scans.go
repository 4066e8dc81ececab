package extract

import (
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

// UnrecognisedPages are the pages of a file that need OCR, because they are pictures or because
// their text does not consist of known characters.
type UnrecognisedPages struct {
	Pages            []int           // page numbers, from 1, in order
	MissingPagesNote message.Message // note on the missing pages until OCR is done, or the reason to skip a file without text
}

// codeScanned is the prefix of the code of a message on a file with pages that need OCR; the number
// of these pages follows.
const codeScanned = "scanned "

// WithUnrecognisedPageCount returns m, a note or a reason to skip a file, marked with pageCount, the number of
// pages of the file that need OCR.
func WithUnrecognisedPageCount(m message.Message, pageCount int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(pageCount))
}

// codeRecognised is the suffix of a code that begins with codeScanned, if the text of other pages
// was recognised.
const codeRecognised = " recognised"

// WithRecognisedPages returns m, the note of a file some of whose pages were recognised by OCR,
// marked with that and with remainingPages, the number of pages that still need OCR. If it is 0, OCR has
// found no text on the pages that have none.
func WithRecognisedPages(m message.Message, remainingPages int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(remainingPages) + codeRecognised)
}

// HasRecognisedPages reports whether some pages of the file with this note were recognised by OCR,
// as marked by WithRecognisedPages.
func HasRecognisedPages(m message.Message) bool {
	return strings.HasPrefix(m.Code(), codeScanned) && strings.HasSuffix(m.Code(), codeRecognised)
}

// UnrecognisedPageCount returns how many pages of a file still need OCR according to its message, as
// marked by WithUnrecognisedPageCount or WithRecognisedPages; 0 for any other message. It does not allocate,
// as it is called for all documents after each change.
func UnrecognisedPageCount(m message.Message) int {
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
