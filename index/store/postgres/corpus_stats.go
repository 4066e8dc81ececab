package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/docs/kind"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
	"vademecum/internal/base/script"
)

// Database returns the database that holds the catalogue.
func (c *Catalog) Database() *db.DB { return c.DB }

// selectWhole reads the totals of a library, the runs of its deleted slots, and its segments. It is
// a single statement because it runs before each query.
const selectWhole = `SELECT next_slot, next_word, passages, terms, version, last_change,
	ARRAY(SELECT first FROM vademecum.gone WHERE library = $1 ORDER BY first), ARRAY(SELECT slots FROM vademecum.gone WHERE library = $1 ORDER BY first),
	ARRAY(SELECT first FROM vademecum.segments WHERE library = $1 ORDER BY first), ARRAY(SELECT slots FROM vademecum.segments WHERE library = $1 ORDER BY first)
	FROM vademecum.libraries WHERE ` + library.RowCondition

// CorpusStats returns the statistics of a library, and the number of the last change of its
// documents. The error matches catalog.ErrDamaged if the segments of its postings do not cover
// exactly the assigned slots.
func (c *Catalog) CorpusStats(ctx context.Context, m *db.Snapshot) (w *lexical.CorpusStats, change int64, err error) {
	var terms, version int64
	var goneFirst, goneSlots, first, slots []uint32 // runs of deleted slots, and segments
	w = new(lexical.CorpusStats)
	err = m.Tx.QueryRow(ctx, selectWhole, c.ID, c.TableIdentity).Scan(&w.AssignedSlots, &w.AssignedWordNumbers, &w.Chunks, &terms, &version, &change, &goneFirst, &goneSlots, &first, &slots)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, db.ErrLibraryRemoved
	}
	if err != nil {
		return nil, 0, err
	}
	if m.IsFromReplica && c.IsOutdated(version) {
		return nil, 0, db.ErrReplicaBehind
	}
	w.Terms, w.DeletedSlots = uint64(terms), makeRuns(goneFirst, goneSlots)
	return w, change, checkRuns(w, makeRuns(first, slots))
}

// makeRuns returns the runs with the given first slots and lengths.
func makeRuns(first, slots []uint32) []lexical.SlotRange {
	all := make([]lexical.SlotRange, len(first))
	for i := range first {
		all[i] = lexical.SlotRange{First: first[i], Count: slots[i]}
	}
	return all
}

// checkRuns returns an error if the segments do not cover all slots consecutively, or if slots are
// deleted that were never assigned.
func checkRuns(w *lexical.CorpusStats, segments []lexical.SlotRange) error {
	end := uint64(0)
	for _, s := range segments {
		if uint64(s.First) != end {
			break
		}
		end += uint64(s.Count)
	}
	if end != uint64(w.AssignedSlots) {
		return fmt.Errorf("the lists of terms reach to passage %d of %d: %w", end, w.AssignedSlots, catalog.ErrDamaged)
	}
	end = 0
	for _, g := range w.DeletedSlots {
		if uint64(g.First) < end || g.Count == 0 {
			return fmt.Errorf("the passages that are gone, at %d: %w", g.First, catalog.ErrDamaged)
		}
		end = uint64(g.First) + uint64(g.Count)
	}
	if end > uint64(w.AssignedSlots) {
		return fmt.Errorf("passages are gone up to %d of %d: %w", end, w.AssignedSlots, catalog.ErrDamaged)
	}
	return nil
}

// selectLists looks up each term separately: the plan for a joint look-up would depend on
// statistics, which do not exist yet for a library that was just written.
const selectLists = `SELECT p.term, p.count, p.list FROM unnest($2::bytea[]) AS asked(term)
	CROSS JOIN LATERAL (SELECT * FROM vademecum.postings WHERE library = $1 AND term = asked.term OFFSET 0) p
	JOIN vademecum.segments s ON s.library = $1 AND s.number = p.segment ORDER BY s.first`

// EachPostingsList calls f with the postings of the terms, those of each term in the order of their slots.
// f must not retain the bytes.
func (c *Catalog) EachPostingsList(ctx context.Context, m *db.Snapshot, terms []string, f func(term string, l lexical.StoredList) error) error {
	if len(terms) == 0 {
		return nil
	}
	rows, err := m.Tx.Query(ctx, selectLists, c.ID, asBytes(terms))
	if err != nil {
		return err
	}
	var term, list pgtype.DriverBytes
	var count int
	_, err = pgx.ForEachRow(rows, []any{&term, &count, &list}, func() error {
		return f(string(term), lexical.StoredList{PostingCount: count, Bytes: list})
	})
	return err
}

// PostingsCounts returns the number of chunks in the postings of each term, including deleted ones.
// Terms without any are omitted.
func (c *Catalog) PostingsCounts(ctx context.Context, m *db.Snapshot, terms []string) (map[string]int, error) {
	rows, err := m.Tx.Query(ctx, `SELECT asked.term, p.count FROM unnest($2::bytea[]) AS asked(term)
		CROSS JOIN LATERAL (SELECT sum(count) AS count FROM vademecum.postings WHERE library = $1 AND term = asked.term) p WHERE p.count > 0`, c.ID, asBytes(terms))
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	var term pgtype.DriverBytes
	var count int
	_, err = pgx.ForEachRow(rows, []any{&term, &count}, func() error {
		counts[string(term)] = count
		return nil
	})
	return counts, err
}

