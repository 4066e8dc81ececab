package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/library"
	"vademecum/internal/base/message"
)

// errFull means that a library has used up its slots for chunks.
var errFull = message.Errorf("the library is full: it has had 4 billion passages; index the folder into a new one")

// batchCounts counts what is written or removed together.
type batchCounts struct {
	slots, passages, terms int64
	words                  int64 // new words
}

// reserveNumbers changes the totals of a library, and returns the first slot reserved.
func (c *Catalog) reserveNumbers(ctx context.Context, w *library.WriteTx, by batchCounts) (slot int64, err error) {
	err = w.QueryRow(ctx, `UPDATE vademecum.libraries SET next_slot = next_slot + $2, next_word = next_word + $3, passages = passages + $4, terms = terms + $5
		WHERE id = $1 RETURNING next_slot - $2`, c.ID, by.slots, by.words, by.passages, by.terms).Scan(&slot)
	if err == nil && slot+by.slots > math.MaxUint32 {
		err = errFull
	}
	return slot, err
}

// assignSlots assigns slots to the chunks of documents, and sets the number of terms in the chunks
// of each document. It returns the postings, and by how much the totals of the library grow.
func (c *Catalog) assignSlots(ctx context.Context, w *library.WriteTx, fresh []entryRow) (lists *lexical.StoredPostings, by batchCounts, err error) {
	for _, e := range fresh {
		by.slots += int64(len(e.Chunks))
	}
	first, err := c.reserveNumbers(ctx, w, batchCounts{slots: by.slots})
	if err != nil {
		return nil, by, err
	}
	lists = lexical.NewStoredPostings()
	next := uint32(first)
	for i := range fresh {
		e := &fresh[i]
		e.run.First = next
		for _, chunk := range e.Chunks {
			length, err := lists.Put(next, chunk.Terms)
			if err != nil {
				return nil, by, err
			}
			e.terms += int64(length)
			next++
		}
		e.run.Count = next - e.run.First
		by.terms += e.terms
	}
	by.passages = by.slots
	return lists, by, nil
}

// insertPassages writes the chunks of documents as rows, and their terms as a segment.
func (c *Catalog) insertPassages(ctx context.Context, w *library.WriteTx, indexed []entryRow, lists *lexical.StoredPostings, by batchCounts) error {
	if by.slots == 0 {
		return nil
	}
	var all []passageAtSlot
	for _, e := range indexed {
		for i := range e.Chunks {
			all = append(all, passageAtSlot{e.RecordWithBody, i, e.run.First + uint32(i)})
		}
	}
	if err := copyIn(ctx, w, "passages", []string{"library", "slot", "wording", "text_key", "chunk", "sketch"}, all, c.passageRow); err != nil {
		return err
	}
	if err := c.numberWords(ctx, w, lists, &by); err != nil {
		return err
	}
	if _, err := c.reserveNumbers(ctx, w, batchCounts{passages: by.passages, terms: by.terms, words: by.words}); err != nil {
		return err
	}
	return c.insertSegment(ctx, w, lexical.SlotRange{First: all[0].slot, Count: uint32(len(all))}, lists)
}

// passageAtSlot is a chunk and the slot assigned to it.
type passageAtSlot struct {
	*catalog.RecordWithBody
	number int
	slot   uint32
}

func (c *Catalog) passageRow(p passageAtSlot) []any {
	chunk := p.Chunks[p.number]
	input := catalog.EmbeddingInput(p.Body.Text[chunk.Span.StartByte:chunk.Span.EndByte], chunk.Heading)
	return []any{c.ID, int64(p.slot), chunk.ContentHash[:], chunk.Key[:], packPassage(chunk), encodeSketch(embed.EmbedBuiltin(input))}
}

// encodeSketch returns a vector with 16 bits per number: with 8 bits, the tenth result would change
// for one query in twenty on a small folder.
func encodeSketch(vec []float32) []byte {
	largest := float32(0)
	for _, x := range vec {
		largest = max(largest, x, -x)
	}
	numbers := make([]int16, len(vec))
	for i, x := range vec {
		numbers[i] = int16(math.Round(float64(x / largest * math.MaxInt16)))
	}
	return blob.AppendInt16s(make([]byte, 0, 2*len(vec)), numbers)
}

