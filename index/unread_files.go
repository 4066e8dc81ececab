package index

import (
	"context"
	"slices"

	"vademecum/docs"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// FindUnindexedFiles lists the files in the folders that a name may mean, as in FindFiles, and that are not
// in the index because no run has reached them yet. It walks the folders. The error matches
// docs.ErrRemoteFolder if the files are on other machines.
func (ix *Index) FindUnindexedFiles(ctx context.Context, name string) ([]File, error) {
	m := ix.soughtName(name)
	var all []File
	for i := range ix.folders {
		files, err := ix.scanUnread(ctx, i)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if shown := ix.folders.ShownPath(search.Location{Folder: i, Path: f.Path}); m.matches(shown) || m.leadsThrough(shown) {
				all = append(all, File{Path: shown, SkipReason: message.New("it exists but has not been read yet: vademecum index FOLDER reads it")})
			}
		}
	}
	return m.closest(all), nil
}

// scanUnread lists the files of a folder that are not in the index, without those that are never
// read.
func (ix *Index) scanUnread(ctx context.Context, folder int) ([]docs.File, error) {
	files, err := ix.folders[folder].Scan(ctx, ".")
	if err != nil {
		return nil, err
	}
	return ix.unreadOf(folder, files), nil
}

// unreadOf returns those files of a folder that are not in the index, without those that are never
// read.
func (ix *Index) unreadOf(folder int, files []docs.File) []docs.File {
	return slices.DeleteFunc(files, func(f docs.File) bool {
		_, isKnown := ix.store.Document(search.Location{Folder: folder, Path: f.Path})
		return isKnown || f.SkipReason != "" && !f.NeedsOCR()
	})
}

// surveyFolders sets for each indexed folder how many files no run has reached, and which folders
// are excluded by name. A folder that does not answer within QueryWaitTimeout is skipped.
func (ix *Index) surveyFolders(ctx context.Context, s *Status) {
	ctx, cancel := context.WithTimeout(ctx, QueryWaitTimeout)
	defer cancel()
	for i := range s.Folders {
		f := &s.Folders[i]
		if f.Bytes == 0 || f.Damage != "" || f.MismatchReason != "" || ix.folders[i].IsRemote() {
			continue
		}
		found, err := ix.folders[i].ScanWithExclusions(ctx)
		if err != nil {
			continue
		}
		f.UnreadFiles = len(ix.unreadOf(i, found.Files))
		for _, p := range found.FoldersFilledByPrograms() {
			f.ExcludedFolders = append(f.ExcludedFolders, ix.folders[i].ShownPath(p))
		}
	}
}
