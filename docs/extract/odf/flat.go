package odf

import (
	"bytes"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// flatRoot matches the root element of a document stored as a single XML file, including the kind
// of document (OpenDocument 1.3, part 3, 3.1.2 and 19.385).
var flatRoot = lazyregexp.New(`^<(?:[\w.-]+:)?document\s[^>]*\bmimetype\s*=\s*["']application/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)`)

// These functions report whether a file that begins with the given bytes is a text, spreadsheet or
// presentation stored as a single XML file.
var (
	IsFlatText   = isFlat("text")
	IsFlatSheets = isFlat("spreadsheet")
	IsFlatSlides = isFlat("presentation")
)

func isFlat(kind string) func(start []byte) bool {
	return func(start []byte) bool {
		if !bytes.Contains(start, []byte("vnd.oasis.opendocument."+kind)) {
			return false
		}
		m := flatRoot.FindSubmatch(zipxml.SkipProlog(start))
		return m != nil && string(m[1]) == kind
	}
}

// packFlat converts a document stored as a single XML file to an archive: the styles and the
// content are each the whole file, and the metadata are its metadata element. Other files are
// returned unchanged.
func packFlat(raw []byte) ([]byte, error) {
	if bytes.HasPrefix(raw, []byte("PK")) || !bytes.Contains(raw[:min(len(raw), extract.SniffBytes)], []byte("<")) {
		return raw, nil
	}
	return zipxml.Pack("meta.xml", metadataOf(raw), "styles.xml", raw, "content.xml", raw)
}

// metadataOf returns the metadata element of a document stored as a single XML file. It contains
// the title of the document; titles elsewhere in the file are those of pictures.
func metadataOf(raw []byte) []byte {
	const end = "</office:meta>"
	from, to := bytes.Index(raw, []byte("<office:meta>")), bytes.Index(raw, []byte(end))
	if from < 0 || to < from {
		return nil
	}
	return raw[from : to+len(end)]
}