// insertWords assigns numbers to those of the words $2 that library $1 does not have. OFFSET 0
// makes the planner look up each word: otherwise a library without statistics would be scanned for
// each of them. ORDER BY makes it look up all words before the first is inserted, because each
// look-up would scan the inserted ones.
const insertWords = `INSERT INTO vademecum.vocabulary (library, number, word)
	SELECT l.id, l.next_word + row_number() OVER (ORDER BY w.word) - 1, w.word FROM unnest($2::bytea[]) AS w(word), vademecum.libraries l
	WHERE l.id = $1 AND NOT EXISTS (SELECT FROM vademecum.vocabulary v WHERE v.library = $1 AND v.word = w.word OFFSET 0) RETURNING number, word`

// numberWords assigns numbers to the words that the library does not have.
func (c *Catalog) numberWords(ctx context.Context, w *library.WriteTx, lists *lexical.StoredPostings, by *batchCounts) error {
	var words [][]byte
	for _, word := range lists.Words() {
		words = append(words, []byte(word))
	}
	rows, err := w.Query(ctx, insertWords, c.ID, words)
	if err != nil {
		return err
	}
	fresh := make(map[uint32]string)
	var number int64
	var word []byte
	_, err = pgx.ForEachRow(rows, []any{&number, &word}, func() error {
		if number > math.MaxUint32 {
			return errFull
		}
		fresh[uint32(number)] = string(word)
		return nil
	})
	lists.AddWords(fresh)
	by.words = int64(len(fresh))
	return err
}

// insertSegment writes postings as a segment.
func (c *Catalog) insertSegment(ctx context.Context, tx pgx.Tx, of lexical.SlotRange, lists *lexical.StoredPostings) error {
	number, err := c.newSegment(ctx, tx, of)
	if err != nil {
		return err
	}
	var rows [][]any
	for term, list := range lists.Lists() {
		rows = append(rows, []any{c.ID, number, []byte(term), list.PostingCount, list.Bytes})
	}
	return copyPostings(ctx, tx, rows)
}

func (c *Catalog) newSegment(ctx context.Context, tx pgx.Tx, of lexical.SlotRange) (number int64, err error) {
	err = tx.QueryRow(ctx, "INSERT INTO vademecum.segments (library, number, first, slots) VALUES ($1, nextval('vademecum.segment_numbers'), $2, $3) RETURNING number",
		c.ID, int64(of.First), int64(of.Count)).Scan(&number)
	return number, err
}

func copyPostings(ctx context.Context, tx pgx.Tx, rows [][]any) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"vademecum", "postings"}, []string{"library", "segment", "term", "count", "list"}, pgx.CopyFromRows(rows))
	return err
}

// recordDeletedChunks records that the chunks of deleted documents are gone, and returns the rows
// of the documents.
func (c *Catalog) recordDeletedChunks(ctx context.Context, w *library.WriteTx, deleted pgx.Rows) (ids []int64, err error) {
	var firsts, slots, each []int64
	var id, first, count, terms int64
	var by batchCounts
	_, err = pgx.ForEachRow(deleted, []any{&id, &first, &count, &terms}, func() error {
		ids = append(ids, id)
		if count > 0 {
			firsts, slots = append(firsts, first), append(slots, count)
			by.passages, by.terms = by.passages-count, by.terms-terms
			for n := range count {
				each = append(each, first+n)
			}
		}
		return nil
	})
	if err != nil || len(firsts) == 0 {
		return ids, err
	}
	var batch pgx.Batch
	batch.Queue("INSERT INTO vademecum.gone (library, first, slots) SELECT $1, g.first, g.slots FROM unnest($2::bigint[], $3::bigint[]) AS g(first, slots)", c.ID, firsts, slots)
	batch.Queue("DELETE FROM vademecum.passages WHERE library = $1 AND slot = ANY($2)", c.ID, each)
	if err := w.SendBatch(ctx, &batch).Close(); err != nil {
		return ids, err
	}
	_, err = c.reserveNumbers(ctx, w, by)
	return ids, err
}

// deleted ends a statement that deletes documents, for recordDeletedChunks.
const deleted = " RETURNING id, slot, passages, terms"
