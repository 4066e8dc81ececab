package ranking

import (
	"path"
	"strings"

	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// areFormats reports whether two documents may be one text in several formats, judged by their
// paths: names of versions (see isNamedVersion) in one directory, or the same name with different
// extensions in paths that differ in one folder: "html/x.html" and "md/x.md". The letters to two
// patients, each in a folder of its own, have the same extension.
func areFormats(a, b *search.Document) bool {
	if a == b || a.Folder != b.Folder {
		return false
	}
	if path.Dir(a.Path) == path.Dir(b.Path) {
		return isNamedVersion(a.Path, b.Path)
	}
	ext, other := path.Ext(a.Path), path.Ext(b.Path)
	return ext != other && differInOneFolder(strings.TrimSuffix(a.Path, ext), strings.TrimSuffix(b.Path, other))
}

// differInOneFolder reports whether two paths are the same except for the name of one folder.
func differInOneFolder(a, b string) bool {
	differ := 0
	for a != "" || b != "" {
		var first, other string
		var isFolder, otherIs bool
		first, a, isFolder = strings.Cut(a, "/")
		other, b, otherIs = strings.Cut(b, "/")
		if isFolder != otherIs {
			return false
		}
		if first != other {
			differ++
			if !isFolder {
				return false
			}
		}
	}
	return differ == 1
}

// isNamedVersion reports whether two files in a directory have names like versions of one text:
// "plan.pdf", "plan.docx", "plan - final.docx", "plan (1).docx". A name with an additional number
// is a part of something rather than a version.
func isNamedVersion(a, b string) bool {
	a, b = strings.TrimSuffix(a, path.Ext(a)), strings.TrimSuffix(b, path.Ext(b))
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, isLonger := strings.CutPrefix(b, a)
	if rest = copyNumber.ReplaceAllString(rest, ""); !isLonger || rest == "" {
		return isLonger
	}
	return strings.IndexAny(rest, " -_.(（") == 0 && !strings.ContainsAny(rest, "0123456789")
}

// copyNumber matches what operating systems append to the name of a copy.
var copyNumber = lazyregexp.New(`^ ?[(（]\d{1,2}[)）]$`)
