package memindex

import (
	"encoding/binary"

	"vademecum/docs/meta"
	"vademecum/index/blob"
)

// What documents say of themselves is much the same words: in a snapshot each has a
// number, and stands where it is first used, so that memory holds it once.

// shareWriter writes strings so, each distinct one once, beside other numbers.
type shareWriter struct {
	numbers map[string]int
	text    *[]byte
}

func (w *shareWriter) one(out []byte, s string) []byte {
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

func (w *shareWriter) list(out []byte, all []string) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	for _, s := range all {
		out = w.one(out, s)
	}
	return out
}

func (w *shareWriter) data(out []byte, d meta.Data) []byte {
	out = binary.AppendUvarint(out, uint64(d.Date))
	out = w.list(w.list(out, d.Tags), d.Links)
	out = binary.AppendUvarint(out, uint64(len(d.Fields)))
	for _, f := range d.Fields {
		out = w.list(w.one(out, f.Key), f.Values)
	}
	return out
}

// shareReader is the inverse of shareWriter.
type shareReader struct {
	all  []string
	r    *blob.Reader
	text *blob.StringCutter
}

func (s *shareReader) one() string {
	number := s.r.Number()
	if number == len(s.all) && s.r.Err == nil {
		s.all = append(s.all, s.text.Cut(s.r.Number()))
	}
	if number >= len(s.all) || s.r.Err != nil {
		s.r.Err = blob.ErrDamaged
		return ""
	}
	return s.all[number]
}

// count returns the count of things that follow, each of which takes a byte.
func (s *shareReader) count() int { return min(s.r.Number(), len(s.r.Rest)) }

func (s *shareReader) list() []string {
	n := s.count()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = s.one()
	}
	return all
}

func (s *shareReader) data() (d meta.Data) {
	d.Date = meta.Date(s.r.Number())
	d.Tags, d.Links = s.list(), s.list()
	if n := s.count(); n > 0 {
		d.Fields = make([]meta.Field, n)
	}
	for i := range d.Fields {
		d.Fields[i] = meta.Field{Key: s.one(), Values: s.list()}
	}
	return d
}
