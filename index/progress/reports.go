package progress

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Processes that serve the same folder report to each other through the catalogue. Here the indexer
// and the embedder report their progress.

// Indexer identifies the process that keeps the index of a folder up to date.
type Indexer struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host,omitempty"` // host name if it may be another machine; "" otherwise
	Since time.Time `json:"since"`          // when it became the indexer
}

// String describes the process in English.
func (i Indexer) String() string { return i.Message().String() }

// Message describes the process.
func (i Indexer) Message() message.Message {
	if i.Host != "" {
		return message.New("process %d on %s", i.PID, i.Host)
	}
	return message.New("process %d", i.PID)
}

// IndexerReport is what the indexer of a folder reports: which process it is, and the state of the index.
type IndexerReport struct {
	Indexer Indexer
	State   State
}

const newsKey = "news"

// IndexerReportOf reads the last report of the indexer.
func IndexerReportOf(ctx context.Context, c catalog.Catalog) (n IndexerReport, err error) {
	err = readReport(ctx, c, newsKey, &n)
	if n.State.Phase == "" {
		n.State.Phase = Scanning
	}
	return n, err
}

// EmbedderReport is the progress of the process that embeds a folder with one model.
type EmbedderReport struct {
	Since          time.Time     // when the model began to work; zero if it is idle
	Done           int           // passages embedded since then
	Total          int           // number of passages to embed, including those done
	TimePerPassage time.Duration `json:"Each"` // time that the model took for the last passage, even if in an earlier pass; 0 if unknown
	// why the model last returned no vectors, in the stored form of messages; "" if it did return
	// some
	Failure string
	// number of the last change up to which everything that the model accepts is embedded
	EmbeddedThroughChange int64 `json:"Through"`
}

func vectorReportKey(c catalog.Catalog) string { return c.Describe().ModelScopedKey(newsKey) }

// EmbedderReportOf reads the last report of the process that embeds with the model in use.
func EmbedderReportOf(ctx context.Context, c catalog.Catalog) (n EmbedderReport, err error) {
	err = readReport(ctx, c, vectorReportKey(c), &n)
	return n, err
}

func readReport(ctx context.Context, c catalog.Catalog, key string, n any) error {
	text, err := c.Value(ctx, key)
	if err != nil || text == "" {
		return err
	}
	if err := json.Unmarshal([]byte(text), n); err != nil {
		return fmt.Errorf("%s: %w", key, catalog.ErrDamaged)
	}
	return nil
}

func postReport(ctx context.Context, c catalog.Catalog, key string, n any) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.SetValue(ctx, key, string(text))
}

// Post stores the report in the catalogue, where other processes read it.
func (n IndexerReport) Post(ctx context.Context, c catalog.Catalog) error {
	return postReport(ctx, c, newsKey, n)
}

// Post stores the report in the catalogue, where other processes read it.
func (n EmbedderReport) Post(ctx context.Context, c catalog.Catalog) error {
	return postReport(ctx, c, vectorReportKey(c), n)
}
