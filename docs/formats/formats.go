// Package formats reads files of all supported formats. [Read] chooses the reader by the extension
// of the name, and by the content if the extension is wrong. [formats] is the complete list. To add
// a format, write its reader in a package of docs/extract, and add a line to the list and a sample
// to its test.
//
// Formats whose readers run third-party code or decompress data are read in a child process of the
// same program (see [RunIfChild]): a file that makes its reader hang, crash or use too much memory
// affects only itself.
package formats

import (
	"path"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/extract"
	"vademecum/docs/extract/anki"
	"vademecum/docs/extract/asciidoc"
	"vademecum/docs/extract/bundle"
	"vademecum/docs/extract/chat"
	"vademecum/docs/extract/chm"
	"vademecum/docs/extract/data"
	"vademecum/docs/extract/dicom"
	"vademecum/docs/extract/djvu"
	"vademecum/docs/extract/doc"
	"vademecum/docs/extract/docx"
	"vademecum/docs/extract/drawing"
	"vademecum/docs/extract/enex"
	"vademecum/docs/extract/epub"
	"vademecum/docs/extract/fb2"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/iwork"
	"vademecum/docs/extract/joplin"
	"vademecum/docs/extract/latex"
	"vademecum/docs/extract/mail"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/mindmap"
	"vademecum/docs/extract/mobi"
	"vademecum/docs/extract/notebook"
	"vademecum/docs/extract/odf"
	"vademecum/docs/extract/org"
	"vademecum/docs/extract/pdf"
	"vademecum/docs/extract/picture"
	"vademecum/docs/extract/ppt"
	"vademecum/docs/extract/pptx"
	"vademecum/docs/extract/rtf"
	"vademecum/docs/extract/schema"
	"vademecum/docs/extract/spreadsheetml"
	"vademecum/docs/extract/subtitles"
	"vademecum/docs/extract/vobject"
	"vademecum/docs/extract/xls"
	"vademecum/docs/extract/xlsx"
	"vademecum/docs/extract/zim"
	"vademecum/internal/base/message"
)

// attachmentsReader is a function that returns a reader of mail that also reads attached documents.
type attachmentsReader = func(mail.AttachmentReader) extract.Reader

// A format defines how files with some extensions are read.
type format struct {
	extensions   string // extensions without dots; "" for a format that has a signature and uses the extensions of others
	kind         string // name by which people call such files; "" if they are called by their extensions
	opened       string // extensions of files that people may open from a web page: the usual programs for them only show the file
	mime         string
	signature    signature           // recognises files of the format by their first bytes; nil if only the name tells
	under        string              // formats whose extensions these files may also have; "" for all
	isZip        bool                // whether the files are zip archives
	form         extract.TextForm    // markup of the text, unless the reader sets it
	read         extract.Reader      // reader; nil if the file itself is the text
	readWith     attachmentsReader   // returns the reader that also reads attached documents; nil if there is none
	inChild      bool                // whether the file is read in a child process
	draw         extract.Drawer      // draws a page, or a picture on it, in a child process; nil if pages have no layout to show
	drawsPicture bool                // whether draw draws only a picture of a slide instead of the whole page
	tidy         func(string) string // changes the text as its author wrote it; nil for a reader that does so itself
	hasTitle     bool                // whether the title comes from the properties of the file, which few authors check
	isArchive    bool                // whether the files contain other files, which are read by the readers of their formats
	isNamed      bool                // whether a note names a file of this format if it is attached to another file and not read
}

// name returns the name by which a child process identifies the format.
func (f *format) name() string { return "." + f.firstExtension() }

func (f *format) firstExtension() string {
	first, _, _ := strings.Cut(f.extensions, " ")
	return first
}