func asBytes(terms []string) [][]byte {
	all := make([][]byte, len(terms))
	for i, t := range terms {
		all[i] = []byte(t)
	}
	return all
}

// WordsByNumber returns the words with the given numbers.
func (c *Catalog) WordsByNumber(ctx context.Context, m *db.Snapshot, numbers []uint32) ([]string, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	rows, err := m.Tx.Query(ctx, "SELECT word FROM vademecum.vocabulary WHERE library = $1 AND number = ANY($2)", c.ID, asInt64(numbers))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var word []byte
		err := row.Scan(&word)
		return string(word), err
	})
}

func asInt64(numbers []uint32) []int64 {
	all := make([]int64, len(numbers))
	for i, n := range numbers {
		all[i] = int64(n)
	}
	return all
}

// Passage is a chunk as stored in a library, without its terms.
type Passage struct {
	Slot uint32
	catalog.Chunk
	BuiltinVector []int16 // vector by the built-in embedding, not normalised
}

// Passages returns the chunks at the given slots, in no order, without deleted ones.
func (c *Catalog) Passages(ctx context.Context, m *db.Snapshot, slots []uint32) ([]Passage, error) {
	return c.queryPassages(ctx, m, "slot = ANY($2)", c.ID, asInt64(slots))
}

// PassagesByHash returns the chunks that have one of the content hashes.
func (c *Catalog) PassagesByHash(ctx context.Context, m *db.Snapshot, hashes []rank.ChunkTextHash) ([]Passage, error) {
	wordings := make([][]byte, len(hashes))
	for i := range hashes {
		wordings[i] = hashes[i][:]
	}
	return c.queryPassages(ctx, m, "wording = ANY($2)", c.ID, wordings)
}

func (c *Catalog) queryPassages(ctx context.Context, m *db.Snapshot, which string, args ...any) ([]Passage, error) {
	rows, err := m.Tx.Query(ctx, "SELECT slot, chunk, sketch FROM vademecum.passages WHERE library = $1 AND "+which, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Passage, err error) {
		var chunk, sketch pgtype.DriverBytes
		if err := row.Scan(&p.Slot, &chunk, &sketch); err != nil {
			return p, err
		}
		p.BuiltinVector = blob.ParseInt16s(sketch)
		if p.Chunk, err = parsePassage(chunk); err != nil {
			return p, fmt.Errorf("the passage at slot %d: %w", p.Slot, err)
		}
		return p, nil
	})
}

// EachBuiltinVector calls f with the built-in embedding's vector of each passage. The vectors are not
// normalised.
func (c *Catalog) EachBuiltinVector(ctx context.Context, m *db.Snapshot, f func(slot uint32, sketch []int16)) error {
	rows, err := m.Tx.Query(ctx, "SELECT slot, sketch FROM vademecum.passages WHERE library = $1", c.ID)
	if err != nil {
		return err
	}
	var slot uint32
	var bytes pgtype.DriverBytes
	_, err = pgx.ForEachRow(rows, []any{&slot, &bytes}, func() error {
		f(slot, blob.ParseInt16s(bytes))
		return nil
	})
	return err
}

// CountLanguages calls count with the number of chunks at the given slots in each language. Those
// whose language is not certain count as unknown.
func (c *Catalog) CountLanguages(ctx context.Context, m *db.Snapshot, slots []uint32, count func(l script.Language, n int)) error {
	// The position of the byte in the output of packPassage, from the end: it is followed by the
	// other traits, the zero number of terms, and the checksum.
	const fromEnd = kind.TraitsBytes - kind.LanguageOffset + 1 + 4
	rows, err := m.Tx.Query(ctx, `SELECT get_byte(chunk, octet_length(chunk) - $3), count(*) FROM vademecum.passages
		WHERE library = $1 AND slot = ANY($2) AND octet_length(chunk) >= $3 GROUP BY 1`, c.ID, asInt64(slots), fromEnd)
	if err != nil {
		return err
	}
	var language, n int
	_, err = pgx.ForEachRow(rows, []any{&language, &n}, func() error {
		code := byte(language) &^ kind.CertainLanguageBit
		if !script.IsValidLanguage(code) {
			return catalog.ErrDamaged
		}
		if byte(language)&kind.CertainLanguageBit == 0 {
			code = byte(script.UnknownLanguage)
		}
		count(script.Language(code), n)
		return nil
	})
	return err
}

// packPassage packs a chunk without its terms, followed by a checksum.
func packPassage(c catalog.Chunk) []byte {
	c.Terms = nil
	b := packed.PackChunks([]catalog.Chunk{c})
	return blob.AppendNumbers(b, []uint32{blob.Checksum(b)})
}

func parsePassage(b []byte) (c catalog.Chunk, err error) {
	at := len(b) - 4
	if at < 0 || blob.ParseNumbers[uint32](b[at:])[0] != blob.Checksum(b[:at]) {
		return c, catalog.ErrDamaged
	}
	all, err := packed.ParseChunks(b[:at], 1)
	if err != nil {
		return c, err
	}
	return all[0], nil
}

// FindVectorsInSnapshot returns the vectors of texts by the model in use.
func (c *Catalog) FindVectorsInSnapshot(ctx context.Context, m *db.Snapshot, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	rows, err := m.Tx.Query(ctx, selectVectors+"text_key = ANY($2)", c.ModelID, keyBytes(keys))
	if err != nil {
		return nil, err
	}
	found, err := scanVectors(rows)
	c.recordSkipped(found)
	return found.vectors, err
}
