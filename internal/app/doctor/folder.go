package doctor

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// checkFolders reports which files of the folders can be read and which cannot.
func (s *examination) checkFolders(ctx context.Context, report func(Finding)) {
	for _, dir := range s.Folders {
		found, err := scanFolder(ctx, dir)
		if err != nil {
			report(unreadableFolder(dir, err))
			continue
		}
		s.directories += countDirectories(found.Files)
		s.pictures += countPictures(found.Files)
		s.admitPictures(found.Files)
		report(countFiles(dir, found.Files))
		for _, folders := range notice.FoldersFilledByProgramsMessages(found.FoldersFilledByPrograms()) {
			report(Finding{LevelOK, AreaFolder, message.New("%s, left out: %v", present.QuoteName(dir), folders), ""})
		}
	}
}

// countPictures counts the files that may be scans. All PDFs are counted: only the index knows
// which of them are scans.
func countPictures(files []docs.File) (n int) {
	for _, f := range files {
		if f.NeedsOCR() || f.SkipReason == "" && strings.EqualFold(path.Ext(f.Path), ".pdf") {
			n++
		}
	}
	return n
}

// admitPictures marks those pictures as readable whose text will be recognised.
func (s *examination) admitPictures(files []docs.File) {
	if s.Recogniser == nil || !s.Recogniser.IsInstalled() {
		return
	}
	for i := range files {
		if files[i].NeedsOCR() {
			files[i].SkipReason = ""
		}
	}
}

// unreadableFolder returns a finding that explains why a folder cannot be read.
func unreadableFolder(dir string, err error) Finding {
	if missing := new(docs.FolderMissingError); errors.As(err, missing) {
		err = missing.Reason
	}
	return Finding{LevelFault, AreaFolder, message.New("%s cannot be read: %v", present.QuoteName(dir), err), adviceOnAccess(err)}
}

func scanFolder(ctx context.Context, dir string) (docs.ScanResult, error) {
	folder, err := docs.Open(dir)
	if err != nil {
		return docs.ScanResult{}, err
	}
	defer folder.Close()
	return folder.ScanWithExclusions(ctx)
}

func adviceOnAccess(err error) message.Message {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return message.New("give your user permission to read the folder; on macOS, allow the host under System Settings, Privacy & Security, Files and Folders")
	case errors.Is(err, docs.ErrNotResponding), errors.Is(err, context.DeadlineExceeded):
		return message.New("its drive does not respond: check whether it is connected")
	}
	return message.New("check whether the folder opens in other programs")
}

// countFiles returns a finding on how many files of a folder are read, and how many are not, by
// reason.
func countFiles(dir string, files []docs.File) Finding {
	why := make(map[message.Message]int)
	for _, f := range files {
		if f.SkipReason != "" {
			why[f.SkipReason]++
		}
	}
	left := 0
	for _, n := range why {
		left += n
	}
	f := Finding{Level: LevelOK, Area: AreaFolder, Description: message.New("%s: %v to read", present.QuoteName(dir), message.New("%d files", len(files)-left))}
	if left > 0 {
		f.Description = message.New("%v, %d left out (%v)", f.Description, left, frequentReasons(why))
	}
	if left == len(files) {
		f.Level = LevelWarning
		f.Advice = message.New("give the folder with your documents; hidden files and what .gitignore names are left out")
	}
	return f
}

// mostReasons is the maximum number of reasons listed.
const mostReasons = 4

// frequentReasons lists the most frequent of the reasons, given with their numbers of files.
func frequentReasons(why map[message.Message]int) message.Message {
	sorted := slices.SortedFunc(maps.Keys(why), func(a, b message.Message) int {
		return cmp.Or(cmp.Compare(why[b], why[a]), cmp.Compare(a.String(), b.String()))
	})
	var told []message.Message
	for _, reason := range sorted[:min(mostReasons, len(sorted))] {
		told = append(told, message.New("%d: %v", why[reason], reason))
	}
	if len(sorted) > mostReasons {
		told = append(told, "…")
	}
	return message.Join(told...)
}

// countDirectories returns the number of directories that contain files, which are those that have
// to be watched.
func countDirectories(files []docs.File) int {
	seen := make(map[string]bool)
	for _, f := range files {
		for dir := path.Dir(f.Path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	return len(seen)
}
