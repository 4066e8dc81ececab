package index

import (
	"context"
	"slices"

	"vademecum/docs"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Recognise recognises the text of the waiting scanned pages in folders that this process indexes,
// and adds the result to the report of a Sync. Pages completed before an error are kept. The error
// is that of ctx, or the reason why no more pages can be recognised.
func (ix *Index) Recognise(ctx context.Context, report *notice.Report) error {
	var done []*search.Document
	err := ix.syncer.PublishProgressWhile(ctx, func() (err error) {
		done, err = ix.syncer.Recognition.RecogniseNow(ctx)
		return err
	})
	for _, d := range done {
		path, before := ix.folders.ShownPath(d.Location()), len(report.Skipped)
		report.Skipped = slices.DeleteFunc(report.Skipped, func(s notice.SkippedFile) bool { return s.Path == path })
		switch {
		case d.SkipReason != "":
			report.Skipped = append(report.Skipped, notice.SkippedFile{Path: path, Reason: d.SkipReason})
		case len(report.Skipped) < before:
			report.Indexed++
		}
	}
	for i, s := range report.Skipped { // most were read before it was known that they would wait
		report.Skipped[i].Reason = ix.skipReason(s.Reason)
	}
	report.SearchableDocuments = ix.store.CountDocuments()
	return err
}

// ReportMissingRecogniser makes answers report it if waiting scanned pages in folders that this
// process indexes cannot be recognised. It starts the program that recognises text.
func (ix *Index) ReportMissingRecogniser(ctx context.Context) {
	ix.syncer.Recognition.CheckRecogniser(ctx)
}

// skipOf returns why a document is not indexed; "" if it is.
func (ix *Index) skipOf(d *search.Document) message.Message {
	return ix.skipReason(ix.syncer.CurrentSkipReason(d))
}

// skipReason returns why a document is not indexed, given the reason found when it was read: a scan
// is waiting if its text is to be recognised.
func (ix *Index) skipReason(whenRead message.Message) message.Message {
	if docs.CountUnrecognisedPages("", whenRead) > 0 && ix.syncer.Freshness().PagesToRecognise().Left > 0 {
		return waiting
	}
	return whenRead
}

var waiting = message.New("a scan or picture waiting for text recognition")
