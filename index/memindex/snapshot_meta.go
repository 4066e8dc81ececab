package memindex

import (
	"encoding/binary"

	"vademecum/docs/meta"
	"vademecum/index/blob"
)

// The metadata of documents repeats the same strings. A snapshot interns them: each string is
// written where it is first used, and referred to by its number afterwards, so that memory holds it
// only once.

// stringTableWriter encodes metadata with interned strings.
type stringTableWriter struct {
	numbers map[string]int
	text    *[]byte
}

func (w *stringTableWriter) writeString(out []byte, s string) []byte {
	number, known := w.numbers[s]
	if !known {
		number = len(w.numbers)
		w.numbers[s] = number
	}
	out = binary.AppendUvarint(out, uint64(number))
	if !known {
		out = binary.AppendUvarint(out, uint64(len(s)))
		*w.text = append(*w.text, s...)
	}
	return out
}

func (w *stringTableWriter) writeStrings(out []byte, all []string) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	for _, s := range all {
		out = w.writeString(out, s)
	}
	return out
}

func (w *stringTableWriter) writeData(out []byte, d meta.Data) []byte {
	out = binary.AppendUvarint(out, uint64(d.Date))
	out = w.writeStrings(w.writeStrings(out, d.Tags), d.LinkTargets)
	out = binary.AppendUvarint(out, uint64(len(d.Fields)))
	for _, f := range d.Fields {
		out = w.writeStrings(w.writeString(out, f.Key), f.Values)
	}
	return out
}

// stringTableReader decodes what a stringTableWriter has encoded.
type stringTableReader struct {
	all  []string
	r    *blob.Reader
	text *blob.StringReader
}

func (s *stringTableReader) readString() string {
	number := s.r.Number()
	if number == len(s.all) && s.r.Err == nil {
		s.all = append(s.all, s.text.Next(s.r.Number()))
	}
	if number >= len(s.all) || s.r.Err != nil {
		s.r.Err = blob.ErrDamaged
		return ""
	}
	return s.all[number]
}

// readCount decodes the number of the items that follow. Each takes at least one byte, so the
// number is limited by the bytes that are left.
func (s *stringTableReader) readCount() int { return min(s.r.Number(), len(s.r.Rest)) }

func (s *stringTableReader) readStrings() []string {
	n := s.readCount()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = s.readString()
	}
	return all
}

func (s *stringTableReader) readData() (d meta.Data) {
	d.Date = meta.Date(s.r.Number())
	d.Tags, d.LinkTargets = s.readStrings(), s.readStrings()
	if n := s.readCount(); n > 0 {
		d.Fields = make([]meta.Field, n)
	}
	for i := range d.Fields {
		d.Fields[i] = meta.Field{Key: s.readString(), Values: s.readStrings()}
	}
	return d
}
