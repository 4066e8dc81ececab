package sync

import (
	"errors"
	"maps"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/extract"
	"vademecum/index/freshness"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
)

func TestFileThatCannotBeReadRests(t *testing.T) {
	f := docs.File{Path: "a.pdf", Size: 1, ModTime: time.Unix(1, 0)}
	r := catalog.Record{Size: 1, Modified: f.ModTime, ReadAt: time.Now(), SkipReason: catalog.ReadFailureReason(errors.New("the machine is too busy"))}
	d := search.NewDocument(&r, 0)
	if !wasJustTried(d, f) {
		t.Error("tried again at once")
	}
	r.ReadAt = r.ReadAt.Add(-2 * freshness.RescanInterval)
	d.SetFileSizeAndTimes(&r)
	if wasJustTried(d, f) {
		t.Error("never tried again")
	}
	r.ReadAt, f.Size = time.Now(), 2
	d.SetFileSizeAndTimes(&r)
	if wasJustTried(d, f) {
		t.Error("not tried again though it changed")
	}
	d.SkipReason, f.Size = "", 1
	if wasJustTried(d, f) {
		t.Error("a file that was read rests")
	}
}

// TestWholeOf: a part of a folder, or a pattern in all of it, is not the folder.
func TestWholeOf(t *testing.T) {
	areas := []Subtree{{Folder: 0, Base: "."}, {Folder: 1, Base: ".", Glob: glob.Parse("*.md")}, {Folder: 2, Base: "a"}}
	if got := foldersInWhole(areas); !maps.Equal(got, map[int]bool{0: true}) {
		t.Errorf("whole are %v", got)
	}
}

// TestConverterThatCame: a picture for which no program was installed that converts it is taken up
// again once there is one, and is not read again each time after that.
func TestConverterThatCame(t *testing.T) {
	f := docs.File{Path: "a.heic", Size: 1, ModTime: time.Unix(1, 0), SkipReason: extract.WithUnrecognisedPageCount("not a text format", 1)}
	r := catalog.Record{Size: 1, Modified: f.ModTime, ReadAt: time.Now(), SkipReason: message.New("no program").WithCode("unconverted")}
	d := search.NewDocument(&r, 0)
	if !docs.IsMissingConverterSkip(d.SkipReason) || isCurrent(d, f) {
		t.Error("it is never taken up")
	}
	for _, skip := range []message.Message{f.SkipReason, "too small", ""} {
		d.SkipReason = skip
		if !isCurrent(d, f) {
			t.Errorf("it is read again where it says %q", skip)
		}
	}
}
