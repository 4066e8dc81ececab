// Package zipxml reads documents that consist of XML files in a zip archive, such as those of
// Office, OpenDocument and EPUB. It is lenient, reads in one pass, and limits size and memory. It
// does not interpret the XML.
package zipxml

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// An Archive is a zip file, from which files are read within limits. Nothing is ever written to
// disk.
type Archive struct {
	Files          []*zip.File
	byName         map[string]*zip.File
	byLowerName    map[string]*zip.File // files by lower-case name, as Office ignores the case of names
	remainingBytes int64                // number of bytes that may still be decompressed
}

// ListEntries lists the entries of a zip file. The error is a *extract.SkipError.
func ListEntries(raw []byte) ([]*zip.File, error) {
	// Every entry has this signature (APPNOTE 4.3.12), and counting signatures is faster than
	// reading entries.
	if bytes.Count(raw, []byte("PK\x01\x02")) > extract.MaxArchiveEntries {
		return nil, extract.ErrTooManyFiles
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil || isOfInnerZip(raw, z.File) {
		return nil, extract.ErrDamagedZip
	}
	return z.File, nil
}

const (
	localSignature = "PK\x03\x04" // signature before the data of each entry (APPNOTE 4.3.7)
	localLength    = 30
	endSignature   = "PK\x05\x06" // signature of the end of the directory (APPNOTE 4.3.16)
	endLength      = 22
)

// isOfInnerZip reports whether the directory that was found belongs to a zip file inside this one:
// the directory of a truncated file, which was at its end, is missing.
func isOfInnerZip(raw []byte, files []*zip.File) bool {
	if len(raw) < localLength || !bytes.HasPrefix(raw, []byte(localSignature)) {
		return false
	}
	name, extra := binary.LittleEndian.Uint16(raw[26:]), binary.LittleEndian.Uint16(raw[28:])
	firstData := int64(localLength) + int64(name) + int64(extra)
	for _, f := range files {
		if at, err := f.DataOffset(); err == nil && at == firstData {
			return false
		}
	}
	return !startsAtZero(raw)
}

// startsAtZero reports whether the offsets in the last directory of a file count from the start of
// the file. Its first entry may no longer be in the directory.
func startsAtZero(raw []byte) bool {
	end := bytes.LastIndex(raw, []byte(endSignature))
	if end < 0 || len(raw)-end < endLength {
		return false
	}
	size, offset := binary.LittleEndian.Uint32(raw[end+12:]), binary.LittleEndian.Uint32(raw[end+16:])
	return int64(size)+int64(offset) == int64(end)
}

// Open reads the directory of a zip file. The error is a *extract.SkipError.
func Open(raw []byte) (*Archive, error) {
	files, err := ListEntries(raw)
	if err != nil {
		return nil, err
	}
	a := &Archive{
		Files:          files,
		byName:         make(map[string]*zip.File, len(files)),
		byLowerName:    make(map[string]*zip.File, len(files)),
		remainingBytes: extract.MaxUnpackedBytes,
	}
	for _, f := range files {
		f.Name = CleanEntryName(f.Name)
		addFirst(a.byName, f.Name, f)
		addFirst(a.byLowerName, strings.ToLower(f.Name), f)
	}
	return a, nil
}

// addFirst adds a file unless there is one with the same name already.
func addFirst(m map[string]*zip.File, name string, f *zip.File) {
	if _, ok := m[name]; !ok {
		m[name] = f
	}
}

// CleanEntryName returns the normalised form of the name of an entry: with forward slashes, relative to
// the root of the archive.
func CleanEntryName(name string) string {
	folder := strings.HasSuffix(name, "/")
	name = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	if folder {
		name += "/"
	}
	return name
}

func (a *Archive) findFile(name string) *zip.File {
	name = CleanEntryName(name)
	if f := a.byName[name]; f != nil {
		return f
	}
	return a.byLowerName[strings.ToLower(name)]
}

// Open returns a reader of the decompressed content of a file in the archive. The error matches
// fs.ErrNotExist if there is no such file. Reads fail with extract.ErrUnpackedTooLarge when the
// total read from the archive exceeds extract.MaxUnpackedBytes.
func (a *Archive) Open(name string) (io.Reader, error) {
	f := a.findFile(name)
	switch {
	case f == nil:
		return nil, fs.ErrNotExist
	case f.Flags&1 != 0: // encrypted (APPNOTE 4.4.4)
		return nil, extract.ErrPasswordProtected
	case f.UncompressedSize64 > uint64(a.remainingBytes):
		return nil, extract.ErrUnpackedTooLarge
	}
	r, err := f.Open()
	if err != nil {
		return nil, extract.ErrDamagedZip
	}
	return &limitedEntry{r: r, archive: a}, nil
}

// AsSkipError returns err if it is a SkipError. For any other error it returns one that says that a
// part of the document is missing.
func AsSkipError(err error) error {
	if s, ok := err.(*extract.SkipError); ok {
		return s
	}
	return extract.Skip("a part is missing")
}

// pictureFormats are the extensions of pictures in documents.
var pictureFormats = map[string]bool{
	".png": true, ".jpg": true, ".jpeg": true, ".jfif": true, ".gif": true, ".bmp": true, ".dib": true, ".tif": true, ".tiff": true, ".webp": true, ".heic": true, ".wdp": true,
	".emf": true, ".wmf": true, ".svg": true, ".svm": true,
}

// ExplainNoText returns the error for an Office or OpenDocument file that has no text, given the
// error err of its reader. If the file contains pictures, that is ErrOnlyPictures instead of
// ErrNoText.
func (a *Archive) ExplainNoText(err error) error {
	if err != extract.ErrNoText {
		return err
	}
	for _, f := range a.Files {
		folder, name := path.Split(f.Name)
		isKept := path.Base(folder) == "media" || path.Base(folder) == "Pictures"
		if isKept && pictureFormats[strings.ToLower(path.Ext(name))] {
			return extract.ErrOnlyPictures
		}
	}
	return err
}

// ReadFile returns the whole decompressed content of a file in the archive. The error matches
// fs.ErrNotExist if there is no such file.
func (a *Archive) ReadFile(name string) ([]byte, error) {
	r, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// HasFile reports whether there is a file with that name.
func (a *Archive) HasFile(name string) bool { return a.findFile(name) != nil }

// FileSize returns the declared decompressed size of a file in bytes; 0 if there is none.
func (a *Archive) FileSize(name string) uint64 {
	if f := a.findFile(name); f != nil {
		return f.UncompressedSize64
	}
	return 0
}

// HasFolder reports whether there is a file whose name begins with prefix.
func (a *Archive) HasFolder(prefix string) bool {
	prefix = strings.ToLower(prefix)
	for name := range a.byLowerName {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// A limitedEntry reads a file of the archive and counts its bytes against the limit of the
// archive.
type limitedEntry struct {
	r       io.ReadCloser
	archive *Archive
	err     error
}

// Read implements io.Reader. At the end it closes the entry, so that its buffers can be reused.
func (e *limitedEntry) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.r.Read(p)
	e.archive.remainingBytes -= int64(n)
	switch {
	case e.archive.remainingBytes < 0:
		e.archive.remainingBytes = 0
		e.err = extract.ErrUnpackedTooLarge
		n = 0
	case errors.Is(err, io.EOF):
		e.err = io.EOF
	case err != nil:
		e.err = extract.ErrDamagedZip
	}
	if e.err != nil {
		e.r.Close()
	}
	return n, e.err
}

// ReadXMLFile calls read with a reader of the XML file that has that name, positioned before the root
// element. If the file is missing, the error matches fs.ErrNotExist.
func (a *Archive) ReadXMLFile(name string, read func(*Reader)) error {
	r, err := a.Open(name)
	if err != nil {
		return err
	}
	return ReadXML(r, read)
}

// ReadTitle returns the first dc:title in a metadata file of the archive, or dc:Title of the Open
// eBook format, unless a program made it up.
func (a *Archive) ReadTitle(metadataFile string) string {
	title := ""
	a.ReadXMLFile(metadataFile, func(x *Reader) {
		x.EachDescendant(func(e Element) bool {
			isTitle := strings.EqualFold(e.Name, "title")
			if isTitle && title == "" {
				title = markdown.OneLine(x.ReadText())
			}
			return isTitle
		})
	})
	return markdown.RemoveGeneratedTitle(title)
}
