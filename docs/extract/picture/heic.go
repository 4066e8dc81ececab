// Pictures in HEIC, the format of telephones (ISO/IEC 23008-12), are converted by an
// installed program: no decoder exists without code in C.

package picture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vademecum/docs/extract"
	"vademecum/internal/base/external"
	"vademecum/internal/base/message"
)

// ErrNoHEICConverter reports that no program is installed that converts HEIC pictures.
var ErrNoHEICConverter = message.Errorf("HEIC picture: no program is installed that converts it (heif-convert or ImageMagick)")

// A converter is a program that makes a HEICToJPEG of a picture.
type converter struct {
	name string
	args func(from, to string) []string
	// turns reports that the program rotates the picture upright. Otherwise the JPEG has the
	// orientation in its metadata.
	turns bool
}

// converters are the supported programs, the best first.
var converters = []converter{
	{"heif-dec", libheifArgs, true}, // of libheif 1.18 and later
	{"heif-convert", libheifArgs, true},
	{"sips", func(from, to string) []string { return []string{"-s", "format", "jpeg", from, "--out", to} }, false}, // of macOS
	{"magick", magickArgs, true}, // ImageMagick 7
}

func libheifArgs(from, to string) []string { return []string{"-q", "92", from, to} }

// magickArgs name the format, so that no content has the program take a picture for another one.
func magickArgs(from, to string) []string {
	return []string{"heic:" + from + "[0]", "-strip", "-quality", "92", "jpeg:" + to}
}

// installed is the converter that was found last.
var installed struct {
	sync.Mutex
	converter
	path string // "" where there is none
	at   time.Time
}

// lookAgain is how long the result of looking for programs is cached: a scan asks for
// each picture.
const lookAgain = time.Minute

// find returns the converter, and its path.
func find() (c converter, path string) {
	installed.Lock()
	defer installed.Unlock()
	if time.Since(installed.at) < lookAgain {
		return installed.converter, installed.path
	}
	installed.converter, installed.path, installed.at = converter{}, "", time.Now()
	for _, c := range converters {
		if path := external.Find(c.name); path != "" {
			installed.converter, installed.path = c, path
			break
		}
	}
	return installed.converter, installed.path
}

// HasHEICConverter reports whether a program is installed that converts pictures.
func HasHEICConverter() bool {
	_, path := find()
	return path != ""
}

// brands are the file brands of HEIC pictures, or of files that may contain them (ISO/IEC 23008-12,
// annex B).
var brands = []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}

// IsHEIC reports whether a file begins like a HEIC picture.
func IsHEIC(raw []byte) bool {
	return len(raw) > 12 && string(raw[4:8]) == "ftyp" && slices.Contains(brands, string(raw[8:12]))
}

// limit is the time for a picture, which takes some 2 s.
const limit = time.Minute

// HEICToJPEG converts a picture to JPEG. Both are written to a temporary folder of the user alone,
// as such programs only read and write files. The error is a *extract.SkipError if the picture is
// at fault, or matches ErrNoHEICConverter.
func HEICToJPEG(ctx context.Context, raw []byte) (jpeg []byte, err error) {
	c, path := find()
	if path == "" {
		return nil, ErrNoHEICConverter
	}
	dir, err := os.MkdirTemp("", "vademecum-heic-")
	if err != nil {
		return nil, fmt.Errorf("convert a picture: %w", err)
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(dir)) }()
	from, to := filepath.Join(dir, "in.heic"), filepath.Join(dir, "out.jpg")
	if err := os.WriteFile(from, raw, 0o600); err != nil {
		return nil, fmt.Errorf("convert a picture: %w", err)
	}
	run, err := external.Command{Name: c.name, Path: path, Args: c.args(from, to), Limit: limit}.Run(ctx)
	switch {
	case ctx.Err() != nil, run.HadTooLittleCPU(err), errors.Is(err, external.ErrKilled):
		return nil, err
	case err != nil:
		return nil, &extract.SkipError{Reason: message.OfError(err)}
	}
	if jpeg, err = firstOf(dir); err != nil {
		return nil, extract.Skip("%s made no picture of it", c.name)
	}
	if c.turns {
		jpeg = withoutExif(jpeg)
	}
	return jpeg, nil
}

// firstOf returns the first picture that a program has written: of a file with several,
// heif-convert numbers them.
func firstOf(dir string) ([]byte, error) {
	all, err := filepath.Glob(filepath.Join(dir, "out*.jpg"))
	if err != nil || len(all) == 0 {
		return nil, cmp.Or(err, os.ErrNotExist)
	}
	slices.Sort(all)
	return os.ReadFile(all[0])
}

// withoutExif removes the metadata of the camera from a JPEG: the picture is upright already,
// though some versions of the programs keep the orientation.
func withoutExif(jpeg []byte) []byte {
	const marker, app1, scan, header = 0xFF, 0xE1, 0xDA, 2
	out := bytes.Clone(jpeg[:min(header, len(jpeg))])
	at := header
	for at+4 <= len(jpeg) && jpeg[at] == marker && jpeg[at+1] != scan {
		end := at + 2 + int(jpeg[at+2])<<8 + int(jpeg[at+3])
		if end > len(jpeg) {
			break
		}
		if jpeg[at+1] != app1 {
			out = append(out, jpeg[at:end]...)
		}
		at = end
	}
	return append(out, jpeg[min(at, len(jpeg)):]...)
}
