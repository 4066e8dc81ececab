package odf

import (
	"bytes"
	"regexp"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

// flatRoot matches the root element of a document in one XML file, with its type
// (OpenDocument 1.3, part 3, 3.1.2 and 19.385).
var flatRoot = regexp.MustCompile(`^<(?:[\w.-]+:)?document\s[^>]*\bmimetype\s*=\s*["']application/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)`)

// Kinds of documents in one XML file, as signatures of formats.
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

// packFlat returns a document in one XML file as the archive in which each part is that file.
func packFlat(raw []byte) ([]byte, error) {
	if bytes.HasPrefix(raw, []byte("PK")) || !bytes.Contains(raw[:min(len(raw), extract.HeadLength)], []byte("<")) {
		return raw, nil
	}
	return zipxml.Pack("meta.xml", metadataOf(raw), "styles.xml", raw, "content.xml", raw)
}

// metadataOf returns the part of a document in one XML file that has its title: pictures may have
// titles too.
func metadataOf(raw []byte) []byte {
	const end = "</office:meta>"
	from, to := bytes.Index(raw, []byte("<office:meta>")), bytes.Index(raw, []byte(end))
	if from < 0 || to < from {
		return nil
	}
	return raw[from : to+len(end)]
}
