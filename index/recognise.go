package index

import (
	"context"
	"slices"

	"vademecum/index/notice"
)

// Recognise has the text recognised of the scanned pages that wait in folders which this
// process indexes, and has a report of a Sync tell what came of that. What was done stays when
// it fails; the error is that of ctx, or why no more pages can be recognised.
func (ix *Index) Recognise(ctx context.Context, report *notice.Report) error {
	done, err := ix.engine.Recognition.Finish(ctx)
	for _, d := range done {
		path, before := ix.folders.ShownPath(d.Location()), len(report.Skipped)
		report.Skipped = slices.DeleteFunc(report.Skipped, func(s notice.SkippedFile) bool { return s.Path == path })
		switch {
		case d.Skip != "":
			report.Skipped = append(report.Skipped, notice.SkippedFile{Path: path, Reason: d.Skip})
		case len(report.Skipped) < before:
			report.Indexed++
		}
	}
	report.Total = ix.store.CountDocuments()
	return err
}
