package extract

import (
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

// UnrecognisedPages are the pages of a file that are pictures, or whose text is no characters: what they
// say has to be recognised.
type UnrecognisedPages struct {
	Pages []int           // from 1, in order
	Note  message.Message // what to say of them as long as that is not done: a note, or the reason of a file without any text
}

// codeScanned begins the code of a reason, or a note, of a file with scans, before their number.
const codeScanned = "scanned "

// WithScannedPages returns a reason, or a note, that is known again as one of a file of which so many
// pages are yet to be recognised.
func WithScannedPages(m message.Message, pages int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(pages))
}

// codeRecognised ends that code where the text of other pages was recognised.
const codeRecognised = " recognised"

// WithRecognisedPages returns a note like WithScannedPages, of a file of which the text of other
// pages was recognised. None may be left: those that are not recognised then yield no text.
func WithRecognisedPages(m message.Message, left int) message.Message {
	return m.WithCode(codeScanned + strconv.Itoa(left) + codeRecognised)
}

// HasRecognisedPages tells whether a note is one of WithRecognisedPages.
func HasRecognisedPages(m message.Message) bool {
	return strings.HasPrefix(m.Code(), codeScanned) && strings.HasSuffix(m.Code(), codeRecognised)
}

// ScannedPageCount returns how many pages are yet to be recognised according to a reason or
// note of WithScannedPages or WithRecognisedPages, or 0 for any other message. It is asked of all
// documents after each change, and allocates nothing.
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
