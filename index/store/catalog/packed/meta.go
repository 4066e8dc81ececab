package packed

import (
	"encoding/binary"

	"vademecum/docs/meta"
	"vademecum/index/blob"
)

// PackMeta encodes the metadata of a document. It returns no bytes if there is none.
func PackMeta(d meta.Data) []byte {
	out := []byte{}
	if d.IsZero() {
		return out
	}
	out = binary.AppendUvarint(out, uint64(d.Date))
	out = appendStrings(appendStrings(out, d.Tags), d.LinkTargets)
	out = binary.AppendUvarint(out, uint64(len(d.Fields)))
	for _, f := range d.Fields {
		out = appendStrings(blob.AppendBytes(out, f.Key), f.Values)
	}
	for _, own := range d.ChunkDates {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(own.First)), uint64(own.Last))
	}
	return out
}

func appendStrings(out []byte, all []string) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	for _, s := range all {
		out = blob.AppendBytes(out, s)
	}
	return out
}

// parseMeta is the inverse of PackMeta.
func parseMeta(b []byte) (d meta.Data, err error) {
	if len(b) == 0 {
		return d, nil
	}
	r := blob.Reader{Rest: b}
	d.Date = meta.Date(r.Number())
	d.Tags, d.LinkTargets = readStrings(&r), readStrings(&r)
	for range min(r.Number(), len(r.Rest)) {
		d.Fields = append(d.Fields, meta.Field{Key: string(r.Bytes()), Values: readStrings(&r)})
	}
	for len(r.Rest) > 0 && r.Err == nil {
		d.ChunkDates = append(d.ChunkDates, meta.DateRange{First: meta.Date(r.Number()), Last: meta.Date(r.Number())})
	}
	return d, r.Err
}

func readStrings(r *blob.Reader) (all []string) {
	for range min(r.Number(), len(r.Rest)) {
		all = append(all, string(r.Bytes()))
	}
	return all
}
