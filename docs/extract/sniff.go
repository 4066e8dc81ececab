package extract

import (
	"bytes"
	"io"
	"strings"
)

// HeadLength is how many bytes at the start of a file show what it is.
const HeadLength = 8 << 10

// SkipHead returns why the file called name is not worth reading further,
// judged by its first HeadLength bytes, or "".
func SkipHead(name string, head []byte) string {
	if f, err := formatFor(name, head); err == nil && f.read == nil && looksBinary(head) {
		return reasonNotText
	}
	return ""
}

// Signatures that files begin with.
const (
	oleSignature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" // [MS-CFB]
	zipSignature = "PK\x03\x04"
	pdfSignature = "%PDF-"
	rtfSignature = `{\rtf`
)

// formatFor returns the format of a file, by its content where that shows
// another one than its name.
func formatFor(name string, raw []byte) (*format, error) {
	named := formatOf(name)
	start := bytes.TrimLeft(raw[:min(len(raw), HeadLength)], "\xEF\xBB\xBF \t\r\n")
	begins := func(signature string) bool { return bytes.HasPrefix(start, []byte(signature)) }
	switch {
	case begins(oleSignature):
		return nil, oleReason(raw)
	case begins(zipSignature):
		return zipFormat(named, raw)
	case begins(pdfSignature):
		return byExtension[".pdf"], nil
	case begins(rtfSignature):
		return byExtension[".rtf"], nil
	case isZipped(named):
		return nil, skip(reasonDamagedZip)
	case named == &textFormat && looksLikeHTML(start):
		return byExtension[".html"], nil
	}
	return named, nil
}

// oleReason says why a compound file is not read: Office keeps documents with
// a password in one, and its formats before 2007 are such files.
func oleReason(raw []byte) error {
	if bytes.Contains(raw, utf16Bytes("EncryptedPackage")) {
		return skip(reasonPassword)
	}
	return skip("old Office format: save it as .docx, .xlsx or .pptx")
}

func utf16Bytes(ascii string) []byte {
	b := make([]byte, 0, 2*len(ascii))
	for i := range len(ascii) {
		b = append(b, ascii[i], 0)
	}
	return b
}

func isZipped(f *format) bool {
	switch f {
	case byExtension[".docx"], byExtension[".pptx"], byExtension[".xlsx"], byExtension[".odt"], byExtension[".epub"]:
		return true
	}
	return false
}

// zipFormat returns the format of a zip file by what it holds.
func zipFormat(named *format, raw []byte) (*format, error) {
	a, err := openArchive(raw)
	if err != nil {
		return nil, err
	}
	for name, ext := range map[string]string{"word/": ".docx", "ppt/": ".pptx", "xl/": ".xlsx"} {
		if a.holdsFolder(name) && a.holds("[Content_Types].xml") {
			return byExtension[ext], nil
		}
	}
	switch strings.TrimSpace(a.mimetype()) {
	case "application/epub+zip":
		return byExtension[".epub"], nil
	case "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text-template":
		return byExtension[".odt"], nil
	}
	if isZipped(named) {
		return named, nil
	}
	return nil, skip("a zip archive")
}

// mimetype returns what the file of that name says, which OpenDocument and
// EPUB files begin with.
func (a *archive) mimetype() string {
	r, err := a.open("mimetype")
	if err != nil {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(r, 100))
	if err != nil {
		return ""
	}
	return string(b)
}

func looksLikeHTML(start []byte) bool {
	start = bytes.ToLower(start[:min(len(start), 20)])
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}
