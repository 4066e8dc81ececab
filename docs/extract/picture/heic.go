// HEIC pictures (ISO/IEC 23008-12), the format of mobile phones, are converted by an installed
// program: no decoder exists without C code.

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

// ErrNoHEICConverter reports that no installed program can convert HEIC pictures.
var ErrNoHEICConverter = message.Errorf("HEIC picture: no program to convert it is installed (heif-convert or ImageMagick)")

// A converter is a program that converts HEIC pictures to JPEG.
type converter struct {
	name string
	args func(from, to string) []string
	// turns reports whether the program rotates the picture upright. If it does not, the JPEG has
	// the orientation in its metadata.
	turns bool
}

// converters are the supported programs, in order of preference.
var converters = []converter{
	{"heif-dec", libheifArgs, true}, // part of libheif 1.18 and later
	{"heif-convert", libheifArgs, true},
	{"sips", func(from, to string) []string { return []string{"-s", "format", "jpeg", from, "--out", to} }, false}, // part of macOS
	{"magick", magickArgs, true}, // ImageMagick 7
}

func libheifArgs(from, to string) []string { return []string{"-q", "92", from, to} }

// magickArgs returns the arguments for ImageMagick. They name the format, so that the content of
// the file cannot make the program use another decoder.
func magickArgs(from, to string) []string {
	return []string{"heic:" + from + "[0]", "-strip", "-quality", "92", "jpeg:" + to}
}

// installed caches the result of the last search for a converter.
var installed struct {
	sync.Mutex
	converter
	path string // path of the converter; "" if none is installed
	at   time.Time
}

// lookAgain is how long the result of the search for a converter is cached: every picture in a
// folder asks for it.
const lookAgain = time.Minute

// find returns the installed converter and its path, or "" if there is none.
func find() (c converter, path string) {
	installed.Lock()
	defer installed.Unlock()
	if time.Since(installed.at) < lookAgain {
		return installed.converter, installed.path
	}
	installed.converter, installed.path, installed.at = converter{}, "", time.Now()
	for _, c := range converters {
		if path := external.FindProgram(c.name); path != "" {
			installed.converter, installed.path = c, path
			break
		}
	}
	return installed.converter, installed.path
}

// HasHEICConverter reports whether an installed program can convert HEIC pictures.
func HasHEICConverter() bool {
	_, path := find()
	return path != ""
}

// brands are the file brands of HEIC pictures and of files that may contain them (ISO/IEC 23008-12,
// annex B).
var brands = []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}

// IsHEIC reports whether a file begins like a HEIC picture.
func IsHEIC(raw []byte) bool {
	return len(raw) > 12 && string(raw[4:8]) == "ftyp" && slices.Contains(brands, string(raw[8:12]))
}

// limit is the maximum time for converting a picture, which usually takes about 2 s.
const limit = time.Minute

// HEICToJPEG converts a HEIC picture to JPEG. Both are written to a temporary directory that only
// the user can access, as such programs only read and write files. The error is a
// *extract.SkipError if the picture is at fault; it matches ErrNoHEICConverter if there is no
// converter.
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
	run, err := external.Command{DisplayName: c.name, Path: path, Args: c.args(from, to), Timeout: limit}.Run(ctx)
	switch {
	case ctx.Err() != nil, run.HadTooLittleCPU(err), errors.Is(err, external.ErrKilled):
		return nil, err
	case err != nil:
		return nil, &extract.SkipError{Reason: message.FromError(err)}
	}
	if jpeg, err = firstOf(dir); err != nil {
		return nil, extract.Skip("%s did not convert it to a picture", c.name)
	}
	if c.turns {
		jpeg = withoutExif(jpeg)
	}
	return jpeg, nil
}

// firstOf returns the first picture that a converter has written into dir: heif-convert numbers the
// pictures of a file with several.
func firstOf(dir string) ([]byte, error) {
	all, err := filepath.Glob(filepath.Join(dir, "out*.jpg"))
	if err != nil || len(all) == 0 {
		return nil, cmp.Or(err, os.ErrNotExist)
	}
	slices.Sort(all)
	return os.ReadFile(all[0])
}

// withoutExif returns a JPEG without its Exif metadata: the picture is upright already, but some
// versions of the converters keep the orientation in the metadata.
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
