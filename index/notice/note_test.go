package notice

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/internal/base/message"
)

// notes are one or more of each kind, by their English text.
var notes = map[string]Note{
	"Found by words only: the embedding model refuses the question (400: too long).":                                                                                                               {Kind: QuestionRefused, Why: "400: too long"},
	"Found by words only: ollama:m took longer than 2s to answer.":                                                                                                                                 {Kind: ModelSlow, Model: "ollama:m", Duration: 2 * time.Second},
	"Found by words only: the embedding model did not answer (connection refused).":                                                                                                                {Kind: ModelFailed, Why: "connection refused"},
	"Found by words only: the vectors of ollama:m now have a different length, so all passages are being embedded again.":                                                                          {Kind: ModelChanged, Model: "ollama:m"},
	"Not reranked: http://h/v1#m took longer than 2s to answer.":                                                                                                                                   {Kind: RerankerSlow, Model: "http://h/v1#m", Duration: 2 * time.Second},
	"Not reranked: the reranker did not answer (connection refused).":                                                                                                                              {Kind: RerankerFailed, Why: "connection refused"},
	"No document has the path blog; taken for content/blog, old/blog.":                                                                                                                             {Kind: PathMatchedDeeper, Path: "blog", Words: []string{"content/blog", "old/blog"}},
	"No document has a path like *.pdf.":                                                                                                                                                           {Kind: NoDocumentAtPath, Path: "*.pdf"},
	"No document has a path like belmont; there are: a.pdf, b.pdf.":                                                                                                                                {Kind: NoDocumentAtPath, Path: "belmont", Words: []string{"a.pdf", "b.pdf"}},
	"No document that is indexed so far has a path like \"a\\n\".":                                                                                                                                 {Kind: NoDocumentAtPath, Path: "a\n", MayBeIncomplete: true},
	"No document has the tag \"#a\\n\"; there are: b (2), c (1).":                                                                                                                                  {Kind: NoDocumentWithTag, Path: "#a\n", Words: []string{"b (2)", "c (1)"}},
	"No document that is indexed so far has a tag.":                                                                                                                                                {Kind: NoDocumentWithTag, Path: "#a", MayBeIncomplete: true},
	"No document has the key a in its front matter; there are: b (2).":                                                                                                                             {Kind: NoDocumentWithKey, Path: "a", Words: []string{"b (2)"}},
	"Hidden parts of a.xlsx, b.ods are not read.":                                                                                                                                                  {Kind: HiddenPartsNotRead, Words: []string{"a.xlsx", "b.ods"}},
	"Hidden parts of a.xlsx, and of another 2 documents, are not read.":                                                                                                                            {Kind: HiddenPartsNotRead, Words: []string{"a.xlsx"}, Count: 2},
	"scan.pdf exists but is not indexed: scanned PDF: no text layer.":                                                                                                                              {Kind: NamedFileNotIndexed, Path: "scan.pdf", Why: message.New("scanned PDF: no text layer")},
	"No exact match: these places spell umlauts in another way, such as ö for oe or oe for ö.":                                                                                                     {Kind: UmlautsRespelled},
	"No exact match: these places have the same words with different punctuation or Markdown marks between them.":                                                                                  {Kind: PunctuationIgnored},
	"1 document could not be searched because of an internal error (see the log): there may be more places.":                                                                                       {Kind: DocumentsNotSearched, Count: 1},
	"Only 3 of 7 documents were searched in 2s: there may be more places. Narrow it down, for example by path or with a simpler pattern.":                                                          {Kind: SearchTimedOut, Duration: 2 * time.Second, Done: 3, Total: 7},
	"Only 0 of 1 document were searched in 2s, and a part of a.md: there may be more places. Narrow it down, for example by path or with a simpler pattern.":                                       {Kind: SearchTimedOut, Duration: 2 * time.Second, Total: 1, Words: []string{"a.md"}},
	"The filter selects 1 document, but nothing there matches.":                                                                                                                                    {Kind: NoMatchInFilter, Count: 1},
	"No document in this selection links to a.md.":                                                                                                                                                 {Kind: NoDocumentWithLink, Path: "a.md", Details: []message.Message{""}},
	"No document in this selection is linked to from b.md.":                                                                                                                                        {Kind: NoDocumentWithLink, Details: []message.Message{"b.md"}},
	"No document in this selection links to a.md and is linked to from b.md.":                                                                                                                      {Kind: NoDocumentWithLink, Path: "a.md", Details: []message.Message{"b.md"}},
	"No document is indexed yet; ask again in a moment.":                                                                                                                                           {Kind: NothingSearchable, MayBeIncomplete: true},
	"There is no document to search: there is one file, but it is not indexed.":                                                                                                                    {Kind: NothingSearchable, Count: 1},
	"There is no document to search: there are 2 files, but none is indexed.":                                                                                                                      {Kind: NothingSearchable, Count: 2},
	"The database cannot be reached now: this answer uses what was known before and may be out of date.":                                                                                           {Kind: DatabaseUnavailable},
	"The database accepts no changes now (it is read-only): the latest saved changes may be missing.":                                                                                              {Kind: DatabaseReadOnly, Why: message.New("it is read-only")},
	"The database is slow (200 ms per statement; a question needs about ten): answers take longer.":                                                                                                {Kind: DatabaseSlow, Duration: 200 * time.Millisecond},
	"The index may be behind: the latest saved files could not be checked in time.":                                                                                                                {Kind: FreshnessUnknown},
	"No document has front matter.":                                                                                                                                                                {Kind: NoDocumentWithKey, Path: "a"},
	"No document has a=b in its front matter; there are: c (2).":                                                                                                                                   {Kind: NoDocumentWithValue, Path: "a=b", Words: []string{"c (2)"}},
	"No document is dated after 2024; the nearest date is 2023-11-05.":                                                                                                                             {Kind: NoDocumentInPeriod, Details: []message.Message{message.New("after %s", "2024")}, Words: []string{"2023-11-05"}},
	"No document meets all of these conditions: #a (2), after 2024 (1).":                                                                                                                           {Kind: NoDocumentMeetsAll, Details: []message.Message{"#a (2)", message.New("%s (%d)", message.New("after %s", "2024"), 1)}},
	"No document meets all of these conditions: #a (2), path *.md.":                                                                                                                                {Kind: NoDocumentMeetsAll, Details: []message.Message{"#a (2)"}, Path: "*.md"},
	"Not found anywhere in the documents: 华法林, Berlin.":                                                                                                                                            {Kind: UnknownWords, Words: []string{"华法林", "Berlin"}},
	"Not found anywhere in the documents: Berlin. What follows matches only other words of the question and may be unrelated.":                                                                     {Kind: QuestionSubjectNotFound, Words: []string{"Berlin"}},
	"Not found anywhere in the documents: Michael. Similar words were taken instead: Michal.":                                                                                                      {Kind: UnknownWords, Words: []string{"Michael"}, Details: []message.Message{"Michal"}},
	"Not found anywhere in the documents: Michael. What follows matches only other words of the question and similar words (Michal), and may be unrelated.":                                        {Kind: QuestionSubjectNotFound, Words: []string{"Michael"}, Details: []message.Message{"Michal"}},
	"The question has only words such as “what” and “is”, which occur in most texts: say what it is about.":                                                                                        {Kind: QuestionNamesNothing},
	"Most documents are in English, but the question is not: ask in English, or add wordings in it, to find more.":                                                                                 {Kind: OtherLanguage, Words: []string{"en"}},
	"Most documents are in these languages: English, German, but the question is not: ask in one of them, or add wordings in them, to find more.":                                                  {Kind: OtherLanguage, Words: []string{"en", "de"}},
	"Not found anywhere in what is indexed so far: Berlin.":                                                                                                                                        {Kind: UnknownWords, Words: []string{"Berlin"}, MayBeIncomplete: true},
	"The index may be out of date because the last run failed: no space left.":                                                                                                                     {Kind: IndexingFailed, Why: "no space left"},
	"The index is being built: 3 of 7 files that are new, changed or to be read again are done; ask again for a complete answer.":                                                                  {Kind: IndexBeingBuilt, Done: 3, Total: 7},
	"The index is being built: 3 of 7 files that are new, changed or to be read again are done (about 40 seconds left); ask again for a complete answer.":                                          {Kind: IndexBeingBuilt, Done: 3, Total: 7, Duration: 40 * time.Second},
	"The index is being built: 3 of 7 files that are new, changed or to be read again are done (about 3 min left); ask again for a complete answer.":                                               {Kind: IndexBeingBuilt, Done: 3, Total: 7, Duration: 3 * time.Minute},
	"The folder is still being scanned; ask again for a complete answer.":                                                                                                                          {Kind: FolderBeingScanned},
	"The folder was being scanned until now; ask again for a complete answer.":                                                                                                                     {Kind: ScannedDuringAnswer},
	"The index may be behind: process 7, which keeps it up to date, has not answered for 12 s; it may be stopped.":                                                                                 {Kind: IndexerUnresponsive, PID: 7, Duration: 12900 * time.Millisecond},
	"The index may be behind: another process, which keeps it up to date, has not yet processed the changes in the folder.":                                                                        {Kind: IndexerBehind},
	"The index may be behind: no server with access to the files is running.":                                                                                                                      {Kind: NoIndexer},
	"The index may be behind: no server with access to the files of library a, library b is running.":                                                                                              {Kind: NoIndexer, Details: []message.Message{message.New("library %s", "a"), message.New("library %s", "b")}},
	"The folder does not respond: the drive or network of /n has been silent for 1 seconds; this answer comes from the existing index.":                                                            {Kind: FolderUnresponsive, Path: "/n", Duration: time.Millisecond},
	"The folder /n is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again. What is known about it was read earlier.": {Kind: FolderMissing, Path: "/n", Why: message.New("the folder %s is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again", "/n"), Count: 3},
	"The folder /n is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again. None of its content is known yet.":        {Kind: FolderMissing, Path: "/n", Why: message.New("the folder %s is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again", "/n")},
	"/l leads to /b now, but these documents belong to /a: restart vademecum to see the others.":                                                                                                   {Kind: FolderPathRedirected, Why: message.New("%s leads to %s now", "/l", "/b"), Path: "/a"},
	"The folder /b is not indexed: 9 of the 10 documents of library n are not files in it. To make the library hold this folder instead: vademecum index /b --replace, with the same --library.":   {Kind: FolderMismatch, Path: "/b", Library: message.New("library %s", "n"), Count: 9, Total: 10},
	"Changes may show only after 60 seconds: not all of the folder is watched (no space left).":                                                                                                    {Kind: FolderUnwatched, Duration: time.Minute, Why: "no space left"},
	"a.log changes constantly and is read at intervals: its latest changes may be missing.":                                                                                                        {Kind: FileReadAtIntervals, Path: "a.log"},
	"a.log (like 2 other files) changes constantly and is read at intervals: its latest changes may be missing.":                                                                                   {Kind: FileReadAtIntervals, Path: "a.log", Count: 2},
	"The text of 14 scanned pages is still to be recognised (about 2 min left); ask again if the answer may be there.":                                                                             {Kind: PagesToRecognise, Count: 14, Duration: 2 * time.Minute},
	"The text of 1 scanned page is still to be recognised; ask again if the answer may be there.":                                                                                                  {Kind: PagesToRecognise, Count: 1},
	"The text of 14 scanned pages is not recognised: tesseract failed.":                                                                                                                            {Kind: PagesToRecognise, Count: 14, Why: message.New("tesseract failed")},
	"2 of 9 passages have no vector yet and are found by their words only.":                                                                                                                        {Kind: PassagesWithoutVector, Count: 2, Total: 9},
	"2 of 9 passages have no vector yet (about 5s left) and are found by their words only.":                                                                                                        {Kind: PassagesWithoutVector, Count: 2, Total: 9, Duration: 5 * time.Second, Why: "connection refused"},
	"2 of 9 passages have no vector yet (connection refused) and are found by their words only.":                                                                                                   {Kind: PassagesWithoutVector, Count: 2, Total: 9, Why: "connection refused"},
	"2 of 9 passages are refused by the embedding model and are found by their words only.":                                                                                                        {Kind: PassagesRefusedByModel, Count: 2, Total: 9, Duration: time.Second, Why: "connection refused"},
}

