package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Hosts start a server for each window, all on the same folder. One of them
// has the duty to scan, watch and index it, and one for each model the duty to
// embed; the others follow what these commit, and ask the indexer when they
// want something indexed.

// takeLeases names the locks that decide about the duties for each folder.
func (ix *Index) takeLeases() {
	model := sha256.Sum256([]byte(ix.embedder.Model()))
	for i := range ix.folders {
		f := &ix.folders[i]
		f.indexing = newLease(f.index.file + ".lock")
		f.embedding = newLease(f.index.file + "." + hex.EncodeToString(model[:4]) + ".lock")
	}
}

func (ix *Index) releaseLeases() error {
	var errs []error
	for _, f := range ix.folders {
		errs = append(errs, f.indexing.release(), f.embedding.release())
	}
	return errors.Join(errs...)
}

// leads tells whether this process keeps the index of a folder up to date.
func (ix *Index) leads(folder int) bool {
	c := ix.store.catalogue(folder)
	return c != nil && (c.unsaved || ix.folders[folder].indexing.held())
}

// embeds tells whether this process embeds what is in a folder.
func (ix *Index) embeds(folder int) bool {
	if folder == noFolder {
		return true
	}
	c := ix.store.catalogue(folder)
	return c != nil && (c.unsaved || ix.folders[folder].embedding.held())
}

// split sorts areas into those of folders that this process indexes, and those
// of others.
func (ix *Index) split(areas []area) (own []area, others map[int][]area) {
	others = make(map[int][]area)
	for _, a := range areas {
		if ix.leads(a.folder) {
			own = append(own, a)
		} else {
			others[a.folder] = append(others[a.folder], a)
		}
	}
	return own, others
}

// askEvery is how often a process looks for the answer to its request.
const askEvery = 50 * time.Millisecond

// request has the indexer of a folder bring areas up to date, or does it when
// this process becomes the indexer meanwhile.
func (ix *Index) request(ctx context.Context, folder int, areas []area, force bool) (answer, error) {
	c := ix.store.catalogue(folder)
	number, err := c.ask(ctx, requestFor(areas, force))
	if err != nil {
		return answer{}, fmt.Errorf("ask the indexer: %w", err)
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		a, ok, err := c.answered(ctx, number)
		if !ok && ctx.Err() == nil {
			if mended := ix.mend(ctx, mendPause); mended != nil {
				return answer{}, mended
			}
			if ix.store.catalogue(folder) != c { // what was asked is lost
				return ix.askAgain(ctx, folder, areas, force)
			}
		}
		switch {
		case ok:
			return ix.received(ctx, folder, a)
		case err != nil:
			return answer{}, fmt.Errorf("ask the indexer: %w", err)
		case ix.leads(folder):
			_ = c.withdraw(ctx, number) // who finds it does the same again
			return ix.fulfil(ctx, folder, requestFor(areas, force)), nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			_ = c.withdraw(context.WithoutCancel(ctx), number)
			return answer{}, ctx.Err()
		}
	}
}

// askAgain asks for the same in a new catalogue, of which this process may be
// the indexer.
func (ix *Index) askAgain(ctx context.Context, folder int, areas []area, force bool) (answer, error) {
	if ix.leads(folder) {
		return ix.fulfil(ctx, folder, requestFor(areas, force)), nil
	}
	return ix.request(ctx, folder, areas, force)
}

// received takes over what the indexer has done.
func (ix *Index) received(ctx context.Context, folder int, a answer) (answer, error) {
	if _, err := ix.store.follow(ctx, folder); err != nil {
		return answer{}, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// fulfil does what a request asks.
func (ix *Index) fulfil(ctx context.Context, folder int, wanted request) answer {
	r, err := ix.sync(ctx, wanted.areas(folder), wanted.Force)
	if err == nil {
		err = r.await(ctx)
	}
	a := answer{Report: r.report, Seen: r.seen}
	for i := range a.Report.Skipped {
		a.Report.Skipped[i].Path = strings.TrimPrefix(a.Report.Skipped[i].Path, ix.folders[folder].prefix)
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// merge adds what another process has done to a report.
func (r *run) merge(folder int, a answer) {
	r.seen += a.Seen
	r.report.Indexed += a.Report.Indexed
	r.report.Unchanged += a.Report.Unchanged
	r.report.Removed += a.Report.Removed
	for _, s := range a.Report.Skipped {
		r.skipped(folder, s.Path, s.Reason)
	}
}
