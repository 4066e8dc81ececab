package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// An archive is a zip file. Nothing of it is ever written to disk.
type archive struct {
	files  []*zip.File
	exact  map[string]*zip.File
	folded map[string]*zip.File // by name in lower case, as Office compares names
	left   int64                // bytes that may still be unpacked
}

// openArchive reads the directory of a zip file.
func openArchive(raw []byte) (*archive, error) {
	// Every entry has its signature (APPNOTE 4.3.12), which is faster to count
	// than entries are to read.
	if bytes.Count(raw, []byte("PK\x01\x02")) > maxEntries {
		return nil, ErrTooManyFiles
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, ErrDamagedZip
	}
	a := &archive{
		files:  z.File,
		exact:  make(map[string]*zip.File, len(z.File)),
		folded: make(map[string]*zip.File, len(z.File)),
		left:   maxUnpack,
	}
	for _, f := range z.File {
		f.Name = entryName(f.Name)
		remember(a.exact, f.Name, f)
		remember(a.folded, strings.ToLower(f.Name), f)
	}
	return a, nil
}

// remember keeps the first of several files of one name.
func remember(m map[string]*zip.File, name string, f *zip.File) {
	if _, ok := m[name]; !ok {
		m[name] = f
	}
}

// entryName returns the name of an entry with forward slashes, from the root
// of the archive.
func entryName(name string) string {
	folder := strings.HasSuffix(name, "/")
	name = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	if folder {
		name += "/"
	}
	return name
}

func (a *archive) file(name string) *zip.File {
	name = entryName(name)
	if f := a.exact[name]; f != nil {
		return f
	}
	return a.folded[strings.ToLower(name)]
}

// open returns the unpacked content of a file in the archive. The error
// matches fs.ErrNotExist if there is none. Its reads fail with a *SkipError
// when all that was read of the archive exceeds maxUnpack.
func (a *archive) open(name string) (io.Reader, error) {
	f := a.file(name)
	switch {
	case f == nil:
		return nil, fs.ErrNotExist
	case f.Flags&1 != 0: // APPNOTE 4.4.4: encrypted
		return nil, ErrPassword
	case f.UncompressedSize64 > uint64(a.left):
		return nil, ErrUnpacksTooMuch
	}
	r, err := f.Open()
	if err != nil {
		return nil, ErrDamagedZip
	}
	return &entry{r: r, archive: a}, nil
}

// asSkip makes a reason of a part that is not in the archive.
func asSkip(err error) error {
	if s, ok := err.(*SkipError); ok {
		return s
	}
	return skip("a part is missing")
}

// read returns the whole unpacked content of a file in the archive.
func (a *archive) read(name string) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// holds tells whether there is a file of that name.
func (a *archive) holds(name string) bool { return a.file(name) != nil }

// holdsFolder tells whether there is a file whose name begins so.
func (a *archive) holdsFolder(prefix string) bool {
	prefix = strings.ToLower(prefix)
	for name := range a.folded {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// An entry reads a file in an archive, on the account of the archive.
type entry struct {
	r       io.ReadCloser
	archive *archive
	err     error
}

// Read closes the entry, for its buffers to be used again, when it ends.
func (e *entry) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.r.Read(p)
	e.archive.left -= int64(n)
	switch {
	case e.archive.left < 0:
		e.archive.left = 0
		e.err = ErrUnpacksTooMuch
		n = 0
	case errors.Is(err, io.EOF):
		e.err = io.EOF
	case err != nil:
		e.err = ErrDamagedZip
	}
	if e.err != nil {
		e.r.Close()
	}
	return n, e.err
}

// walk reads a part with read, which finds the reader before the root element.
// A part that is not there is empty.
func (a *archive) walk(part string, read func(*xmlReader)) error {
	r, err := a.open(part)
	if err != nil {
		return err
	}
	x := newXMLReader(r)
	read(x)
	return x.failure()
}

// titleIn returns the first dc:title of the part with the metadata, unless it
// is one that programs make up.
func (a *archive) titleIn(part string) string {
	title := ""
	a.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name == "title" && title == "" {
				title = oneLine(x.text())
			}
			return e.name == "title"
		})
	})
	return sensibleTitle(title)
}
