package sync_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync/syncertest"
)

// TestCommandTellsHowFarItIs: a window that is opened while a command indexes
// knows that it is behind.
func TestCommandTellsHowFarItIs(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	command := syncertest.NewLoaded(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
	err := command.PublishProgressWhile(t.Context(), func() error {
		if !command.IsIndexer(0) {
			return errors.New("it does not lead")
		}
		command.FreshnessPublisher.Update((*freshness.Snapshot).StartRun)
		command.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ExpectFiles(7) })
		ix := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- ix.Run(ctx) }()
		indextest.Eventually(t, indextest.ShortTimeout, "it says how far the command is", func() bool {
			return strings.Contains(strings.Join(notice.EnglishLines(ix.Freshness().AllNotes()), " "), "being built: 0 of 7 files that are new, changed or to be read again are done")
		})
		command.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(nil, true) })
		cancel()
		return <-done
	})
	indextest.Must(t, err)
}
