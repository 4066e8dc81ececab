package local

import (
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	mostWeights   = 2_500_000_000 // bytes of weights; with more, a passage takes seconds
	mostTokenizer = 64 << 20      // bytes of tokenizer.json; the largest known one has 33 MB
	mostConfig    = 4 << 20       // bytes of each other file
)

var errNotRegular = errors.New("it is no regular file")

// openRegular opens a regular file, following links. It checks the type before, because opening a
// device may have effects, and after, because another file may have replaced it.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, missingFileError(err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, missingFileError(err)
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, errNotRegular)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// readFile reads a file of no more than most bytes. Errors include its name.
func readFile(path string, most int64) ([]byte, error) {
	file, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() > most {
		return nil, fmt.Errorf("%s has %.1f MB, and is read up to %.1f", path, float64(info.Size())/1e6, float64(most)/1e6)
	}
	return io.ReadAll(io.LimitReader(file, most)) // the file may grow in the meantime
}
