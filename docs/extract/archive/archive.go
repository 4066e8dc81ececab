// Package archive lists the files of a zip archive under readable names, and unpacks them within
// limits. Other packages read their content. Nothing is ever written to disk.
//
// The format is that of PKWARE's APPNOTE.TXT, which archive/zip reads.
package archive

import (
	"archive/zip"
	"cmp"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

const (
	maxName  = 1 << 10 // maximum length of a name in bytes
	maxRatio = 200     // maximum ratio of the unpacked size of a member to its compressed size
	fineSize = 1 << 20 // unpacked size in bytes up to which the ratio does not matter
)

var (
	errNameTooLong    = extract.Skip("its name is too long")
	errRatio          = extract.Skip("unpacks to more than %d times its size", maxRatio)
	errMethod         = extract.Skip("unknown compression method")
	errUnpacksTooMuch = extract.Skip("the archive %v", extract.ErrUnpackedTooLarge)
)

// An Archive is an open zip archive, from which members are read within limits.
type Archive struct {
	Members        []Member // sorted by name
	IsNotionExport bool     // whether the archive is an export from Notion
	remainingBytes int64    // bytes that may still be unpacked
}

// A Member is a file in an archive.
type Member struct {
	Name string // with slashes, from the root of the archive; unique
	file *zip.File
	why  error // why the member cannot be unpacked, a *extract.SkipError; nil if no reason is known yet
}

// OpenZip reads the directory of a zip archive. Folders, hidden files and the files that macOS adds
// are not members. The members of a Notion export are its pages, without the IDs in their names.
// The error is a *extract.SkipError.
func OpenZip(raw []byte) (*Archive, error) {
	a := &Archive{remainingBytes: extract.MaxUnpackedBytes}
	if err := a.addMembers(raw); err != nil {
		return nil, err
	}
	a.unfoldExport()
	slices.SortStableFunc(a.Members, func(x, y Member) int { return cmp.Compare(x.Name, y.Name) })
	a.makeNamesUnique()
	return a, nil
}

// addMembers adds the files in a zip archive.
func (a *Archive) addMembers(raw []byte) error {
	files, err := zipxml.ListEntries(raw)
	if err != nil {
		return err
	}
	if len(a.Members)+len(files) > extract.MaxArchiveEntries {
		return extract.ErrTooManyFiles
	}
	decode := nameDecoder(files)
	for _, f := range files {
		m := Member{Name: cleanName(decode(f)), file: f}
		if !f.FileInfo().IsDir() && !strings.HasSuffix(f.Name, `\`) && !isHidden(m.Name) {
			a.Members = append(a.Members, m)
		}
	}
	return nil
}

// cleanName returns a slash-separated name relative to the root of the archive. A name that would
// lead outside the archive becomes one inside it.
func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// isHidden reports whether a component of a path begins with a dot or is the folder in which macOS
// stores file metadata.
func isHidden(name string) bool {
	if name == "" {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}

// makeNamesUnique appends a number to each name that occurred before, as file managers do.
func (a *Archive) makeNamesUnique() {
	taken := make(map[string]bool, len(a.Members))
	count := make(map[string]int)
	for i := range a.Members {
		m := &a.Members[i]
		name := m.Name
		for taken[m.Name] {
			count[name]++
			extension := path.Ext(name)
			m.Name = strings.TrimSuffix(name, extension) + " (" + strconv.Itoa(count[name]+1) + ")" + extension
		}
		taken[m.Name] = true
	}
}

// Size returns the unpacked size of a member in bytes, as the archive declares it.
func (m *Member) Size() int64 { return int64(min(m.file.UncompressedSize64, 1<<62)) }

// CheckReadable returns nil if the directory of the archive does not prevent the member from being
// unpacked, otherwise the reason, such as a password, as a *extract.SkipError.
func (m *Member) CheckReadable() error {
	const encrypted = 1 // APPNOTE 4.4.4
	switch {
	case m.why != nil:
		return m.why
	case m.file.Flags&encrypted != 0:
		return extract.ErrPasswordProtected
	case len(m.Name) > maxName:
		return errNameTooLong
	case m.Size() > extract.MaxFileBytes:
		return extract.ErrTooLarge
	case m.Size() > fineSize && m.file.UncompressedSize64/maxRatio > m.file.CompressedSize64:
		return errRatio
	}
	return nil
}

// Read unpacks a member within the limits, without relying on its declared size. The error is a
// *extract.SkipError.
func (a *Archive) Read(m *Member) ([]byte, error) {
	if err := m.CheckReadable(); err != nil {
		return nil, err
	}
	if m.Size() > a.remainingBytes {
		return nil, errUnpacksTooMuch
	}
	r, err := m.file.Open()
	if err != nil {
		return nil, skipReason(err)
	}
	defer r.Close()
	limit := min(a.remainingBytes, max(fineSize, maxRatio*int64(min(m.file.CompressedSize64, extract.MaxFileBytes))), extract.MaxFileBytes)
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	a.remainingBytes -= min(a.remainingBytes, int64(len(content)))
	switch {
	case int64(len(content)) > limit:
		return nil, errRatio
	case err != nil:
		return nil, skipReason(err)
	}
	return content, nil
}

func skipReason(err error) error {
	if errors.Is(err, zip.ErrAlgorithm) {
		return errMethod
	}
	return extract.ErrDamagedZip
}
