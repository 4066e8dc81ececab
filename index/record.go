package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
	"vademecum/internal/script"
)

// record is a document as the catalogue keeps it.
type record struct {
	id       int64  // row; a changed document gets a new one
	path     string // in its folder
	size     int64
	modified time.Time
	changed  time.Time // of anything about the file, as that of a docs.File
	readAt   time.Time
	hash     [32]byte // of the bytes on disk
	textHash [32]byte // of the text, see docs.Document.TextHash
	title    string
	mime     string // of the file
	textMIME string // of its text
	encoding string // as told to people, "" for UTF-8
	note     string // what of the file is missing in its text, "" when nothing is
	skip     string // why it is not indexed, "" when it is
	chunks   []chunkRecord
}

// chunkRecord is one chunk of a record.
type chunkRecord struct {
	span    text.Span
	heading []string
	key     textKey
	wording rank.Wording
	terms   lexical.Counts
}

// textKey names the text that was embedded for a chunk: the first half of its
// SHA-256.
type textKey [16]byte

// wordingOf is the first quarter of the SHA-256 of a text in small letters, with
// single spaces, and without the punctuation that parts sentences, quotes or
// emphasises. Signs and brackets stay, and so does whatever stands beside a
// digit, and what a word begins with: "(+)" and "(-)", "<3.5" and ">3.5", ".125"
// and "125", "!ready" and "ready" are not the same.
func wordingOf(text string) rank.Wording {
	var out strings.Builder
	var last rune   // written; 0 before the first
	var before rune // without white space
	var beside rune
	parted := false
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // one byte where it is no UTF-8
		rest, prefixed := text[i+size:], strings.ContainsRune(".!", r) && !isOfWord(beside) && beside != r
		beside = r
		if unicode.IsSpace(r) {
			parted = true
			continue
		}
		solid := before
		before = r
		if strings.ContainsRune(".,;:!！…'\"“”‘’«»「」『』《》、。，；：`*_#", r) && !unicode.IsNumber(solid) && !unicode.IsNumber(nextSolid(rest)) && !(prefixed && isOfWord(firstOf(rest))) {
			parted = true
			continue
		}
		if parted && last != 0 && !(script.IsUnspaced(last) && script.IsUnspaced(r)) {
			out.WriteByte(' ')
		}
		last, parted = r, false
		out.WriteRune(unicode.ToLower(r))
	}
	if last == 0 { // it is nothing but punctuation
		out.WriteString(text)
	}
	sum := sha256.Sum256([]byte(out.String()))
	return rank.Wording(sum[:len(rank.Wording{})])
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// firstOf is the first character of a text, 0 if there is none.
func firstOf(text string) rune {
	if text == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// nextSolid is the first character of a text that is no white space, 0 if there
// is none.
func nextSolid(text string) rune {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			return r
		}
	}
	return 0
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumOf is the CRC-32C of several byte strings (RFC 3720, 12.1).
func checksumOf(parts ...[]byte) uint32 {
	sum := uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// checksum is that of what does not change while a document is the same.
func (r *record) checksum() uint32 {
	var row []byte
	for _, s := range []string{r.path, r.title, r.mime, r.textMIME, r.encoding, r.note, r.skip} {
		row = blob.AppendBytes(row, []byte(s))
	}
	return checksumOf(row, r.hash[:], r.textHash[:])
}

// encodeChunks packs chunks into bytes: for each its byte and line range,
// its heading path, its key, its wording and its terms.
func encodeChunks(chunks []chunkRecord) []byte {
	var out []byte
	for _, c := range chunks {
		for _, n := range []int{c.span.StartByte, c.span.EndByte, c.span.StartLine, c.span.EndLine, len(c.heading)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		for _, h := range c.heading {
			out = blob.AppendBytes(out, []byte(h))
		}
		out = append(out, c.key[:]...)
		out = append(out, c.wording[:]...)
		out = blob.AppendBytes(out, c.terms)
	}
	return out
}

// decodeChunks is the inverse of encodeChunks; the terms alias them.
func decodeChunks(b []byte, count int) ([]chunkRecord, error) {
	r := blob.Reader{Rest: b}
	chunks := make([]chunkRecord, 0, min(count, len(b)))
	for len(r.Rest) > 0 && r.Err == nil {
		var c chunkRecord
		c.span = text.Span{StartByte: r.Number(), EndByte: r.Number(), StartLine: r.Number(), EndLine: r.Number()}
		for range min(r.Number(), len(r.Rest)) {
			c.heading = append(c.heading, string(r.Bytes()))
		}
		copy(c.key[:], r.Take(len(c.key)))
		copy(c.wording[:], r.Take(len(c.wording)))
		c.terms = r.Bytes()
		chunks = append(chunks, c)
	}
	if r.Err == nil && len(chunks) != count {
		return nil, errDamaged
	}
	return chunks, r.Err
}

var errDamaged = blob.ErrDamaged

// encodeParts packs the pages, slides, sheets, chapters or cells of a document.
func encodeParts(parts []extract.Part) []byte {
	out := []byte{}
	for _, p := range parts {
		for _, n := range []int{int(p.Unit), p.Number, p.Row, p.Start} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = blob.AppendBytes(out, []byte(p.Name))
	}
	return out
}

// decodeParts is the inverse of encodeParts.
func decodeParts(b []byte) ([]extract.Part, error) {
	r := blob.Reader{Rest: b}
	var parts []extract.Part
	for len(r.Rest) > 0 && r.Err == nil {
		var p extract.Part
		p.Unit = extract.Unit(r.Number())
		p.Number, p.Row, p.Start = r.Number(), r.Number(), r.Number()
		p.Name = string(r.Bytes())
		parts = append(parts, p)
	}
	return parts, r.Err
}

// sealBytes is how many bytes of a checksum of both follow a vector in its row.
// There are none in rows of format 6.
const sealBytes = 3

func sealVector(key textKey, vec []float32) []byte {
	out := blob.AppendFloats(make([]byte, 0, 4*len(vec)+sealBytes), vec)
	return append(out, seal(key[:], out)...)
}

func seal(key, floats []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, checksumOf(key, floats))[:sealBytes]
}

// unsealVector is the inverse of sealVector; ok is false when the row is
// damaged.
func unsealVector(key, b []byte) (vec []float32, ok bool) {
	floats := b[:len(b)/4*4]
	if rest := b[len(floats):]; len(key) != len(textKey{}) || len(rest) > 0 && !bytes.Equal(rest, seal(key, floats)) {
		return nil, false
	}
	vec = blob.Floats(floats)
	return vec, len(b) > len(floats) || vector.IsUnit(vec)
}
