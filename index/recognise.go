package index

import (
	"context"
	"slices"

	"vademecum/docs"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Recognise has the text recognised of the scanned pages that wait in folders which this
// process indexes, and has a report of a Sync report what came of that. What was done stays when
// it fails; the error is that of ctx, or why no more pages can be recognised.
func (ix *Index) Recognise(ctx context.Context, report *notice.Report) error {
	var done []*search.Document
	err := ix.engine.Syncer.PublishWhile(ctx, func() (err error) {
		done, err = ix.engine.Recognition.Finish(ctx)
		return err
	})
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
	for i, s := range report.Skipped { // most were read before it was known what waits
		report.Skipped[i].Reason = ix.skipReason(s.Reason)
	}
	report.Total = ix.store.CountDocuments()
	return err
}

// CheckRecognition has answers report why scanned pages that wait in folders which this process
// indexes cannot be recognised, if so. It starts the program that does it.
func (ix *Index) CheckRecognition(ctx context.Context) { ix.engine.Recognition.Check(ctx) }

// skipOf returns why a document is not indexed.
func (ix *Index) skipOf(d *search.Document) message.Message { return ix.skipReason(d.Skip) }

// skipReason returns why a document is not indexed, by what was said when it was read: a scan waits
// where its text is to be recognised.
func (ix *Index) skipReason(whenRead message.Message) message.Message {
	if docs.CountScanned("", whenRead) > 0 && ix.fresh.WaitingScans().Left > 0 {
		return waiting
	}
	return whenRead
}

var waiting = message.New("a scan, or a picture, that waits to be recognised")
