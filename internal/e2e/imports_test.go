package e2e

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayImport lists, from the top of the house down, each package of the program and
// what of the program it may import. Nothing below imports what is above.
var mayImport = []struct{ room, others string }{
	{"index/engine/enginetest", "docs/ocr index/indextest index/status index/engine index/syncer index/peer index/freshness index/storage index/roots index/memindex index/live index/notice index/search index/sqlite docs embed"},
	{"mcp/librarytest", "docs/extract/extracttest index/quote mcp index index/notice index/progress docs docs/meta"},
	{"index/search/searchtest", "index/search index/lexical/analysis index/catalog index/rank docs/text docs/meta docs/kind internal/script"},
	{"index/postgres/postgrestest", "index/postgres index/lexical/analysis index/postgres/schema index/postgres/db index/postgres/pgtest index/catalog docs/text"},
	{"index/postgres/pgtest", ""},
	{"index/live/livetest", "index/live index/indextest index/catalog index/lexical/analysis index/rank docs/text"},
	{"index/indextest", "embed"},
	{"internal/manual/manualtest", "internal/manual internal/message"},
	{"internal/web/signin/signintest", ""},
	{"index/catalog/catalogtest", "index/catalog index/lexical index/lexical/analysis index/rank docs/kind docs/text docs/meta docs/extract internal/message"},
	{"docs/extract/extracttest", "docs/extract"},
	{"docs/ocr/ocrtest/tesseract", "docs/ocr/ocrtest"},
	{"docs/ocr/ocrtest", ""},
	{".", "internal/cli docs/formats"},
	{"internal/cli", "docs/ocr internal/web internal/web/page internal/web/guard internal/web/access internal/web/oauth internal/web/signin internal/doctor mcp internal/hosts internal/desktop internal/tunnel internal/bridge index/evaluate index internal/manual internal/spelling index/notice index/progress index/postgres index/postgres/schema index/postgres/db index/glob index/catalog docs embed embed/hub docs/meta internal/present internal/message internal/script internal/cachedir"},
	{"internal/web", "internal/web/page internal/web/metrics internal/web/guard internal/web/access internal/web/oauth internal/web/signin internal/web/reread mcp index index/progress"},
	{"internal/web/page", "index/glob internal/web/render index/quote internal/web/guard internal/web/access internal/web/oauth internal/web/signin mcp internal/hosts internal/manual internal/desktop index/evaluate index index/notice index/progress docs docs/ignore docs/text embed docs/formats internal/present internal/script docs/extract internal/message"},
	{"internal/web/render", "internal/present"},
	{"internal/web/metrics", ""},
	{"internal/web/access", "internal/web/signin internal/web/reread mcp index docs internal/message"},
	{"internal/web/oauth", "internal/web/guard internal/web/signin internal/web/reread internal/lockfile internal/present internal/message"},
	{"internal/web/signin", "internal/web/reread internal/message"},
	{"internal/web/guard", "internal/present"},
	{"internal/web/reread", ""},
	{"internal/doctor", "docs/ocr internal/bridge mcp internal/hosts index index/notice docs embed embed/hub internal/present internal/message internal/diskspace"},
	{"mcp", "docs/extract index/quote internal/message index index/notice index/progress docs internal/present internal/script"},
	{"internal/hosts", "internal/bridge internal/message internal/present"},
	{"internal/manual", "internal/present internal/message"},
	{"internal/desktop", ""},
	{"internal/tunnel", "internal/jobobject internal/present internal/message"},
	{"internal/bridge", "internal/message"},
	{"index/evaluate", "internal/present internal/message"},
	{"index", "docs/ocr docs/extract/layout index/quote index/match internal/script internal/spelling index/postgres/searcher index/progress index/storage index/roots index/memindex index/live index/ranking index/notice index/search index/catalog index/glob docs docs/text embed docs/meta docs/formats internal/present docs/extract index/freshness index/lexical/analysis index/texts index/status index/engine index/syncer index/indexer index/recovery index/ingest internal/message"},
	{"index/texts", "index/ingest index/embedding index/freshness index/live docs"},
	{"index/status", "index/compare index/embedding index/freshness index/progress index/roots index/live internal/panics index/catalog internal/message"},
	{"index/engine", "index/recognition docs/ocr index/syncer index/indexer index/recovery index/heap index/compare index/ingest index/throttle index/embedding index/peer index/freshness index/progress index/roots index/live internal/panics index/search index/catalog docs internal/message"},
	{"index/recognition", "index/freshness index/progress index/roots index/live internal/panics index/search docs docs/ocr docs/extract internal/message"},
	{"index/syncer", "index/indexer index/recovery index/compare index/throttle index/peer index/freshness index/progress index/roots index/live internal/panics index/notice index/search index/catalog index/glob docs internal/present internal/message"},
	{"index/indexer", "index/recovery index/heap index/compare index/ingest index/throttle index/embedding index/peer index/freshness index/progress index/roots index/live internal/panics index/notice index/search index/catalog docs/kind docs internal/message"},
	{"index/recovery", "index/heap index/compare index/ingest index/embedding index/peer index/freshness index/progress index/roots index/live internal/panics index/search index/catalog embed"},
	{"index/heap", "index/embedding index/freshness index/progress index/live"},
	{"index/compare", "index/ingest index/throttle index/freshness index/progress index/roots index/live internal/panics index/notice index/search index/catalog index/glob docs internal/message"},
	{"index/ingest", "docs/ocr index/throttle index/roots internal/panics index/search index/catalog index/lexical/analysis index/rank docs/kind docs docs/chunk docs/meta internal/script docs/extract internal/message"},
	{"index/throttle", "index/search"},
	{"index/embedding", "index/notice index/progress index/roots index/live index/search index/catalog embed internal/script internal/message"},
	{"index/peer", "index/freshness index/progress index/roots index/live index/notice index/search index/catalog"},
	{"index/freshness", "index/progress index/roots index/live index/notice index/search index/catalog docs internal/present internal/message"},
	{"index/postgres/searcher", "index/live index/ranking index/search index/vector index/postgres index/postgres/db index/catalog index/lexical index/rank docs/text embed internal/script index/lexical/analysis"},
	{"index/progress", "index/catalog internal/message"},
	{"index/storage", "index/memory index/roots index/memindex index/lease index/sqlite index/postgres index/postgres/schema index/postgres/db index/catalog docs embed internal/present internal/message"},
	{"index/memory", "index/catalog/packed index/catalog index/lexical index/blob docs/text docs/meta embed"},
	{"index/roots", "index/mark index/search index/catalog index/glob docs internal/present internal/message"},
	{"index/mark", "internal/cachedir"},
	{"index/memindex", "index/live internal/panics index/ranking index/search index/vector index/catalog index/lexical index/lexical/analysis index/rank index/blob docs/kind docs/text embed docs/meta"},
	{"index/live", "index/ranking index/search index/facet index/catalog index/rank docs/text embed docs/meta internal/message"},
	{"index/ranking", "index/notice index/search index/catalog index/vector index/lexical index/lexical/analysis index/rank docs/chunk docs/extract docs/kind docs/text docs/meta internal/script internal/message"},
	{"index/quote", "index/match index/lexical/analysis internal/script internal/message"},
	{"index/match", "index/lexical/analysis internal/present internal/script internal/message"},
	{"index/notice", "internal/script internal/present internal/message"},
	{"index/search", "index/catalog index/lexical index/rank docs/kind docs/text docs/meta internal/message"},
	{"index/facet", "docs/meta"},
	{"index/lease", "internal/lockfile"},
	{"index/sqlite", "index/vector index/catalog/packed index/catalog index/blob docs docs/text embed internal/cachedir internal/lockfile"},
	{"index/vector", "index/rank index/blob"},
	{"index/postgres", "index/postgres/library index/postgres/schema index/postgres/db index/catalog/packed index/catalog index/lexical index/rank index/blob docs/kind docs/text embed internal/script internal/message"},
	{"index/postgres/library", "index/postgres/schema index/postgres/db index/catalog embed internal/message"},
	{"index/postgres/schema", "index/postgres/db index/catalog internal/message"},
	{"index/postgres/db", "index/catalog internal/message"},
	{"index/catalog/packed", "index/catalog index/lexical/analysis index/blob docs/kind docs/text docs/meta docs/extract"},
	{"index/catalog", "index/lexical index/lexical/analysis index/rank index/blob docs/kind docs/text docs/meta internal/message"},
	{"index/lexical", "index/rank index/lexical/analysis index/blob"},
	{"index/lexical/analysis", "index/blob internal/script"},
	{"index/rank", "internal/script"},
	{"index/blob", "internal/message"},
	{"docs/kind", "internal/script internal/message"},
	{"index/glob", "internal/present internal/message"},
	{"docs", "docs/ocr docs/extract/layout docs/ignore docs/generated docs/coalesce docs/chunk docs/text docs/meta docs/formats internal/present internal/cachedir docs/extract internal/message docs/extract/joplin docs/extract/schema"},
	{"docs/ocr", "docs/extract docs/extract/layout internal/external internal/cachedir internal/present internal/script internal/message"},
	{"docs/ignore", "internal/message"},
	{"docs/generated", "internal/message"},
	{"docs/coalesce", ""},
	{"docs/chunk", "docs/text docs/meta internal/script docs/extract"},
	{"docs/text", "internal/present docs/extract internal/message"},
	{"embed", "embed/hub embed/local internal/script internal/message"},
	{"embed/local/localtest", ""},
	{"embed/local", "embed/local/transformer embed/local/tokenizer embed/local/safetensors embed/local/kernel internal/panics"},
	{"embed/local/transformer", "embed/local/safetensors embed/local/kernel"},
	{"embed/local/tokenizer", ""},
	{"embed/local/safetensors", ""},
	{"embed/local/kernel", ""},
	{"internal/panics", ""},
	{"embed/hub", "internal/cachedir internal/diskspace internal/lockfile internal/message internal/spelling"},
	{"internal/spelling", ""},
	{"internal/diskspace", ""},
	{"docs/meta", "internal/message"},
	{"docs/formats", "docs/extract/heic docs/extract/archive docs/extract/picture docs/extract/xml internal/present docs/formats/child docs/extract/titles docs/extract/chm docs/extract/dicom docs/extract/djvu docs/extract/doc docs/extract/xls docs/extract/spreadsheetml docs/extract/xlsx docs/extract/subtitles docs/extract/ppt docs/extract/pptx docs/extract/pdf docs/extract/odf docs/extract/notebook docs/extract/mobi docs/extract/mindmap docs/extract/latex docs/extract/json docs/extract/iwork docs/extract/fb2 docs/extract/epub docs/extract/enex docs/extract/drawing docs/extract/docx docs/extract/zipxml docs/extract/mail docs/extract/vobject docs/extract/rtf docs/extract/html docs/extract/markdown docs/extract/cfb docs/extract/asciidoc docs/extract/charset docs/extract internal/message docs/extract/bundle docs/extract/joplin docs/extract/anki docs/extract/schema docs/extract/chat docs/extract/zim"},
	{"docs/formats/child", "docs/extract internal/message"},
	{"docs/extract/anki", "docs/extract/zipxml docs/extract/html docs/extract/markdown docs/extract"},
	{"docs/extract/joplin", "docs/extract/html docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/bundle", "docs/extract/zipxml docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/archive", "docs/extract/zipxml docs/extract/charset docs/extract"},
	{"docs/extract/chm", "docs/extract/titles docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/dicom", "docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/djvu", "docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/doc", "docs/extract/mtef docs/extract/symbols docs/extract/office docs/extract/markdown docs/extract/charset docs/extract/cfb docs/extract"},
	{"docs/extract/xls", "docs/extract/office docs/extract/spreadsheetml docs/extract/sheet docs/extract/numberformat docs/extract/markdown docs/extract/charset docs/extract/cfb docs/extract internal/message"},
	{"docs/extract/spreadsheetml", "docs/extract/sheet docs/extract/numberformat docs/extract/zipxml docs/extract/titles docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/xlsx", "docs/extract/sheet docs/extract/numberformat docs/extract/office docs/extract/zipxml docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/subtitles", "docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/ppt", "docs/extract/mtef docs/extract/office docs/extract/markdown docs/extract/cfb docs/extract"},
	{"docs/extract/pptx", "docs/extract/picture docs/extract/symbols docs/extract/office docs/extract/zipxml docs/extract/markdown docs/extract docs/extract/numeral"},
	{"docs/extract/iwork", "docs/extract/sheet docs/extract/pdf docs/extract/office docs/extract/zipxml docs/extract/markdown docs/extract internal/message docs/extract/numeral"},
	{"docs/extract/pdf", "docs/extract/picture internal/cachedir docs/extract/symbols docs/extract/titles docs/extract/markdown docs/extract/charset internal/script docs/extract internal/message"},
	{"docs/extract/picture", "docs/extract/layout docs/extract"},
	{"docs/extract/layout", "docs/extract"},
	{"docs/extract/heic", "docs/extract internal/external internal/message"},
	{"internal/external", "internal/jobobject internal/present internal/message"},
	{"internal/jobobject", ""},
	{"internal/present", ""},
	{"internal/cachedir", ""},
	{"internal/lockfile", ""},
	{"docs/extract/odf", "docs/extract/sheet docs/extract/office docs/extract/zipxml docs/extract/markdown docs/extract internal/message docs/extract/numeral docs/extract/formula"},
	{"docs/extract/sheet", "docs/extract/office docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/numberformat", ""},
	{"docs/extract/notebook", "docs/extract/markdown docs/extract"},
	{"docs/extract/mobi", "docs/extract/titles docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/mindmap", "docs/extract/zipxml docs/extract/titles docs/extract/html docs/extract/markdown docs/extract internal/message"},
	{"docs/extract/latex", "docs/extract/charset docs/extract"},
	{"docs/extract/json", "docs/extract/base64 docs/extract/charset docs/extract"},
	{"docs/extract/xml", "docs/extract/base64 docs/extract/charset docs/extract"},
	{"docs/extract/base64", ""},
	{"docs/extract/fb2", "docs/extract/zipxml docs/extract/titles docs/extract/html docs/extract/markdown docs/extract"},
	{"docs/extract/epub", "docs/extract/zipxml docs/extract/titles docs/extract/html docs/extract/markdown docs/extract"},
	{"docs/extract/enex", "docs/extract/zipxml docs/extract/html docs/extract/markdown docs/extract/charset docs/extract internal/message"},
	{"docs/extract/drawing", "docs/extract/zipxml docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/docx", "docs/extract/titles docs/extract/office docs/extract/zipxml docs/extract/mail docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/mail", "docs/extract/vobject docs/extract/rtf docs/extract/html docs/extract/markdown docs/extract/cfb docs/extract/charset docs/extract"},
	{"docs/extract/schema", "docs/extract/chat docs/extract/zipxml docs/extract/titles docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/chat", "docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/zim", "docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/rtf", "docs/extract/office docs/extract/symbols docs/extract/titles docs/extract/markdown docs/extract"},
	{"docs/extract/office", "docs/extract/mtef docs/extract/cfb docs/extract/symbols docs/extract/zipxml docs/extract/markdown docs/extract docs/extract/numeral docs/extract/formula"},
	{"docs/extract/zipxml", "docs/extract/titles docs/extract/markdown docs/extract"},
	{"docs/extract/vobject", "docs/extract/html docs/extract/markdown docs/extract/charset docs/extract"},
	{"docs/extract/html", "docs/extract/titles docs/extract/markdown docs/extract/charset docs/extract docs/extract/numeral docs/extract/formula"},
	{"docs/extract/titles", "docs/extract/markdown docs/extract/charset"},
	{"docs/extract/symbols", ""},
	{"docs/extract/numeral", ""},
	{"docs/extract/mtef", "docs/extract docs/extract/formula"},
	{"docs/extract/formula", "docs/extract/markdown"},
	{"docs/extract/markdown", "docs/extract"},
	{"docs/extract/cfb", "docs/extract/charset docs/extract"},
	{"docs/extract/asciidoc", "docs/extract/charset docs/extract"},
	{"docs/extract/charset", "internal/script docs/extract internal/message"},
	{"internal/script", ""},
	{"docs/extract", "internal/message"},
	{"internal/message", ""},
	{"internal/e2e", ""}, // and its tests import what they like
}

