package formats

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/textproto"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/dicom"
	"vademecum/docs/extract/joplin"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// SkipReasonByHead returns the reason why the file called name need not be read further, judged by
// the bytes at its start, or "" if it must be read.
func SkipReasonByHead(name string, head []byte) message.Message {
	f, err := formatFor(name, head)
	switch reason := oldFormats()[Extension(name)]; {
	case err != nil && reason != "" && err.Error() == reason.String():
		return reason
	case errors.Is(err, dicom.ErrNoReport): // an image: the rest need not be read
		return dicom.ErrNoReport.Reason
	case err == nil && f.readerFor() == nil:
		if err := charset.CheckIsText(head); err != nil {
			return message.FromError(err)
		}
	}
	return ""
}

// Signatures that are checked before those in the list of formats: of container formats, and of
// files that are never read.
const (
	zipSignature = "PK\x03\x04"
	emptyZip     = "PK\x05\x06"
	pemSignature = "-----BEGIN " // RFC 7468
)

// A signature recognises a format by the start of a file.
type signature func(start []byte) bool

// beginsAndHolds returns the signature of files that begin with one text and contain another soon
// after.
func beginsAndHolds(with, also string) signature {
	return func(start []byte) bool {
		return bytes.HasPrefix(start, []byte(with)) && bytes.Contains(start, []byte(also))
	}
}

// formatFor returns the format of a file by its name, or by its content if that shows that the name
// is wrong.
func formatFor(name string, raw []byte) (*format, error) {
	named, start := formatOf(name), openingBytes(raw)
	switch {
	case bytes.HasPrefix(start, []byte(cfb.Signature)):
		return compoundFormat(name, raw)
	case bytes.HasPrefix(start, []byte(zipSignature)):
		return zipFormat(name, raw)
	case bytes.HasPrefix(start, []byte(emptyZip)) && named.isArchive:
		return named, nil
	case (named == textFormat || named == byExtension[".asc"] || named == byExtension[".key"]) && (bytes.HasPrefix(start, []byte(pemSignature)) || holdsPrivateKey(start)):
		if reason := pemReason(start); reason != nil {
			return nil, reason
		}
		return textFormat, nil
	}
	if joplin.IsItem(name, raw) {
		return byExtension[".jex"], nil
	}
	for i := range formats {
		if f := &formats[i]; f.signature != nil && f.mayBeNamed(named) && f.signature(start) {
			return f, nil
		}
	}
	switch {
	case named == byExtension[".mm"]: // Objective-C++ source has the same extension
		return textFormat, nil
	case named == byExtension[".nxml"] && bytes.HasPrefix(start, []byte("<")): // XML of an unknown schema is read like any XML
		return byExtension[".xml"], nil
	case named == byExtension[".nxml"]:
		return textFormat, nil
	case named == byExtension[".dcm"] && charset.HasBinaryNULs(raw[:min(len(raw), extract.SniffBytes)]):
		return nil, dicom.ErrNoReport
	case named == byExtension[".dcm"]:
		return textFormat, nil
	case named == byExtension[".sy"]:
		return byExtension[".json"], nil
	case named == byExtension[".mobi"] && !charset.HasBinaryNULs(raw[:min(len(raw), extract.SniffBytes)]): // SQL procedures have the extension .prc, too
		return textFormat, nil
	}
	if isOffice(name) || named == byExtension[".pdf"] && !bytes.Contains(raw, []byte("%PDF-")) {
		return officeFormat(name, raw)
	}
	return named, nil
}

// mayBeNamed reports whether files of format f may have the extension of the format named. It is
// called for many formats for each file.
func (f *format) mayBeNamed(named *format) bool {
	extension := named.firstExtension()
	for name := range strings.FieldsSeq(f.under) {
		if name == extension {
			return true
		}
	}
	return f.under == ""
}

// openingBytes returns the first bytes of a file, without leading white space, for comparison with
// ASCII. NULs are removed from UTF-16 text with a byte order mark.
func openingBytes(raw []byte) []byte {
	head := raw[:min(len(raw), extract.SniffBytes)]
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n")
}

// isOffice reports whether a file has the name of an Office document. Programs that export tables
// and reports also use such names for HTML and text, which Office opens nevertheless.
func isOffice(name string) bool {
	f := formatOf(name)
	return f.isZip || f.isArchive || f == byExtension[".rtf"] || f == byExtension[".msg"] || f == byExtension[".xls"] || f == byExtension[".doc"] || f == byExtension[".ppt"] || oldFormats()[Extension(name)] != ""
}

