package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/embed"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// damageFound is the damage found in a library.
type damageFound struct {
	all       error           // damage to what documents share or refer to; nil if none
	documents map[int64]error // damage to single documents, by row; these documents can be read again
}

// error returns the first damage; nil if there is none.
func (f damageFound) error() error {
	if f.all != nil || len(f.documents) == 0 {
		return f.all
	}
	first := slices.Min(slices.Collect(maps.Keys(f.documents)))
	if more := len(f.documents) - 1; more > 0 {
		return message.Errorf("%v, and %d more documents", f.documents[first], more)
	}
	return f.documents[first]
}

// verification compares the rows of a library with each other, in one snapshot.
type verification struct {
	*Catalog
	tx       pgx.Tx
	whole    *lexical.CorpusStats
	check    *lexical.PostingsCheck
	found    damageFound
	passages int // number of passages of the documents
	done     *CheckResult
}

// verifyRows reads everything in a library except vectors, and returns the damage: whatever is
// counted or referred to must exist, and be as it was written.
func (c *Catalog) verifyRows(ctx context.Context, done *CheckResult) (found damageFound, err error) {
	err = c.DB.RunLongRead(ctx, mergeLimit, func(ctx context.Context) error {
		done.Documents, done.Passages = 0, 0
		return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, mergeLimit, func(ctx context.Context, m *db.Snapshot) (err error) {
			v := &verification{Catalog: c, tx: m.Tx, done: done}
			v.found.documents = make(map[int64]error)
			err = v.compareAll(ctx, m)
			found = v.found
			return err
		})
	})
	if err = db.ClassifyError(err); errors.Is(err, catalog.ErrDamaged) {
		found.all, err = err, nil
	}
	return found, err
}

func (v *verification) compareAll(ctx context.Context, m *db.Snapshot) (err error) {
	var last int64
	if v.whole, last, err = v.CorpusStats(ctx, m); err != nil {
		return err
	}
	v.check = lexical.NewPostingsCheck(v.whole)
	if err := v.checkLists(ctx); err != nil {
		return err
	}
	for after := int64(0); ; {
		page, err := v.checkPage(ctx, after)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1].ID
	}
	if err := v.checkWords(ctx); err != nil {
		return err
	}
	if err := v.check.Finish(); err != nil {
		return err
	}
	return v.checkNumbers(ctx, last)
}

// checkLists checks all postings, each with the slots of its segment.
func (v *verification) checkLists(ctx context.Context) error {
	rows, err := v.tx.Query(ctx, `SELECT p.term, p.count, p.list, coalesce(s.first, 0), coalesce(s.slots, 0) FROM vademecum.postings p
		LEFT JOIN vademecum.segments s ON s.library = p.library AND s.number = p.segment WHERE p.library = $1`, v.ID)
	if err != nil {
		return err
	}
	var term, list pgtype.DriverBytes
	var count int
	var in lexical.SlotRange
	_, err = pgx.ForEachRow(rows, []any{&term, &count, &list, &in.First, &in.Count}, func() error {
		return v.check.AddList(string(term), lexical.StoredList{PostingCount: count, Bytes: list}, in)
	})
	return err
}

// checkWords compares the words of the library with their postings.
func (v *verification) checkWords(ctx context.Context) error {
	rows, err := v.tx.Query(ctx, "SELECT number, word FROM vademecum.vocabulary WHERE library = $1", v.ID)
	if err != nil {
		return err
	}
	var number uint32
	var word pgtype.DriverBytes
	_, err = pgx.ForEachRow(rows, []any{&number, &word}, func() error { return v.check.CheckWord(number, string(word)) })
	return err
}