// formats lists the supported formats. A file with an unknown extension is read as plain text if it
// looks like text.
var formats = []format{
	{extensions: "txt text", kind: "text", opened: "txt text", mime: "text/plain", form: extract.PlainText, tidy: markdown.EscapeStrayTildesInProse},
	{extensions: "mdx", kind: "Markdown", mime: "text/plain", form: extract.PlainText, tidy: markdown.ReplaceStrikeTags},
	{extensions: "md markdown mdown mkd mkdn", kind: "Markdown", opened: "md markdown", mime: "text/markdown", form: extract.Markdown, tidy: markdown.RemoveHidden},
	{extensions: "csv", kind: "sheets", opened: "csv", mime: "text/csv", form: extract.Table, tidy: markdown.EscapeStrayTildes},
	{extensions: "tsv", kind: "sheets", opened: "tsv", mime: "text/tab-separated-values", form: extract.Table, tidy: markdown.EscapeStrayTildes},
	{extensions: "yaml yml toml ini log", opened: "yaml yml toml log", mime: "text/plain", form: extract.LineRecords, tidy: markdown.EscapeStrayTildes},
	{extensions: "xml", mime: "text/xml", signature: looksLikeHTML, under: "xml", form: extract.LineRecords, read: data.ReadXML, tidy: markdown.EscapeStrayTildes},
	{extensions: "json jsonl ndjson", opened: "json", mime: "text/plain", form: extract.LineRecords, read: data.ReadJSON, tidy: markdown.EscapeStrayTildes},
	{extensions: "org", kind: "text", opened: "org", mime: "text/plain", form: extract.Org, tidy: org.MarkStruck},
	{extensions: "rst rest", kind: "text", opened: "rst", mime: "text/plain", form: extract.RST, tidy: markdown.EscapeStrayTildesInProse},
	{extensions: "tex ltx latex", kind: "text", mime: "text/x-tex", form: extract.Markdown, read: latex.Read},
	{extensions: "bib", kind: "text", mime: "application/x-bibtex", form: extract.PlainText, read: latex.ReadBibliography, tidy: markdown.EscapeStrayTildes},
	{extensions: "adoc asciidoc asc", kind: "text", opened: "adoc asciidoc", mime: "text/asciidoc", form: extract.Markdown, read: asciidoc.Read},
	{extensions: "ipynb", kind: "notebooks", mime: "application/x-ipynb+json", form: extract.Markdown, read: notebook.Read, tidy: markdown.RemoveHidden},
	{extensions: "srt", opened: "srt", mime: "application/x-subrip", form: extract.Markdown, read: subtitles.Read, tidy: markdown.EscapeStrayTildes},
	{extensions: "vtt", opened: "vtt", mime: "text/vtt", signature: beginsAndHolds("WEBVTT", "-->"), under: "txt", form: extract.Markdown, read: subtitles.Read, tidy: markdown.EscapeStrayTildes},
	{extensions: "ass ssa", opened: "ass ssa", mime: "text/x-ssa", form: extract.Markdown, read: subtitles.ReadSubStation, tidy: markdown.EscapeStrayTildes},
	{extensions: "rtf", kind: "text", opened: "rtf", mime: "application/rtf", signature: beginsAndHolds(`{\rtf`, ""), form: extract.PlainText, read: rtf.Read, hasTitle: true, isNamed: true},
	{extensions: "html htm xhtml", kind: "web pages", mime: "text/html", signature: looksLikeHTML, form: extract.Markdown, read: html.Read, inChild: true},
	{extensions: "eml mht mhtml", kind: "mail", mime: "message/rfc822", signature: looksLikeMail, under: "txt html", form: extract.Markdown, read: mail.Read, readWith: mail.ReaderWith, inChild: true},
	{extensions: "mbox mbx", kind: "mail", mime: "application/mbox", signature: mail.IsMailbox, under: "txt", form: extract.Markdown, read: mail.Read, inChild: true},
	{extensions: "msg oft", kind: "mail", mime: "application/vnd.ms-outlook", form: extract.Markdown, read: mail.ReadOutlook, readWith: mail.OutlookReaderWith, inChild: true},
	{extensions: "enex", mime: "application/enex+xml", signature: enex.IsExport, under: "txt xml", form: extract.Markdown, read: enex.Read, inChild: true},
	{extensions: "jex", mime: "application/x-tar", form: extract.Markdown, read: joplin.Read, inChild: true, tidy: markdown.RemoveHidden},
	{extensions: "apkg colpkg", mime: "application/x-apkg", isZip: true, form: extract.Markdown, read: anki.Read, inChild: true},
	{extensions: "nxml ctd note", mime: "application/xml", signature: schema.IsKnownXML, under: "txt xml nxml", form: extract.Markdown, read: schema.ReadXML, inChild: true},
	{extensions: "sy", mime: "application/json", signature: schema.IsKnownJSON, under: "json sy", form: extract.Markdown, read: schema.ReadJSON, inChild: true},
	{mime: "text/x-zim-wiki", signature: zim.IsWikiPage, under: "txt", form: extract.Markdown, read: zim.Read},
	{mime: "text/x-whatsapp", signature: chat.IsWhatsApp, under: "txt", form: extract.Markdown, read: chat.ReadWhatsApp},
	{extensions: "ics ical vcs", kind: "calendars and contacts", mime: "text/calendar", signature: beginsAndHolds("BEGIN:VCALENDAR", ""), under: "txt", form: extract.Markdown, read: vobject.ReadCalendar, inChild: true, tidy: markdown.EscapeStrayTildes},
	{extensions: "vcf vcard", kind: "calendars and contacts", mime: "text/vcard", signature: beginsAndHolds("BEGIN:VCARD", ""), under: "txt", form: extract.Markdown, read: vobject.ReadContacts, inChild: true, tidy: markdown.EscapeStrayTildes},
	{extensions: "epub", kind: "books", opened: "epub", mime: "application/epub+zip", isZip: true, form: extract.Markdown, read: epub.Read, inChild: true, isNamed: true},
	{extensions: "fb2 fbz fb2.zip", kind: "books", mime: "application/x-fictionbook+xml", form: extract.Markdown, read: fb2.Read, inChild: true},
	{extensions: "htmlz", kind: "books", mime: "application/x-htmlz", isZip: true, form: extract.Markdown, read: bundle.Read, inChild: true},
	{extensions: "txtz", kind: "books", mime: "application/x-txtz", isZip: true, form: extract.PlainText, read: bundle.Read, inChild: true, tidy: markdown.EscapeStrayTildesInProse},
	{extensions: "textpack bear2bk", mime: "application/x-textpack", isZip: true, form: extract.Markdown, read: bundle.Read, inChild: true, tidy: markdown.RemoveHidden},
	{extensions: "mobi azw azw3 prc", kind: "books", opened: "mobi azw3", mime: "application/x-mobipocket-ebook", signature: mobi.IsBook, under: "txt mobi", form: extract.Markdown, read: mobi.Read, inChild: true, isNamed: true},
	{extensions: "chm", kind: "books", mime: "application/vnd.ms-htmlhelp", signature: chm.IsCHM, under: "txt chm", form: extract.Markdown, read: chm.Read, inChild: true, isNamed: true},
	{extensions: "docx docm dotx", kind: "Word", opened: "docx", mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", isZip: true, signature: docx.IsWordXML, form: extract.Markdown, read: docx.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "doc dot wps wpt", kind: "Word", opened: "doc", mime: "application/msword", form: extract.Markdown, read: doc.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "pptx pptm ppsx", kind: "slides", opened: "pptx", mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation", isZip: true, form: extract.Markdown, read: pptx.Read, draw: pptx.DrawLargestPicture, drawsPicture: true, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "ppt pps pot dps dpt", kind: "slides", opened: "ppt", mime: "application/vnd.ms-powerpoint", form: extract.Markdown, read: ppt.Read, inChild: true, hasTitle: true, isNamed: true, tidy: markdown.EscapeStrayTildesInProse},
	{extensions: "xlsx xlsm xltx", kind: "sheets", opened: "xlsx", mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", isZip: true, form: extract.Markdown, read: xlsx.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "xls xlt et", kind: "sheets", opened: "xls", mime: "application/vnd.ms-excel", signature: spreadsheetml.IsWorkbook, form: extract.Markdown, read: xls.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "odt ott fodt", kind: "Word", opened: "odt", mime: "application/vnd.oasis.opendocument.text", isZip: true, signature: odf.IsFlatText, form: extract.Markdown, read: odf.ReadText, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "ods ots fods", kind: "sheets", opened: "ods", mime: "application/vnd.oasis.opendocument.spreadsheet", isZip: true, signature: odf.IsFlatSheets, form: extract.Markdown, read: odf.ReadSheets, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "odp otp fodp", kind: "slides", opened: "odp", mime: "application/vnd.oasis.opendocument.presentation", isZip: true, signature: odf.IsFlatSlides, form: extract.Markdown, read: odf.ReadSlides, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "pages", kind: "Word", opened: "pages", mime: "application/vnd.apple.pages", isZip: true, form: extract.Markdown, read: iwork.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "numbers", kind: "sheets", opened: "numbers", mime: "application/vnd.apple.numbers", isZip: true, form: extract.Markdown, read: iwork.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "key", kind: "slides", opened: "key", mime: "application/vnd.apple.keynote", isZip: true, form: extract.Markdown, read: iwork.Read, inChild: true, hasTitle: true, isNamed: true},
	{extensions: "canvas", kind: "drawings", mime: "application/json", form: extract.Markdown, read: drawing.ReadCanvas},
	{extensions: "excalidraw", kind: "drawings", mime: "application/vnd.excalidraw+json", form: extract.Markdown, read: drawing.ReadExcalidraw},
	{extensions: "excalidraw.md", kind: "drawings", opened: "excalidraw.md", mime: "text/markdown", signature: drawing.IsExcalidrawNote, under: "md", form: extract.Markdown, read: drawing.ReadExcalidrawNote},
	{extensions: "drawio dio drawio.svg", kind: "drawings", mime: "application/vnd.jgraph.mxfile", form: extract.Markdown, read: drawing.ReadDrawio, inChild: true},
	{extensions: "xmind", kind: "mind maps", mime: "application/vnd.xmind.workbook", isZip: true, form: extract.Markdown, read: mindmap.ReadXMind, inChild: true, tidy: markdown.EscapeStrayTildes},
	{extensions: "mm", kind: "mind maps", mime: "application/x-freemind", signature: mindmap.IsFreeMind, under: "mm xml", form: extract.Markdown, read: mindmap.ReadFreeMind, inChild: true, tidy: markdown.EscapeStrayTildes},
	{extensions: "opml", kind: "mind maps", mime: "text/x-opml", signature: mindmap.IsOPML, under: "txt xml", form: extract.Markdown, read: mindmap.ReadOPML, inChild: true, tidy: markdown.EscapeStrayTildes},
	{extensions: "zip", kind: "archives", mime: "application/zip", form: extract.Markdown, inChild: true, isArchive: true, isNamed: true},
	{extensions: "pdf", kind: "PDF", opened: "pdf", mime: "application/pdf", signature: beginsAndHolds("%PDF-", " obj"), form: extract.PlainText, read: pdf.Read, draw: pdf.Draw, inChild: true, isNamed: true},
	{extensions: "dcm", mime: "application/dicom", signature: dicom.IsReport, under: "txt dcm", form: extract.Markdown, read: dicom.Read, inChild: true, tidy: markdown.EscapeStrayTildesInProse},
	{extensions: "djvu djv", kind: "DjVu", opened: "djvu djv", mime: "image/vnd.djvu", signature: djvu.IsDjVu, under: "txt djvu", form: extract.PlainText, read: djvu.Read, inChild: true, isNamed: true, tidy: markdown.EscapeStrayTildesInProse},
}

// unreadFormats are formats that contain text but have no reader, with advice in the reason, and
// formats that are known to contain no searchable text.
var unreadFormats = sync.OnceValue(func() map[string]message.Message {
	return reasonsByExtension([]unreadableFormat{
		{"xlsb", "unsupported Excel format (%s): save it as .xlsx"},
		{"kfx azw4", "Kindle book (%s): convert it to EPUB"},
		{"caj ofd", "unsupported format (%s): convert it to PDF"},
		{"dwg dxf", "AutoCAD drawing (%s): export it as PDF"},
		{"pst ost", "Outlook mailbox (%s): save its mails as .eml files"},
		{"svg svgz", "picture (%s): export it as PDF to make its text searchable"},
		{"onepkg onetoc2", "OneNote notebook (%s): export its pages as PDF or .docx"},
		{"sxw sxc sxi", "old OpenOffice format (%s): save it as .odt, .ods or .odp"},
		{"odg otg fodg", "OpenDocument drawing (%s): export it as PDF"},
		{"vsdx vsdm", "Visio drawing (%s): export it as PDF"},
		{"xps oxps", "XPS document (%s): convert it to PDF"},
		{"hwpx", "Hangul document (%s): save it as .docx or PDF"},
		{"gdoc gsheet gslides gdraw gform", "Google document in the cloud, of which this is only a link (%s): save it with File › Download in Google Docs, as .docx, .xlsx, .pptx or PDF"},
		{"icloud", "file in iCloud that is not on this machine (%s): use Download Now in the Finder"},
		{dataExtensions, "not a text format (%s)"},
	})
})

// dataExtensions are the extensions of files that are known to contain no searchable text.
const dataExtensions = `
	png jpg jpeg gif bmp tif tiff webp heic heif avif ico icns psd ai raw cr2 nef arw dng nii
	mp3 wav flac ogg oga opus m4a aac wma aif aiff mid midi amr
	mp4 m4v mkv avi mov wmv webm flv mpg mpeg 3gp
	tar gz tgz bz2 tbz xz txz zst lz4 br 7z rar jar war iso img dmg deb rpm apk cab
	exe dll so dylib bin o a lib obj class pyc pyo pyd wasm msi
	ttf otf ttc woff woff2 eot
	db sqlite sqlite3 db3 mdb accdb frm ibd ldb
	parquet arrow feather orc npy npz h5 hdf5 pkl pickle pt pth onnx safetensors gguf
	sav dta sas7bdat rds rdata mat p12 pfx kdbx`

// dataFormats contains dataExtensions with dots.
var dataFormats = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for ext := range strings.FieldsSeq(dataExtensions) {
		m["."+ext] = true
	}
	return m
})

