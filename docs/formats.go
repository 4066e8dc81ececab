package docs

import (
	"path"
	"strings"
)

// maxSize is the size in bytes above which a file is not read.
const maxSize = 50 << 20

const (
	reasonTooLarge = "larger than 50 MB"
	reasonEmpty    = "empty"
)

// skipReason returns why a file is not worth reading, judged by its name and
// its size in bytes alone, or "". A file of unknown extension is: Read decides
// by its content.
func skipReason(name string, size int64) string {
	ext := strings.ToLower(path.Ext(name))
	switch {
	case pendingFormats[ext]:
		return "format not supported yet (" + ext + ")"
	case binaryFormats[ext]:
		return "not a text format (" + ext + ")"
	case size > maxSize:
		return reasonTooLarge
	case size == 0:
		return reasonEmpty
	}
	return ""
}

// pendingFormats hold text that takes a reader of their own.
var pendingFormats = extensions(`
	pdf doc docx docm dot dotx xls xlsx xlsm xlsb ppt pptx pptm pps ppsx
	odt ods odp rtf epub mobi azw azw3 fb2 djvu chm caj
	html htm xhtml mht mhtml eml msg ipynb pages numbers key wps et dps ofd`)

// binaryFormats are known to hold no text that can be searched.
var binaryFormats = extensions(`
	png jpg jpeg gif bmp tif tiff webp heic heif avif ico icns psd ai svg svgz raw cr2 nef arw dng dcm nii
	mp3 wav flac ogg oga opus m4a aac wma aif aiff mid midi amr
	mp4 m4v mkv avi mov wmv webm flv mpg mpeg 3gp
	zip tar gz tgz bz2 tbz xz txz zst lz4 br 7z rar jar war iso img dmg deb rpm apk cab
	exe dll so dylib bin o a lib obj class pyc pyo pyd wasm msi
	ttf otf ttc woff woff2 eot
	db sqlite sqlite3 db3 mdb accdb frm ibd ldb
	parquet arrow feather orc npy npz h5 hdf5 pkl pickle pt pth onnx safetensors gguf
	sav dta sas7bdat rds rdata mat p12 pfx kdbx`)

func extensions(list string) map[string]bool {
	m := make(map[string]bool)
	for _, ext := range strings.Fields(list) {
		m["."+ext] = true
	}
	return m
}

// A style says how the blocks of a text are told apart.
type style uint8

const (
	plain    style = iota // paragraphs, and headings where unmistakable
	markdown              // CommonMark
	records               // one item a line: tables, data, logs
)

var styles = map[string]style{
	".md": markdown, ".markdown": markdown, ".mdown": markdown, ".mkd": markdown, ".mkdn": markdown,
	".csv": records, ".tsv": records, ".json": records, ".jsonl": records, ".ndjson": records,
	".yaml": records, ".yml": records, ".toml": records, ".ini": records, ".log": records, ".xml": records,
}

func styleOf(name string) style { return styles[strings.ToLower(path.Ext(name))] }

func mimeOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv":
		return "text/csv"
	case ".xml":
		return "text/xml"
	}
	if styleOf(name) == markdown {
		return "text/markdown"
	}
	return "text/plain"
}