// checkNumbers checks that there are no rows that no document refers to, and that the number of the
// next change is not in use.
func (v *verification) checkNumbers(ctx context.Context, last int64) error {
	var passages int
	var change int64
	err := v.tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM vademecum.passages WHERE library = $1),
		(SELECT coalesce(max(number), 0) FROM vademecum.changes WHERE library = $1)`, v.ID).Scan(&passages, &change)
	switch {
	case err != nil:
		return err
	case passages > v.passages:
		return fmt.Errorf("%d passages are of no document: %w", passages-v.passages, catalog.ErrDamaged)
	case change > last:
		return fmt.Errorf("there is a change of the number %d, and the last one is %d: %w", change, last, catalog.ErrDamaged)
	}
	return nil
}

// documentRows holds what the tables contain about a document besides its record and passages.
type documentRows struct {
	pathKey      []byte
	terms        int64 // number of terms of all its chunks
	hasText      bool
	text, parts  []byte
	textChecksum int64
}

// checkPage compares the next documents with their texts and passages, and returns them.
func (v *verification) checkPage(ctx context.Context, after int64) ([]catalog.Record, error) {
	var page []catalog.Record
	broken := make(map[int64]error)
	rows, err := v.tx.Query(ctx, selectRecords+"d.id > $2 ORDER BY d.id LIMIT $3", v.ID, after, catalog.PageRows)
	if err != nil {
		return nil, err
	}
	err = scanRows(rows, func(r *catalog.Record, fault error) error {
		page = append(page, *r)
		if fault != nil {
			broken[r.ID] = fault
		}
		return nil
	})
	if err != nil || len(page) == 0 {
		return page, err
	}
	others, err := v.rowsBeside(ctx, page)
	if err != nil {
		return nil, err
	}
	passages, err := v.passagesOf(ctx, page)
	if err != nil {
		return nil, err
	}
	for i := range page {
		r, o := &page[i], others[page[i].ID]
		v.done.Documents++
		v.done.Passages += int(r.SlotRange.Count)
		fault := broken[r.ID]
		if fault == nil {
			if err := v.checkIndexed(r, o); err != nil {
				return nil, err
			}
			fault = v.checkDocument(r, o, passages)
		} else {
			v.check.AssumeChunksIntact(r.SlotRange, o.terms)
		}
		if fault != nil {
			v.found.documents[r.ID] = fmt.Errorf("%s: %w", r.Path, fault)
		}
	}
	return page, nil
}

// rowsBeside reads the documentRows of the documents on a page, by the ID of the document.
func (v *verification) rowsBeside(ctx context.Context, page []catalog.Record) (map[int64]*documentRows, error) {
	ids := make([]int64, len(page))
	for i, r := range page {
		ids[i] = r.ID
	}
	rows, err := v.tx.Query(ctx, `SELECT d.id, d.path_key, d.terms, t.document IS NOT NULL, coalesce(t.text, ''), coalesce(t.parts, ''), coalesce(t.checksum, 0)
		FROM vademecum.documents d LEFT JOIN LATERAL (SELECT * FROM vademecum.texts WHERE library = d.library AND document = d.id OFFSET 0) t ON true
		WHERE d.library = $1 AND d.id = ANY($2)`, v.ID, ids)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]*documentRows, len(page))
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (id int64, err error) {
		b := new(documentRows)
		err = row.Scan(&id, &b.pathKey, &b.terms, &b.hasText, &b.text, &b.parts, &b.textChecksum)
		all[id] = b
		return id, err
	})
	return all, err
}

// storedPassage is a passage as stored in the library.
type storedPassage struct{ wording, key, chunk, sketch []byte }

// passagesOf reads the passages of the documents, by slot.
func (v *verification) passagesOf(ctx context.Context, page []catalog.Record) (map[uint32]storedPassage, error) {
	var slots []int64
	for _, r := range page {
		if uint64(r.SlotRange.First)+uint64(r.SlotRange.Count) > uint64(v.whole.AssignedSlots) {
			return nil, fmt.Errorf("%s has passages at %d, of %d: %w", r.Path, r.SlotRange.First, v.whole.AssignedSlots, catalog.ErrDamaged)
		}
		for n := range r.SlotRange.Count {
			slots = append(slots, int64(r.SlotRange.First+n))
		}
	}
	rows, err := v.tx.Query(ctx, "SELECT slot, wording, text_key, chunk, sketch FROM vademecum.passages WHERE library = $1 AND slot = ANY($2)", v.ID, slots)
	if err != nil {
		return nil, err
	}
	all := make(map[uint32]storedPassage, len(slots))
	_, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (slot uint32, err error) {
		var p storedPassage
		err = row.Scan(&slot, &p.wording, &p.key, &p.chunk, &p.sketch)
		all[slot] = p
		return slot, err
	})
	v.passages += len(all)
	return all, err
}

// checkIndexed compares a document with the counts of the library, and with the postings of the
// terms of its chunks.
func (v *verification) checkIndexed(r *catalog.Record, o *documentRows) error {
	if int(r.SlotRange.Count) != len(r.Chunks) {
		return fmt.Errorf("%s has %d passages of %d: %w", r.Path, len(r.Chunks), r.SlotRange.Count, catalog.ErrDamaged)
	}
	terms := int64(0)
	for i, c := range r.Chunks {
		n, err := v.check.CheckChunk(r.SlotRange.First+uint32(i), c.Terms)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		terms += int64(n)
	}
	if terms != o.terms {
		return fmt.Errorf("%s has %d terms of %d: %w", r.Path, terms, o.terms, catalog.ErrDamaged)
	}
	return nil
}

// checkDocument compares the rows of a document with each other.
func (v *verification) checkDocument(r *catalog.Record, o *documentRows, passages map[uint32]storedPassage) error {
	damaged := func(what string) error { return fmt.Errorf("%s: %w", what, catalog.ErrDamaged) }
	if key := pathKeyOf(r.Path); string(o.pathKey) != string(key[:]) {
		return damaged("its row is not found by its path")
	}
	switch {
	case r.SkipReason != "":
		return nil
	case !o.hasText:
		return damaged("its text is gone")
	case int64(packed.TextChecksum(r.TextHash, o.text, o.parts)) != o.textChecksum:
		return damaged("its text is not what was written")
	}
	if _, err := packed.ParseParts(o.parts); err != nil {
		return err
	}
	for i, c := range r.Chunks {
		p, there := passages[r.SlotRange.First+uint32(i)]
		switch {
		case !there:
			return damaged("one of its passages is gone")
		case string(p.wording) != string(c.ContentHash[:]), string(p.key) != string(c.Key[:]), string(p.chunk) != string(packPassage(c)):
			return damaged("one of its passages is not what was written")
		case c.Span.EndByte > len(o.text):
			return damaged("its text is too short")
		case !isSketch(p.sketch, embed.EmbedBuiltin(catalog.EmbeddingInput(string(o.text[c.Span.StartByte:c.Span.EndByte]), c.Heading))):
			return damaged("the vector of one of its passages is not what was written")
		}
	}
	return nil
}

// isSketch reports whether a sketch is that of a vector. It tolerates rounding differences between
// processors.
func isSketch(b []byte, of []float32) bool {
	const alike = 0.999
	numbers := blob.ParseInt16s(b)
	if len(numbers) != len(of) || len(b) != 2*len(of) {
		return false
	}
	dot, one, other := 0.0, 0.0, 0.0
	for i, n := range numbers {
		x, y := float64(n), float64(of[i])
		dot, one, other = dot+x*y, one+x*x, other+y*y
	}
	return one == 0 && other == 0 || dot > 0 && dot >= alike*math.Sqrt(one*other)
}
