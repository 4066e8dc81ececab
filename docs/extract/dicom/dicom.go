// Package dicom reads structured reports in DICOM (PS3.3, A.35): the title, the headings and the
// items with the names of their concepts, as viewers show them. Codes, identifiers and references
// to images are left out.
package dicom

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// ErrNoReport is the reason to skip a DICOM file that is not a structured report, such as a
// picture.
var ErrNoReport = extract.Skip("DICOM file that is not a report, such as an image: save any text in it as PDF")

var errDamaged = extract.Skip("damaged DICOM report")

// A file begins with 128 arbitrary bytes, a signature, and elements about the file itself, one of
// which gives the class of its content (PS3.10, 7.1).
const (
	signatureAt = 128
	signature   = "DICM"
	metaGroup   = 0x0002
	syntaxTag   = 0x00020010
)

// Read reads a report. If it is damaged, Read returns what precedes the damage.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := openDataSet(raw)
	if err != nil {
		return extract.Content{}, err
	}
	report := d.readDataSet(len(d.raw), 0, true)
	if d.isCut {
		d.fail()
	}
	if d.err != nil && extract.IsLimitError(d.err) {
		return extract.Content{}, d.err
	}
	var w reportWriter
	w.writeReport(report)
	c, err := w.Content()
	if err == extract.ErrNoText && d.err != nil {
		return c, d.err
	}
	c.Title, c.Date = report.meaning(conceptName), report.day()
	if d.err != nil {
		c.ExtractionNote = extract.UnfinishedNote(d.err)
	}
	return c, err
}

// IsReport reports whether a file that begins with start, possibly without its leading white space,
// is a structured report.
func IsReport(start []byte) bool {
	const (
		metaLength = 256 // number of bytes at the start of a file that include the class
		classTag   = "\x02\x00\x02\x00UI"
		reports    = "1.2.840.10008.5.1.4.1.1.88." // prefix of the class identifiers of reports (PS3.6, A)
	)
	at := bytes.Index(start[:min(len(start), signatureAt+len(signature))], []byte(signature))
	if at < 0 {
		return false
	}
	_, class, _ := bytes.Cut(start[at:min(len(start), at+metaLength)], []byte(classTag))
	return bytes.HasPrefix(class[min(len(class), 2):], []byte(reports))
}

// openDataSet reads the elements about the file itself, which define the encoding of the others
// (PS3.5, A).
func openDataSet(raw []byte) (*decoder, error) {
	at := signatureAt + len(signature)
	if len(raw) < at || string(raw[signatureAt:at]) != signature {
		return nil, errDamaged
	}
	d := &decoder{raw: raw, at: at, order: binary.LittleEndian}
	syntax := ""
	for {
		before := d.at
		t, _, length, ok := d.next(len(raw))
		if !ok || t>>16 != metaGroup {
			d.at = before
			break
		}
		if value := d.take(len(raw), length); t == syntaxTag {
			syntax = strings.Trim(string(value), " \x00")
		}
	}
	switch syntax {
	case "1.2.840.10008.1.2":
		d.isImplicit = true
	case "1.2.840.10008.1.2.2":
		d.order = binary.BigEndian
	case "1.2.840.10008.1.2.1.99":
		return d, d.inflate()
	}
	return d, nil
}

// inflate decompresses the rest of the file, up to MaxFileBytes.
func (d *decoder) inflate() error {
	unpacked, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(d.raw[d.at:])), extract.MaxFileBytes+1))
	if len(unpacked) > extract.MaxFileBytes {
		return extract.ErrTooLarge
	}
	d.raw, d.at, d.isCut = unpacked, 0, err != nil
	return nil
}

// day returns the date of a report as 2024-03-05, or "".
func (d dataSet) day() string {
	for _, t := range []tag{contentDate, studyDate} {
		if day := dateOf(d.text(t)); len(day) == len("2024-03-05") {
			return day
		}
	}
	return ""
}

// meaning returns the human-readable meaning of the code in a sequence, or "".
func (d dataSet) meaning(t tag) string { return markdown.OneLine(d.first(t).text(codeMeaning)) }