// oldFormats are further formats without a reader. Files with their extensions are often something
// else, even text, so the content decides.
var oldFormats = sync.OnceValue(func() map[string]message.Message {
	return reasonsByExtension([]unreadableFormat{
		{"hwp", "Hangul document (%s): save it as .docx or PDF"},
		{"vsd", "Visio drawing (%s): export it as PDF"},
		{"pub", "Publisher document (%s): export it as PDF"},
		{"one", "OneNote section (%s): export its pages as PDF or .docx"},
		{"dbf", "dBase table (%s): save it as .csv or .xlsx"},
		{"wpd", "WordPerfect document (%s): save it as .docx"},
	})
})

// unreadableFormat gives the reason why files with some extensions are not read. %s in the reason
// stands for the extension.
type unreadableFormat struct{ extensions, reason string }

// reasonsByExtension maps each extension to its reason.
func reasonsByExtension(all []unreadableFormat) map[string]message.Message {
	m := make(map[string]message.Message)
	for _, u := range all {
		for _, ext := range strings.Fields(u.extensions) {
			m["."+ext] = message.New(u.reason, "."+ext)
		}
	}
	return m
}

var byExtension = func() map[string]*format {
	m := make(map[string]*format)
	for i := range formats {
		for _, ext := range strings.Fields(formats[i].extensions) {
			m["."+ext] = &formats[i]
		}
	}
	return m
}()

