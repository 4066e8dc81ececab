package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"vademecum/index/lexical"
	"vademecum/index/store/postgres/db"
)

// copiesOfText is how many passages with identical text are listed. If there are more, only their
// positions decide which are shown.
const copiesOfText = 50

// scanned is the maximum number of vectors that an index scans while it finds too few that meet the
// conditions.
const scanned = 40_000

// wider is the factor by which more vectors are requested from an index than are wanted, so that
// fewer of the nearest are missed.
const wider = 2

// NearestSlots lists the passages whose vectors by the model in use are nearest to query, of at most
// maxTexts distinct texts, in no order: among those in the ranges, or among all if ranges is nil.
// The caller compares them itself, because an index finds most of the nearest, but not always all.
func (c *Catalog) NearestSlots(ctx context.Context, m *db.Snapshot, query []float32, maxTexts int, ranges []lexical.SlotRange) (slots []uint32, err error) {
	of, err := c.vectorsOf(ctx, len(query))
	if err != nil {
		return nil, err
	}
	meant, args := "", []any{c.ID, query, wider * maxTexts, maxTexts}
	if ranges != nil {
		meant, args = " AND p.slot <@ $5::int8multirange", append(args, formatMultirange(ranges))
	}
	var batch pgx.Batch
	// Vectors that the index returns later may be nearer: all of them are compared again in any
	// case. Statistics may be missing for a new library; so an index is used if there is one, and
	// otherwise all vectors are compared and sorted.
	batch.Queue(`SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
		set_config('hnsw.max_scan_tuples', $2, true), set_config('hnsw.scan_mem_multiplier', '4', true), set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`, strconv.Itoa(wider*maxTexts), strconv.Itoa(scanned))
	batch.Queue(nearestStatement(of, meant), args...).Query(func(rows pgx.Rows) (err error) {
		slots, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
		return err
	})
	batch.Queue("SELECT set_config('enable_sort', 'on', true)")
	return slots, m.Tx.SendBatch(ctx, &batch).Close()
}

// nearestStatement finds the passages of the $4 texts of library $1 that are nearest to the vector
// $2, among the $3 texts that an index finds. OFFSET 0 makes the planner look up the passages of
// each text: otherwise it would scan the passages first, without the index.
func nearestStatement(of vectorColumns, meant string) string {
	return fmt.Sprintf(`SELECT copy.slot FROM (SELECT found.text_key FROM (SELECT v.text_key, %[3]s AS distance FROM vademecum.vectors v WHERE %[1]s
				AND EXISTS (SELECT FROM vademecum.passages p WHERE p.library = $1 AND p.text_key = v.text_key%[2]s OFFSET 0)
				ORDER BY distance LIMIT $3) found ORDER BY found.distance LIMIT $4) near
		CROSS JOIN LATERAL (SELECT p.slot FROM vademecum.passages p WHERE p.library = $1 AND p.text_key = near.text_key%[2]s LIMIT %[4]d) copy`,
		of.which, meant, of.distance, copiesOfText)
}

// NearestSlotsExact lists the passages in the ranges whose vectors by the model in use are nearest to
// query, at most maxTexts of them. It compares all passages in the ranges, and so is for few.
func (c *Catalog) NearestSlotsExact(ctx context.Context, m *db.Snapshot, query []float32, maxTexts int, ranges []lexical.SlotRange) ([]uint32, error) {
	of, err := c.vectorsOf(ctx, len(query))
	if err != nil {
		return nil, err
	}
	var slots []int64
	for _, run := range ranges {
		for n := range run.Count {
			slots = append(slots, int64(run.First+n))
		}
	}
	rows, err := m.Tx.Query(ctx, fmt.Sprintf(`SELECT p.slot FROM unnest($4::bigint[]) AS meant(slot) JOIN vademecum.passages p ON p.library = $1 AND p.slot = meant.slot
		CROSS JOIN LATERAL (SELECT v.vector FROM vademecum.vectors v WHERE %s AND v.text_key = p.text_key OFFSET 0) v ORDER BY %s LIMIT $3`, of.which, of.distance), c.ID, query, maxTexts, slots)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uint32])
}

// vectorColumns holds SQL expressions for the vectors of a model.
type vectorColumns struct {
	which    string // condition on the rows v
	distance string // distance from $2
}

// vectorsOf returns the SQL expressions for the vectors of the given length of the model in use.
// The row of the model and
// the number of dimensions are literals in them, as an index of vectors is for one of each.
func (c *Catalog) vectorsOf(ctx context.Context, length int) (vectorColumns, error) {
	in, err := c.DB.PgvectorSchema(ctx)
	return vectorColumns{
		which:    fmt.Sprintf("v.model = %d AND array_length(v.vector, 1) = %d", c.ModelID, length),
		distance: fmt.Sprintf("v.vector::%[1]s.halfvec(%[2]d) OPERATOR(%[1]s.<=>) $2::real[]::%[1]s.halfvec(%[2]d)", in, length),
	}, err
}

// formatMultirange formats runs as PostgreSQL does.
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
