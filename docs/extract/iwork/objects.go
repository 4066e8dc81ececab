package iwork

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

// maxObjects is how many objects are held of a document.
const maxObjects = 1 << 20

// An object is an object of an IWA archive: its kind is a message type number that the programs
// define, and its content is a protobuf message.
type object struct {
	kind uint64
	protobufMessage
}

// readObjects returns the objects in the archives of a document, by their numbers.
// A file of archives that is damaged is left out, and counted.
func readObjects(a *zipxml.Archive) (objects map[uint64]object, damaged int, err error) {
	objects = make(map[uint64]object)
	left := extract.MaxUnpacked
	for _, f := range a.Files {
		if path.Ext(f.Name) != archiveExtension {
			continue
		}
		content, err := readArchives(a, f.Name, left)
		switch {
		case err != nil && extract.IsLimit(err):
			return nil, 0, err
		case err != nil:
			damaged++
			continue
		}
		left -= len(content)
		if !addObjects(objects, content) {
			damaged++
		}
		if len(objects) > maxObjects {
			return nil, 0, errTooMany
		}
	}
	return objects, damaged, nil
}

func readArchives(a *zipxml.Archive, name string, limit int) ([]byte, error) {
	packed, err := a.ReadFile(name)
	if err != nil {
		return nil, zipxml.SkipReason(err)
	}
	return decodeIWA(packed, limit)
}

// addObjects adds the objects of a file. Each is preceded by its description
// (TSP.ArchiveInfo), with the length of its message and of those that modify it. It
// reports whether the file is complete.
func addObjects(objects map[uint64]object, content []byte) bool {
	for len(content) > 0 && len(objects) <= maxObjects {
		length, n := binary.Uvarint(content)
		if n <= 0 || length > uint64(len(content)-n) {
			return false
		}
		info := protobufMessage(content[n : n+int(length)])
		content = content[n+int(length):]
		isFirst := true
		for part := range info.eachMessage(2) {
			size := part.number(3)
			if size > uint64(len(content)) {
				return false
			}
			if isFirst {
				objects[info.number(1)] = object{kind: part.number(1), protobufMessage: content[:size]}
			}
			isFirst, content = false, content[size:]
		}
	}
	return true
}

const archiveExtension = ".iwa"

// openArchives returns the zip archive that holds the archives of a document: the
// file itself, or one in it; nil where there is neither.
func openArchives(a *zipxml.Archive) (*zipxml.Archive, error) {
	for _, f := range a.Files {
		switch {
		case path.Ext(f.Name) == archiveExtension:
			return a, nil
		case path.Base(f.Name) == "Index.zip":
			raw, err := a.ReadFile(f.Name)
			if err != nil {
				return nil, zipxml.SkipReason(err)
			}
			return zipxml.Open(raw)
		}
	}
	return nil, nil
}

// isEncrypted reports whether a document has a password: then it holds what checks
// the password, in a file, or until 2013 beside one in the directory of the archive.
func isEncrypted(a *zipxml.Archive) bool {
	for _, f := range a.Files {
		if strings.HasPrefix(path.Base(f.Name), ".iwpv") || bytes.Contains(f.Extra, []byte("iwpv")) {
			return true
		}
	}
	return false
}
