package sync

import (
	"context"
	"fmt"
	"sync"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
)

// Estimate is the cost of indexing folders with the embedding model.
type Estimate struct {
	Files int `json:"files"` // files that would be indexed
	embedding.Cost
	SampleTexts []string             `json:"-"` // texts that would be embedded
	Skipped     []notice.SkippedFile `json:"skipped"`
}

// Estimate reads the folders of a Syncer whose index was not loaded. It saves nothing and sends
// no text to the model.
func (s *Syncer) Estimate(ctx context.Context) (Estimate, error) {
	p := &preview{Run: s.NewRun(Comparison{}), cost: embedding.NewEstimator(s.Store.ModelProperties)}
	for i, f := range s.Folders {
		if err := p.estimateFolder(ctx, i); err != nil {
			return Estimate{}, fmt.Errorf("read %s: %w", f.Dir(), err)
		}
	}
	p.finish()
	return Estimate{Files: p.files, Cost: p.cost.Cost, SampleTexts: p.cost.SampleTexts, Skipped: append([]notice.SkippedFile{}, p.Report.Skipped...)}, nil
}

// preview is a run that reads folders to estimate the cost of indexing them. It saves nothing.
type preview struct {
	*Run
	files int
	cost  *embedding.Estimator
}

func (p *preview) estimateFolder(ctx context.Context, folder int) error {
	// The catalogue is in memory, with the vectors of the stored one.
	c, err := p.s.Folders[folder].Storage.OpenEphemeral(ctx, p.s.Store.Embedder.ModelIdentity())
	if err != nil {
		return err
	}
	p.s.Store.SetFollower(folder, &live.Follower{Catalog: c.Catalog}) // closed with the others
	files, err := p.scan(ctx, folder, []Subtree{{Folder: folder, Base: "."}})
	if err != nil {
		return err
	}
	p.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ExpectFiles(len(files)) })
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed, prepared := make(chan ingest.FetchedFile), make(chan ingest.PreparedDocument)
	var group sync.WaitGroup
	for range workerCount() {
		group.Go(func() {
			for f := range feed {
				var d ingest.PreparedDocument
				err := p.s.Guard.Catch("look at a file", func() (err error) {
					d, err = p.s.Reader.Prepare(ctx, folder, f, nil, false)
					return err
				})
				if err != nil {
					cancel(err)
				} else {
					prepared <- d
				}
			}
		})
	}
	go func() {
		defer close(prepared)
		err := p.s.Guard.Catch("read the files of a folder", func() error {
			p.s.Reader.FetchAll(ctx, folder, files, feed)
			return nil
		})
		group.Wait()
		if err != nil {
			cancel(err)
		}
	}()
	for d := range prepared {
		if err := p.s.Guard.Catch("look at a file", func() error { return p.add(ctx, folder, c, d) }); err != nil {
			cancel(err)
		}
	}
	return context.Cause(ctx)
}

// add adds the cost of a document.
func (p *preview) add(ctx context.Context, folder int, c catalog.Vectors, d ingest.PreparedDocument) error {
	p.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddReadFiles(1) })
	if d.SkipReason != "" {
		p.recordSkipped(folder, d.Path, d.SkipReason)
		return nil
	}
	p.files++
	return p.cost.Add(ctx, d.RecordWithBody, c)
}