func TestNotes(t *testing.T) {
	for want, n := range notes {
		if got := n.String(); got != want {
			t.Errorf("%+v:\n got %s\nwant %s", n, got, want)
		}
		var text string
		if blob, err := json.Marshal(n); err != nil || json.Unmarshal(blob, &text) != nil || text != want {
			t.Errorf("%+v in JSON: %s, %v", n, blob, err)
		}
	}
}

func TestRemarks(t *testing.T) {
	missing := message.New("page %d could not be read completely", 2)
	for _, c := range []struct {
		got              message.Message
		english, chinese string
	}{
		{DocumentRemarks("", 0), "", ""},
		{DocumentRemarks(missing, 0), "page 2 could not be read completely", "第 2 页未能完整读取"},
		{DocumentRemarks(missing, 5*time.Minute), "page 2 could not be read completely; changes constantly and is read every 5m0s", "第 2 页未能完整读取；不断变化，每 5 分钟读取一次"},
		{DocumentRemarks("", 128*time.Second), "changes constantly and is read every 2m8s", "不断变化，每 2 分 8 秒读取一次"},
	} {
		if e, z := c.got.InLanguage(message.English), c.got.InLanguage(message.Chinese); e != c.english || z != c.chinese {
			t.Errorf("it says %q and %q, want %q and %q", e, z, c.english, c.chinese)
		}
	}
}

