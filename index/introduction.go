package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"vademecum/index/store/location"
)

// mostIntroduction is the maximum size of the file, in bytes.
const mostIntroduction = 16 << 10

// savedIntroduction lets a process describe the documents before they are loaded. It is a cache,
// which may be lost at any time.
type savedIntroduction struct {
	Folders []string // paths of the folders that it describes
	Text    string
}

// introductionFile returns the path of the introduction, next to the index file of the first
// folder; "" if the index has no file.
func (ix *Index) introductionFile() string {
	if len(ix.folders) == 0 || ix.folders[0].Storage.Describe().File == "" {
		return ""
	}
	return ix.folders[0].Storage.Describe().File + location.IntroductionSuffix
}

// SavedIntroduction returns the saved text that introduces the documents, even while they are being
// loaded; "" if there is none.
func (ix *Index) SavedIntroduction() string {
	file := ix.introductionFile()
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // opening a pipe would wait for its other end
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	var saved savedIntroduction
	if err := json.NewDecoder(io.LimitReader(f, mostIntroduction)).Decode(&saved); err != nil || !slices.Equal(saved.Folders, ix.Folders()) {
		return ""
	}
	return saved.Text
}

// SaveIntroduction saves a text for SavedIntroduction, if the index has a file.
func (ix *Index) SaveIntroduction(text string) error {
	file := ix.introductionFile()
	content, err := json.Marshal(savedIntroduction{ix.Folders(), text})
	if file == "" || err != nil || len(content) > mostIntroduction {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".tmp-*")
	if err != nil {
		return fmt.Errorf("save the introduction: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("save the introduction: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
