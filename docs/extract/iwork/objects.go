package iwork

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

// maxObjects is the maximum number of objects in a document.
const maxObjects = 1 << 20

// An object is an object in an IWA archive. Its kind is a message type number defined by the iWork
// programs, and its content is a protobuf message.
type object struct {
	kind uint64
	protobufMessage
}

// readObjects returns the objects in the archives of a document, by identifier, and the number of
// damaged archive files, whose objects may be missing.
func readObjects(a *zipxml.Archive) (objects map[uint64]object, damaged int, err error) {
	objects = make(map[uint64]object)
	left := extract.MaxUnpackedBytes
	for _, f := range a.Files {
		if path.Ext(f.Name) != archiveExtension {
			continue
		}
		content, err := readArchives(a, f.Name, left)
		switch {
		case err != nil && extract.IsLimitError(err):
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
		return nil, zipxml.AsSkipError(err)
	}
	return decodeIWA(packed, limit)
}

// addObjects adds the objects of an archive file to objects. Each is preceded by a header
// (TSP.ArchiveInfo) with the length of its message and of the messages that modify it. The result
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

// openArchives returns the zip archive that contains the IWA archives of a document: the file
// itself or an archive inside it; nil if there is none.
func openArchives(a *zipxml.Archive) (*zipxml.Archive, error) {
	for _, f := range a.Files {
		switch {
		case path.Ext(f.Name) == archiveExtension:
			return a, nil
		case path.Base(f.Name) == "Index.zip":
			raw, err := a.ReadFile(f.Name)
			if err != nil {
				return nil, zipxml.AsSkipError(err)
			}
			return zipxml.Open(raw)
		}
	}
	return nil, nil
}

// isEncrypted reports whether a document has a password. It then contains a password verifier: a
// file or, until 2013, an extra field in the directory of the archive.
func isEncrypted(a *zipxml.Archive) bool {
	for _, f := range a.Files {
		if strings.HasPrefix(path.Base(f.Name), ".iwpv") || bytes.Contains(f.Extra, []byte("iwpv")) {
			return true
		}
	}
	return false
}