// textFormat is plain text; files without a known extension are read as such, too.
var textFormat = byExtension[".txt"]

// formatOf returns the format for a file name.
func formatOf(name string) *format {
	if f := byExtension[Extension(name)]; f != nil {
		return f
	}
	return textFormat
}

// Extension returns the extension of a file name in lower case, with its dot, such as ".md", or a
// known double extension such as ".excalidraw.md".
func Extension(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	ext := path.Ext(name)
	if inner := path.Ext(name[:len(name)-len(ext)]); inner != "" {
		if both := strings.ToLower(inner + ext); byExtension[both] != nil {
			return both
		}
	}
	return strings.ToLower(ext)
}

// SkipReason returns the reason why a file need not be read, judged by its name and its size in
// bytes alone, or "" if it must be read. For a picture, the reason is that it needs OCR (see
// extract.WithUnrecognisedPageCount). A file with an unknown extension must be read, as its content decides.
func SkipReason(name string, size int64) message.Message {
	ext := Extension(name)
	switch {
	case isHEIC(name) && size <= extract.MaxFileBytes && !picture.HasHEICConverter():
		return reasonUnconverted
	case IsPicture(name) && size <= extract.MaxFileBytes:
		return extract.WithUnrecognisedPageCount(unreadFormats()[ext], 1)
	case unreadFormats()[ext] != "":
		return unreadFormats()[ext]
	case size > extract.MaxFileBytes && oldFormats()[ext] != "":
		return oldFormats()[ext]
	case size > extract.MaxFileBytes && ext == ".dcm":
		return dicom.ErrNoReport.Reason
	case size > extract.MaxFileBytes:
		return extract.ErrTooLarge.Reason
	case size == 0:
		return extract.ErrEmptyFile.Reason
	}
	return ""
}

// formatOfExtension returns the format for an extension with its dot, or a format for data if the
// extension is unknown.
func formatOfExtension(ext string) format {
	if f := byExtension[ext]; f != nil {
		return *f
	}
	return format{form: extract.LineRecords}
}

// IsSafeToOpen reports whether people may open files with that name from a web page: the usual
// programs for them only show the file.
func IsSafeToOpen(name string) bool {
	ext := Extension(name)
	return IsPicture(name) || slices.Contains(strings.Fields(formatOfExtension(ext).opened), strings.TrimPrefix(ext, "."))
}

// IsProse reports whether files with that name are texts for people, that is, of any format except
// data.
func IsProse(name string) bool { return formatOfExtension(Extension(name)).form != extract.LineRecords }

// KindName returns the name by which people call files with an extension, such as "slides", or ""
// if there is none. The extension has no dot.
func KindName(extension string) string { return formatOfExtension("." + extension).kind }

// ExtensionsByKind returns the extensions, without dots, by the names that KindName returns.
func ExtensionsByKind() map[string][]string {
	m := make(map[string][]string)
	for _, f := range formats {
		if f.kind != "" {
			m[f.kind] = append(m[f.kind], strings.Fields(f.extensions)...)
		}
	}
	return m
}
