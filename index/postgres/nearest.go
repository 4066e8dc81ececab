package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"vademecum/index/lexical"
	"vademecum/index/postgres/db"
)

// copiesOfText is how many passages with the same text are listed: which of more are
// shown is a matter of their places alone.
const copiesOfText = 50

// scanned is how many vectors an index looks at while it finds too few that are meant.
const scanned = 40_000

// wider is the factor by which more vectors are requested from an index than are wanted, so that
// it misses fewer of the nearest.
const wider = 2

// Nearest lists the passages whose vectors by the model in use are nearest to one, up to a number
// of texts, in no order: among those in some consecutive runs, or among all if there are none.
// The caller compares them: an index finds most of the nearest and not always all.
func (c *Catalog) Nearest(ctx context.Context, m *db.Snapshot, query []float32, most int, in []lexical.SlotRange) (slots []uint32, err error) {
	of, err := c.vectorsOf(ctx, len(query))
	if err != nil {
		return nil, err
	}
	meant, args := "", []any{c.ID, query, wider * most, most}
	if in != nil {
		meant, args = " AND p.slot <@ $5::int8multirange", append(args, formatMultirange(in))
	}
	var batch pgx.Batch
	// What the index finds later may be nearer: all of it is compared anew in any case.
	// Statistics may know nothing yet of a library that is new: the index is used where
	// there is one, and all are compared and sorted where there is none.
	batch.Queue(`SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
		set_config('hnsw.max_scan_tuples', $2, true), set_config('hnsw.scan_mem_multiplier', '4', true), set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`, strconv.Itoa(wider*most), strconv.Itoa(scanned))
	batch.Queue(nearestStatement(of, meant), args...).Query(func(rows pgx.Rows) (err error) {
		slots, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
		return err
	})
	batch.Queue("SELECT set_config('enable_sort', 'on', true)")
	return slots, m.Tx.SendBatch(ctx, &batch).Close()
}

// nearestStatement finds the passages of the $4 texts of a library, $1, that are nearest to a
// vector, $2, of $3 that an index finds. OFFSET makes the planner look up each of these:
// otherwise it would scan the passages first, without the index.
func nearestStatement(of vectorColumns, meant string) string {
	return fmt.Sprintf(`SELECT copy.slot FROM (SELECT found.text_key FROM (SELECT v.text_key, %[3]s AS distance FROM vademecum.vectors v WHERE %[1]s
				AND EXISTS (SELECT FROM vademecum.passages p WHERE p.library = $1 AND p.text_key = v.text_key%[2]s OFFSET 0)
				ORDER BY distance LIMIT $3) found ORDER BY found.distance LIMIT $4) near
		CROSS JOIN LATERAL (SELECT p.slot FROM vademecum.passages p WHERE p.library = $1 AND p.text_key = near.text_key%[2]s LIMIT %[4]d) copy`,
		of.which, meant, of.distance, copiesOfText)
}

// NearestAmongFew is Nearest among few passages, all of which are compared.
func (c *Catalog) NearestAmongFew(ctx context.Context, m *db.Snapshot, query []float32, most int, in []lexical.SlotRange) ([]uint32, error) {
	of, err := c.vectorsOf(ctx, len(query))
	if err != nil {
		return nil, err
	}
	var slots []int64
	for _, run := range in {
		for n := range run.Count {
			slots = append(slots, int64(run.First+n))
		}
	}
	rows, err := m.Tx.Query(ctx, fmt.Sprintf(`SELECT p.slot FROM unnest($4::bigint[]) AS meant(slot) JOIN vademecum.passages p ON p.library = $1 AND p.slot = meant.slot
		CROSS JOIN LATERAL (SELECT v.vector FROM vademecum.vectors v WHERE %s AND v.text_key = p.text_key OFFSET 0) v ORDER BY %s LIMIT $3`, of.which, of.distance), c.ID, query, most, slots)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uint32])
}

// vectorColumns are the vectors of a model, as statements name them.
type vectorColumns struct {
	which    string // of the rows v they are
	distance string // of one from $2
}

// vectorsOf is how statements name the vectors of the model in use that are so long.
// The numbers are written out: an index is for one model and one length.
func (c *Catalog) vectorsOf(ctx context.Context, length int) (vectorColumns, error) {
	in, err := c.DB.PgvectorSchema(ctx)
	return vectorColumns{
		which:    fmt.Sprintf("v.model = %d AND array_length(v.vector, 1) = %d", c.ModelID, length),
		distance: fmt.Sprintf("v.vector::%[1]s.halfvec(%[2]d) OPERATOR(%[1]s.<=>) $2::real[]::%[1]s.halfvec(%[2]d)", in, length),
	}, err
}

// formatMultirange writes runs as PostgreSQL does.
func formatMultirange(runs []lexical.SlotRange) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, r := range runs {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%d,%d)", r.First, int64(r.First)+int64(r.Count))
	}
	b.WriteByte('}')
	return b.String()
}