// officeFormat returns the format of a file that has the name of an Office document but is not one.
func officeFormat(name string, raw []byte) (*format, error) {
	start := openingBytes(raw)
	switch old := oldFormats()[Extension(name)]; {
	case looksLikeMail(start):
		return byExtension[".eml"], nil
	case bytes.HasPrefix(start, []byte("<?xml")) && !htmlTable.Match(zipxml.SkipProlog(start)):
		return byExtension[".xml"], nil
	case bytes.HasPrefix(start, []byte("<")):
		return byExtension[".html"], nil
	case !charset.HasBinaryNULs(raw[:min(len(raw), extract.SniffBytes)]):
		return formatOfMisnamedText(name, start), nil
	case old != "":
		return nil, &extract.SkipError{Reason: old}
	case formatOf(name) == byExtension[".key"]: // a cryptographic key, not a Keynote presentation
		return textFormat, nil
	case formatOf(name).isZip, formatOf(name).isArchive:
		return nil, extract.ErrDamagedZip
	}
	return formatOf(name), nil
}

// htmlTable matches the start of an exported HTML table without <html> around it, possibly with a
// title before it.
var htmlTable = lazyregexp.New(`(?is)^[^<]*(?:<(?:br|h[1-6]|/h[1-6]|p|/p|b|/b)\b[^>]*>[^<]*)*<table\b[^>]*>.*?<tr\b`)

