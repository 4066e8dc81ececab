package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// What processes on one folder tell each other stands in the catalogue: who
// the indexer is and how far it is, and what others ask it to index.

// Indexer is the process that keeps a folder's index up to date.
type Indexer struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // since when it does
}

// news is how far the indexer of a folder is.
type news struct {
	Indexer Indexer
	State   State
}

// post saves what the indexer tells.
func (c *catalogue) post(ctx context.Context, n news) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.transact(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, "news", string(text)) })
}

// news reads what the indexer told last.
func (c *catalogue) news(ctx context.Context) (n news, err error) {
	text, err := c.meta(ctx, "news")
	if err != nil || text == "" {
		return news{}, err
	}
	err = json.Unmarshal([]byte(text), &n)
	return n, err
}

// request asks the indexer to bring areas of a folder up to date.
type request struct {
	Areas []requestedArea
	Force bool
}

type requestedArea struct{ Base, Glob string }

// answer is what came of a request.
type answer struct {
	Report Report // paths are those in the folder
	Seen   int    // files and documents in the areas
	Error  string
}

func requestFor(areas []area, force bool) request {
	r := request{Force: force}
	for _, a := range areas {
		r.Areas = append(r.Areas, requestedArea{a.base, string(a.glob)})
	}
	return r
}

func (r request) areas(folder int) []area {
	var areas []area
	for _, a := range r.Areas {
		areas = append(areas, area{folder, a.Base, pathGlob(a.Glob)})
	}
	return areas
}

// ask saves a request and returns its number.
func (c *catalogue) ask(ctx context.Context, r request) (number int64, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	err = c.transact(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO requests (request, answer) VALUES (?, '')", string(text))
		if err == nil {
			number, err = done.LastInsertId()
		}
		return err
	})
	return number, err
}

// open lists the requests that have no answer yet.
func (c *catalogue) open(ctx context.Context) (map[int64]request, error) {
	rows, err := c.read.QueryContext(ctx, "SELECT number, request FROM requests WHERE answer = ''")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[int64]request)
	for rows.Next() {
		var number int64
		var text string
		if err := rows.Scan(&number, &text); err != nil {
			return nil, err
		}
		var r request
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil, fmt.Errorf("request %d: %w", number, errDamaged)
		}
		all[number] = r
	}
	return all, rows.Err()
}

// keepRequests is how many answered requests stay for those who asked.
const keepRequests = 100

// reply answers a request.
func (c *catalogue) reply(ctx context.Context, number int64, a answer) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return c.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE requests SET answer = ? WHERE number = ?", string(text), number); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM requests WHERE answer != '' AND number < ?", number-keepRequests)
		return err
	})
}

// answered reads the answer to a request; ok is false while there is none.
func (c *catalogue) answered(ctx context.Context, number int64) (a answer, ok bool, err error) {
	var text string
	err = c.read.QueryRowContext(ctx, "SELECT answer FROM requests WHERE number = ?", number).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return answer{}, false, errors.New("the request was lost")
	}
	if err != nil || text == "" {
		return answer{}, false, err
	}
	return a, true, json.Unmarshal([]byte(text), &a)
}

// withdraw takes a request back.
func (c *catalogue) withdraw(ctx context.Context, number int64) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM requests WHERE number = ?", number)
		return err
	})
}