// TestImports guards that list, and that it has no entry that is not needed. Only
// mcp imports the SDK.
func TestImports(t *testing.T) {
	const module = "vademecum"
	allowed, used := make(map[string][]string), make(map[string]bool)
	for _, p := range mayImport {
		allowed[p.room] = strings.Fields(p.others)
		for _, other := range strings.Fields(p.others) {
			if _, listed := allowed[other]; listed {
				t.Errorf("%s stands above %s, which imports it", other, p.room)
			}
		}
	}
	seen := 0
	err := filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != repository && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir // what makes packages is no part of the program
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room, err := filepath.Rel(repository, filepath.Dir(p))
		if err != nil {
			return err
		}
		room = filepath.ToSlash(room)
		others, known := allowed[room]
		if !known {
			t.Errorf("%s: the list knows no such package", p)
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			other, ours := strings.CutPrefix(path, module+"/")
			if ours && !slices.Contains(others, other) || path == module {
				t.Errorf("%s imports %s", p, path)
			}
			used[room+" "+other] = true
			if strings.HasPrefix(path, "github.com/modelcontextprotocol/") && room != "mcp" {
				t.Errorf("%s imports the SDK: only mcp may", p)
			}
			seen++
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d imports seen, %v", seen, err)
	}
	for _, p := range mayImport {
		for other := range strings.FieldsSeq(p.others) {
			if !used[p.room+" "+other] {
				t.Errorf("%s may import %s and does not", p.room, other)
			}
		}
	}
}
