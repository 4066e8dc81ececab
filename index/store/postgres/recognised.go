package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/blob"
	"vademecum/index/store/postgres/db"
)

// RecognisedPages returns what was recognised on the pages of a file in the given languages.
// Damaged rows are omitted: their pages will be recognised again.
func (s *Store) RecognisedPages(ctx context.Context, fileHash [32]byte, languages string) (pages map[int][]byte, err error) {
	err = s.RetryRead(ctx, db.QuickTimeout, func(ctx context.Context) error {
		pages = make(map[int][]byte)
		rows, err := s.Pool.Query(ctx, "SELECT page, content, checksum FROM vademecum.recognised WHERE file = $1 AND languages = $2", fileHash[:], languages)
		if err != nil {
			return err
		}
		var number int
		var content []byte
		var checksum int64
		_, err = pgx.ForEachRow(rows, []any{&number, &content, &checksum}, func() error {
			if checksum == int64(blob.Checksum(fileHash[:], content)) {
				pages[number] = content
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read recognised pages: %w", err)
	}
	return pages, nil
}

// SaveRecognised stores what was recognised on a page of a file in the given languages.
func (s *Store) SaveRecognised(ctx context.Context, fileHash [32]byte, languages string, page int, content []byte) error {
	err := s.Retry(ctx, s.RetryTimeout, db.QuickTimeout, func(ctx context.Context) error {
		_, err := s.Pool.Exec(ctx, `INSERT INTO vademecum.recognised VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (file, languages, page) DO UPDATE SET content = EXCLUDED.content, checksum = EXCLUDED.checksum`,
			fileHash[:], languages, page, content, int64(blob.Checksum(fileHash[:], content)))
		return err
	})
	s.RecordWriteResult(err)
	if err != nil {
		return fmt.Errorf("keep a recognised page: %w", err)
	}
	return nil
}

// deleteUnusedPages deletes what was recognised in files that no library contains.
const deleteUnusedPages = "DELETE FROM vademecum.recognised r WHERE NOT EXISTS (SELECT FROM vademecum.documents d WHERE d.hash = r.file)"
