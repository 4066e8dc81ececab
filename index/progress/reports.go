package progress

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/internal/base/message"
)

// What processes on one folder tell each other stands in the catalogue: here
// who the indexer is and how far it is, and how far the one that embeds.

// Indexer is the process that keeps a folder's index up to date.
type Indexer struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host,omitempty"` // its machine, where others may be meant; else ""
	Since time.Time `json:"since"`          // since when it does
}

// String says which process it is, in English.
func (i Indexer) String() string { return i.Message().String() }

// Message says which process it is.
func (i Indexer) Message() message.Message {
	if i.Host != "" {
		return message.New("process %d on %s", i.PID, i.Host)
	}
	return message.New("process %d", i.PID)
}

// IndexerReport is how far the indexer of a folder is.
type IndexerReport struct {
	Indexer Indexer
	State   State
}

const newsKey = "news"

// IndexerReportOf reads what the indexer told last.
func IndexerReportOf(ctx context.Context, c catalog.Catalog) (n IndexerReport, err error) {
	err = readReport(ctx, c, newsKey, &n)
	if n.State.Phase == "" {
		n.State.Phase = Scanning
	}
	return n, err
}

// VectorReport is how far the process is that embeds a folder with one model.
type VectorReport struct {
	Since   time.Time     // since when the model is at work; zero when it is not
	Done    int           // passages that are through with it since
	Total   int           // all of them
	Each    time.Duration // that a passage took last, also before the model is at work; 0: not known
	Failure string        // why it gave no vectors last, as a message is stored; "" if it did
	Through int64         // the last change of which all is embedded that the model takes
}

func vectorReportKey(c catalog.Catalog) string { return c.Values().ModelKey(newsKey) }

// VectorReportOf reads what the process told last that embeds with the model in use.
func VectorReportOf(ctx context.Context, c catalog.Catalog) (n VectorReport, err error) {
	err = readReport(ctx, c, vectorReportKey(c), &n)
	return n, err
}

func readReport(ctx context.Context, c catalog.Catalog, key string, n any) error {
	text, err := c.Values().Get(ctx, key)
	if err != nil || text == "" {
		return err
	}
	if err := json.Unmarshal([]byte(text), n); err != nil {
		return c.Health().RecordError(fmt.Errorf("%s: %w", key, catalog.ErrDamaged))
	}
	return nil
}

func postReport(ctx context.Context, c catalog.Catalog, key string, n any) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.Values().Set(ctx, key, string(text))
}

// Post leaves the news for other processes.
func (n IndexerReport) Post(ctx context.Context, c catalog.Catalog) error {
	return postReport(ctx, c, newsKey, n)
}

// Post leaves the news for other processes.
func (n VectorReport) Post(ctx context.Context, c catalog.Catalog) error {
	return postReport(ctx, c, vectorReportKey(c), n)
}