// formatOfMisnamedText returns the format of a text that has the name of an Office document: a
// table if that is a spreadsheet.
func formatOfMisnamedText(name string, start []byte) *format {
	switch Extension(name) {
	case ".xls", ".xlt", ".et", ".xlsx", ".xlsm", ".xltx", ".ods", ".ots":
	default:
		return textFormat
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	switch {
	case htmlTable.Match(start):
		return byExtension[".html"]
	case bytes.ContainsRune(line, '\t'):
		return byExtension[".tsv"]
	case bytes.ContainsAny(line, ",;"):
		return byExtension[".csv"]
	}
	return textFormat
}

// compoundFormat returns the format of a compound file: an Outlook message, a Word, Excel or
// PowerPoint document, or a format that is not read. Office uses compound files for documents with
// a password and for its formats before 2007.
func compoundFormat(name string, raw []byte) (*format, error) {
	named := formatOf(name)
	if named == byExtension[".msg"] || bytes.Contains(raw, utf16Bytes("__properties_version1.0")) {
		return byExtension[".msg"], nil
	}
	if bytes.Contains(raw, utf16Bytes("EncryptedPackage")) {
		return nil, extract.ErrPasswordProtected
	}
	if reason := oldFormats()[Extension(name)]; reason != "" {
		return nil, &extract.SkipError{Reason: reason}
	}
	if found := streamFormat(named, raw); found != nil {
		return found, nil
	}
	return nil, extract.Skip("old Office format: save it as .docx, .xlsx or .pptx")
}

// streamFormat returns the format of a compound file by the stream that contains its text, even if
// the file was renamed; nil if there is none. If it has the streams of several formats, because
// documents embed others, the name decides.
func streamFormat(named *format, raw []byte) (found *format) {
	isOld := false
	for _, s := range []struct{ extension, stream string }{{".ppt", "PowerPoint Document"}, {".ppt", "PP40"}, {".doc", "WordDocument"}, {".xls", "Workbook"}, {".xls", "Book"}} {
		f := byExtension[s.extension]
		isOld = isOld || f == named
		if !bytes.Contains(raw, utf16Bytes(s.stream)) {
			continue
		}
		if found == nil || f == named {
			found = f
		}
	}
	if found == nil && isOld {
		return named
	}
	return found
}

// pemReason returns why a file that begins like PEM is not read, or nil if it is a text, such as a
// signed message. A private key must not reach any model.
func pemReason(start []byte) error {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	label := string(line)
	switch {
	case holdsPrivateKey(start):
		return extract.Skip("a private key")
	case strings.Contains(label, "PUBLIC KEY"):
		return extract.Skip("a public key")
	case strings.Contains(label, "CERTIFICATE"), strings.Contains(label, "X509"), strings.Contains(label, "PKCS"):
		return extract.Skip("a certificate")
	case strings.Contains(label, "PGP MESSAGE"):
		return extract.Skip("an encrypted message")
	}
	return nil
}

// holdsPrivateKey reports whether a line begins a private key, which may come after parameters or
// attributes.
func holdsPrivateKey(start []byte) bool {
	for line := range bytes.Lines(start) {
		if bytes.HasPrefix(line, []byte(pemSignature)) && bytes.Contains(line, []byte("PRIVATE KEY")) {
			return true
		}
	}
	return false
}

func utf16Bytes(ascii string) []byte {
	b := make([]byte, 0, 2*len(ascii))
	for i := range len(ascii) {
		b = append(b, ascii[i], 0)
	}
	return b
}

// zipFormat returns the format of a zip file by its content.
func zipFormat(name string, raw []byte) (*format, error) {
	named := formatOf(name)
	a, err := zipxml.Open(raw)
	if err != nil {
		return nil, err
	}
	if f := packageFormat(named, a); f != nil {
		return f, nil
	}
	said := strings.TrimSuffix(strings.TrimSpace(mimetypeOf(a)), "-template")
	if at := slices.IndexFunc(formats, func(f format) bool { return f.isZip && f.mime == said }); at >= 0 {
		return &formats[at], nil
	}
	if f := bundleFormat(a); f != nil && named.isArchive {
		return f, nil
	}
	if named.isZip || named.isArchive || named == byExtension[".fb2"] {
		return named, nil
	}
	if reason := oldFormats()[Extension(name)]; reason != "" {
		return nil, &extract.SkipError{Reason: reason}
	}
	return nil, extract.Skip("a zip archive")
}

// packageFormat returns the format of an Office Open XML document by its folders, or nil if it is
// not one. If it has the folders of several formats, the name decides.
func packageFormat(named *format, a *zipxml.Archive) *format {
	if !a.HasFile("[Content_Types].xml") {
		return nil
	}
	var found *format
	for _, kind := range [][2]string{{"xl/", ".xlsx"}, {"ppt/", ".pptx"}, {"word/", ".docx"}} {
		if f := byExtension[kind[1]]; a.HasFolder(kind[0]) && found != named {
			found = f
		}
	}
	return found
}

// bundleFormat returns the format of an iWork document that is a folder, which macOS zips for
// sending, or nil if the archive contains anything else.
func bundleFormat(a *zipxml.Archive) *format {
	bundle := ""
	for _, file := range a.Files {
		folder, _, isInside := strings.Cut(file.Name, "/")
		switch {
		case folder == "__MACOSX":
			continue
		case !isInside || bundle != "" && folder != bundle:
			return nil
		}
		bundle = folder
	}
	switch f := formatOf(bundle); f {
	case byExtension[".pages"], byExtension[".numbers"], byExtension[".key"]:
		return f
	}
	return nil
}

// mimetypeOf returns the content of the file mimetype, the first entry of OpenDocument and EPUB
// files.
func mimetypeOf(a *zipxml.Archive) string {
	r, err := a.Open("mimetype")
	if err != nil {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(r, 100))
	if err != nil {
		return ""
	}
	return string(b)
}

// looksLikeHTML reports whether a text begins like a complete HTML page, possibly after an XML
// declaration and comments.
func looksLikeHTML(start []byte) bool {
	for _, aside := range [][2]string{{"<?xml", "?>"}, {"<!--", "-->"}} {
		for bytes.HasPrefix(start, []byte(aside[0])) {
			_, after, _ := bytes.Cut(start, []byte(aside[1]))
			start = bytes.TrimLeft(after, " \t\r\n")
		}
	}
	start = bytes.ToLower(start[:min(len(start), 20)])
	return bytes.HasPrefix(start, []byte("<!doctype html")) ||
		bytes.HasPrefix(start, []byte("<html")) && len(start) > len("<html") && strings.IndexByte("> \t\r\n", start[len("<html")]) >= 0
}

// looksLikeMail reports whether a text begins with the header of a MIME message (RFC 2045). Saved
// web pages do, too (RFC 2557).
func looksLikeMail(start []byte) bool {
	whole := start[:bytes.LastIndexByte(start, '\n')+1]
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(whole))).ReadMIMEHeader()
	return (err == nil || err == io.EOF) && header.Get("MIME-Version") != ""
}
