package extract

import (
	"strconv"
	"strings"

	"vademecum/internal/message"
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

// ScannedPageCount returns how many pages are yet to be recognised according to a reason or
// note of WithScannedPages, or 0 for any other message. It is asked of all documents after each
// change, and allocates nothing.
func ScannedPageCount(m message.Message) int {
	number, isScan := strings.CutPrefix(m.Code(), codeScanned)
	if !isScan {
		return 0
	}
	pages, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return pages
}
