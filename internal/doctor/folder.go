package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index/notice"
	"vademecum/internal/present"
)

// checkFolders tells what is to be read in the folders, and what is not.
func (s *examination) checkFolders(ctx context.Context, tell func(Finding)) {
	for _, dir := range s.Folders {
		files, err := scanFolder(ctx, dir)
		if err != nil {
			tell(Finding{Fault, "folder", fmt.Sprintf("%s cannot be read: %v", present.QuoteName(dir), err), adviceOnAccess(err)})
			continue
		}
		s.directories += countDirectories(files)
		tell(countFiles(dir, files))
	}
}

func scanFolder(ctx context.Context, dir string) ([]docs.File, error) {
	folder, err := docs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Scan(ctx, ".")
}

func adviceOnAccess(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "let your user read the folder; on macOS, allow the host under System Settings, Privacy & Security, Files and Folders"
	case errors.Is(err, docs.ErrSilent), errors.Is(err, context.DeadlineExceeded):
		return "its drive does not answer: see whether it is connected"
	}
	return "see whether the folder opens in other programs"
}

// countFiles counts the files of a folder that are read, and the others by why they are
// not.
func countFiles(dir string, files []docs.File) Finding {
	why := make(map[string]int)
	for _, f := range files {
		if f.Skip != "" {
			why[f.Skip.String()]++
		}
	}
	left := 0
	for _, n := range why {
		left += n
	}
	f := Finding{Level: OK, About: "folder", Says: fmt.Sprintf("%s: %s to read", present.QuoteName(dir), notice.CountNoun(len(files)-left, "file"))}
	if left > 0 {
		f.Says += fmt.Sprintf(", %d left out (%s)", left, frequentReasons(why))
	}
	if left == len(files) {
		f.Level = Warning
		f.Advice = "give the folder with your documents; hidden files and what .gitignore names are left out"
	}
	return f
}

// mostReasons is how many reasons are told.
const mostReasons = 4

// frequentReasons lists the most frequent ones.
func frequentReasons(why map[string]int) string {
	sorted := slices.SortedFunc(maps.Keys(why), func(a, b string) int {
		return cmp.Or(cmp.Compare(why[b], why[a]), cmp.Compare(a, b))
	})
	var told []string
	for _, reason := range sorted[:min(mostReasons, len(sorted))] {
		told = append(told, fmt.Sprintf("%d: %s", why[reason], reason))
	}
	if len(sorted) > mostReasons {
		told = append(told, "…")
	}
	return strings.Join(told, "; ")
}

// countDirectories counts those that have files: what is watched.
func countDirectories(files []docs.File) int {
	seen := make(map[string]bool)
	for _, f := range files {
		for dir := path.Dir(f.Path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	return len(seen)
}