func TestTagged(t *testing.T) {
	for want, got := range map[string]string{
		"":                                      DateAndTags("", nil),
		"2024-11-05":                            DateAndTags("2024-11-05", nil),
		"#a #b\uFFFDc":                          DateAndTags("", []string{"a", "b\nc"}),
		"2024 #1 #2 #3 #4 #5 #6 and 1 more tag": DateAndTags("2024", []string{"1", "2", "3", "4", "5", "6", "7"}),
	} {
		if got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// TestNotesInChinese: each note has its Chinese, as the golden file has it; -update
// writes that.
func TestNotesInChinese(t *testing.T) {
	var all strings.Builder
	for _, english := range slices.Sorted(maps.Keys(notes)) {
		chinese := notes[english].Message().InLanguage(message.Chinese)
		if chinese == english {
			t.Errorf("not in Chinese: %s", english)
		}
		fmt.Fprintf(&all, "%s\n%s\n\n", english, chinese)
	}
	const golden = "testdata/notes.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != all.String() {
		t.Errorf("%s is other than %s (%v): run with -update and look at it", all.String(), golden, err)
	}
}

var update = flag.Bool("update", false, "write the golden files")

// TestEveryKindHasWords: each kind of note that is declared is among those above, and so has
// its English and its Chinese held.
func TestEveryKindHasWords(t *testing.T) {
	source, err := os.ReadFile("note.go")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[Kind]bool)
	for english, n := range notes {
		known[n.Kind] = true
		if message.Message(n.Message()).InLanguage(message.Chinese) == english {
			t.Errorf("%q has no Chinese", english)
		}
	}
	declared := regexp.MustCompile(`(?m)^\t[A-Z]\w+ +Kind = "([^"]+)"|^\t[A-Z]\w+ += Kind\("([^"]+)"\)`).FindAllStringSubmatch(string(source), -1)
	if len(declared) < 20 {
		t.Fatalf("only %d kinds are declared", len(declared))
	}
	for _, d := range declared {
		if kind := Kind(d[1] + d[2]); !known[kind] {
			t.Errorf("no note of the kind %q is tested", kind)
		}
	}
}
