package docs

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Document is the text of one file, or a text that has no file.
type Document struct {
	Path    string    // slash-separated, relative to the folder
	Title   string    // from the content, or else the file name without extension
	MIME    string    // media type, such as text/markdown
	Text    string    // valid UTF-8 without a byte order mark; line ends as in the file
	Size    int64     // of the file in bytes
	ModTime time.Time // of the file
	Hash    [32]byte  // SHA-256 of the bytes of the file

	Encoding string // of the file, such as GB18030 or UTF-16LE; "" for UTF-8
	Guessed  bool   // whether Encoding follows from the content alone, without a byte order mark

	blocks []block // of Markdown, parsed for the title; nil if not parsed
}

// A SkipError says that a file is not something to index, and why. It is no
// failure.
type SkipError struct{ Reason string }

// Error returns the reason, such as "empty" or "larger than 50 MB".
func (e *SkipError) Error() string { return e.Reason }

// New returns a document made of text alone: Markdown if path ends like the
// name of a Markdown file, or else plain text. Its ModTime is zero.
func New(path, text string) Document {
	d := Document{
		Path: path,
		Text: strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF"),
		Size: int64(len(text)),
		Hash: sha256.Sum256([]byte(text)),
	}
	d.describe()
	return d
}

// Read reads and decodes the file at path, a slash path relative to the
// folder. The error is a *SkipError, unwrapped by errors.As, if the file is
// not something to index.
func (f *Folder) Read(path string) (Document, error) {
	d, err := f.read(path)
	if err != nil {
		return Document{}, fmt.Errorf("read %s: %w", printable(path), err)
	}
	return d, nil
}

func (f *Folder) read(path string) (Document, error) {
	// Lstat first: to open a pipe would wait for its other end.
	if info, err := f.held().Lstat(filepath.FromSlash(path)); err != nil {
		return Document{}, cause(err)
	} else if !info.Mode().IsRegular() {
		return Document{}, &SkipError{"not a regular file"}
	}
	file, err := f.held().Open(filepath.FromSlash(path))
	if err != nil {
		return Document{}, cause(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Document{}, cause(err)
	}
	if !info.Mode().IsRegular() {
		return Document{}, &SkipError{"not a regular file"}
	}
	if reason := skipReason(path, info.Size()); reason != "" {
		return Document{}, &SkipError{reason}
	}
	raw, err := readText(file, info.Size())
	if err != nil {
		return Document{}, err
	}
	content, err := decode(raw)
	if err != nil {
		return Document{}, err
	}
	d := Document{
		Path:     path,
		Text:     content.text,
		Size:     int64(len(raw)),
		ModTime:  info.ModTime(),
		Hash:     sha256.Sum256(raw),
		Encoding: content.encoding,
		Guessed:  content.guessed,
	}
	d.describe()
	return d, nil
}

// readText reads a file of about size bytes, but stops early if it turns out
// to be binary or to have grown above the limit.
func readText(file *os.File, size int64) ([]byte, error) {
	raw := make([]byte, sniffLength, max(size, sniffLength)+1)
	n, err := io.ReadFull(file, raw)
	raw = raw[:n]
	if looksBinary(raw) {
		return nil, &SkipError{reasonNotText}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return raw, nil
	}
	if err != nil {
		return nil, cause(err)
	}
	rest := io.LimitReader(file, maxSize+1-int64(n))
	for {
		if len(raw) == cap(raw) {
			raw = append(raw, 0)[:len(raw)]
		}
		n, err := rest.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, cause(err)
		}
	}
	if len(raw) > maxSize {
		return nil, &SkipError{reasonTooLarge}
	}
	return raw, nil
}

// describe sets the fields that follow from the path and the text.
func (d *Document) describe() {
	d.MIME = mimeOf(d.Path)
	if styleOf(d.Path) == markdown {
		d.blocks = markdownBlocks(d.Text)
	}
	d.Title = d.title()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// TextHash returns the SHA-256 of the text with every line end turned into a
// line feed and the white space around it trimmed, so that a text that a
// client has read in text mode equals that of the file.
func (d *Document) TextHash() [32]byte {
	return sha256.Sum256([]byte(strings.TrimSpace(lineEnds.Replace(d.Text))))
}
