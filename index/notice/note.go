// Package notice defines what an index reports to people besides the passages of an answer. Notes
// are plain values, which only this package turns into text.
package notice

import (
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Kind is the subject of a Note. The comment on each kind says which fields of the Note are set.
type Kind string

const (
	// The passages were found by words only, because the embedding model refuses the question. Why is
	// its reason.
	QuestionRefused Kind = "question refused"
	// The passages were found by words only, because the model (Model) takes longer than Duration.
	ModelSlow Kind = "model slow"
	// The passages were found by words only, because the model does not answer. Why is the cause.
	ModelFailed Kind = "model fails"
	// The passages were found by words only, because the model (Model) now returns vectors of another
	// length.
	ModelChanged Kind = "model changed"

	// The passages were not reranked, because the reranker (Model) takes longer than Duration.
	RerankerSlow Kind = "reranker slow"
	// The passages were not reranked, because the reranker does not answer. Why is the cause.
	RerankerFailed Kind = "reranker fails"

	NoDocumentAtPath Kind = "no path" // No document has a path that matches Path, a glob. MayBeIncomplete may be set.
	// No path matches the glob from the top, but those of Words, which are folders or documents, match
	// further down and are selected.
	PathMatchedDeeper Kind = "path elsewhere"
	// No document has the tag Path. Words are similar tags with their counts. MayBeIncomplete may be
	// set, as in the following kinds.
	NoDocumentWithTag Kind = "no tag"
	NoDocumentWithKey Kind = "no key" // No document has the front matter key Path. Words are similar keys with their counts.
	// No document has the front matter key and value in Path. Words are similar values of the key with
	// their counts.
	NoDocumentWithValue Kind = "no value"
	// No document has a date in the period. Details[0] is its start or end, and Words[0] is the nearest
	// date.
	NoDocumentInPeriod Kind = "no date"
	// No document has the requested links. Path is the document that it should link to, Details[0] the
	// one that should link to it; each is "" if not requested.
	NoDocumentWithLink Kind = "no link"
	// No document meets all conditions. Details are the conditions with their numbers of documents;
	// Path is a glob or "".
	NoDocumentMeetsAll Kind = "none of all"

	// There is no document to search, although Count files exist. MayBeIncomplete may be set.
	NothingSearchable Kind = "no document"
	NoMatchInFilter   Kind = "not in those" // Count documents meet the filter, but nothing in them matches the question.

	// No document contains Words. MayBeIncomplete may be set. Details are similar words that were taken for some
	// of them.
	UnknownWords Kind = "unknown words"
	// The passages contain only the other words of the question, because no document contains Words.
	// MayBeIncomplete and Details as for UnknownWords. The note is shown before the results.
	QuestionSubjectNotFound Kind = "nothing of it"
	// The question has only words such as what, is and about. The note is shown before the results.
	QuestionNamesNothing Kind = "no subject"
	// Little was found, and the question is in none of the languages of the documents. Words are the
	// codes of these languages.
	OtherLanguage       Kind = "other language"
	NamedFileNotIndexed Kind = "named unread" // The question names the file Path, which is not indexed. Why is the reason.
	// What was not found may be in hidden parts, which are not read, of the documents Words, and of Count others.
	HiddenPartsNotRead Kind = "hidden parts"
	// The text occurs nowhere exactly, but it does occur with other punctuation between its words.
	PunctuationIgnored Kind = "found loosely"
	// The text occurs nowhere exactly, but it does occur with umlauts or ß spelled in the other way.
	UmlautsRespelled Kind = "found respelled"
	// Count documents could not be searched because of a bug in this program.
	DocumentsNotSearched Kind = "not looked"
	// Only Done of Total documents were searched within the time limit Duration. Words lists some
	// of those of which only a part was searched.
	SearchTimedOut Kind = "out of time"

	// The database does not answer, or cannot be used. Why is the cause.
	DatabaseUnavailable Kind = "database away"
	DatabaseReadOnly    Kind = "database refuses" // The database accepts no changes. Why is the cause.
	// Each statement takes at least Duration, and a query needs about ten of them.
	DatabaseSlow Kind = "database slow"

	IndexingFailed Kind = "run failed" // The last run failed, so anything may be outdated. Why is the cause.
	// Done of Total files are indexed. Duration is the time left; 0 if unknown.
	IndexBeingBuilt     Kind = "being built"
	FolderBeingScanned  Kind = "being scanned" // the folder is still being scanned
	ScannedDuringAnswer Kind = "was scanned"   // the folder was being scanned while the answer was made

	// The indexing process has not answered for Duration. PID is its process ID; 0 if unknown.
	IndexerUnresponsive Kind = "process silent"
	// The indexing process with the process ID PID answers, but has not indexed the changes.
	IndexerBehind    Kind = "process behind"
	FreshnessUnknown Kind = "not compared" // It could not be determined in time whether the index is up to date.
	// No process indexes folders whose files are on other machines. Details are the short names of
	// their storages; empty means all of them.
	NoIndexer          Kind = "nobody indexes"
	FolderUnresponsive Kind = "folder silent" // The folder Path has not answered for Duration.
	// The folder Path is missing or cannot be read. Why is the cause with a remedy. Count of its files
	// are still indexed.
	FolderMissing Kind = "folder missing"
	// The path given for a folder leads elsewhere now; Why says so. The documents are those of the
	// folder Path.
	FolderPathRedirected Kind = "folder strayed"
	// Count of Total documents of Library are not files of the folder Path, so it is not indexed.
	FolderMismatch Kind = "folder unlike"
	// Changes are found only after Duration, because the folder is not watched. Why is the reason.
	FolderUnwatched Kind = "unwatched"
	// The file Path changes constantly, and so do Count other files. They are read at intervals.
	FileReadAtIntervals Kind = "at intervals"

	// The text of Count pages is still to be recognised. Duration is the time left, 0 if unknown; or
	// Why says why it is not recognised.
	PagesToRecognise Kind = "scans left"
	// Count of Total passages have no vector yet. Duration is the time left, or Why says why they wait;
	// neither is set if unknown.
	PassagesWithoutVector  Kind = "without vector"
	PassagesRefusedByModel Kind = "vectors refused" // The embedding model refused Count of Total passages.
)

// Note is something that the reader of an answer should know. Which fields are set, and their
// meaning, depends on the kind.
type Note struct {
	Kind            Kind
	Path            string // path of a file as shown, path of a folder, or a glob
	Words           []string
	Details         []message.Message // conditions of a filter, or storages
	Model           string
	Library         message.Message // short name of a storage
	Why             message.Message // cause, in the words of the system or the model
	PID             int
	Duration        time.Duration
	Count           int
	Done            int
	Total           int
	MayBeIncomplete bool // there may be documents that are not indexed yet
}

// isShownFirst reports whether the note is shown before the results rather than after them: otherwise
// readers would take these for an answer to the question.
func (n Note) isShownFirst() bool {
	return n.Kind == QuestionSubjectNotFound || n.Kind == QuestionNamesNothing
}

// IsAboutFolder reports whether the note is about a folder that is missing, silent or another one.
func (n Note) IsAboutFolder() bool {
	switch n.Kind {
	case FolderUnresponsive, FolderMissing, FolderPathRedirected, FolderMismatch:
		return true
	}
	return false
}

// SplitShownFirst separates the notes that are shown before the results from the others.
func SplitShownFirst(notes []Note) (first, others []Note) {
	for _, n := range notes {
		if n.isShownFirst() {
			first = append(first, n)
		} else {
			others = append(others, n)
		}
	}
	return first, others
}

// EnglishLines returns each note in English.
func EnglishLines(notes []Note) []string { return linesIn(message.English, notes) }

// linesIn returns each note in the given language.
func linesIn(language message.Language, notes []Note) []string {
	var lines []string
	for _, n := range notes {
		lines = append(lines, n.Message().InLanguage(language))
	}
	return lines
}

// MarshalText returns the note in English, which is its form in JSON.
func (n Note) MarshalText() ([]byte, error) { return n.Message().MarshalText() }

// String returns the note in English, in one line.
func (n Note) String() string { return n.Message().String() }

// Message returns the text of the note, in one line.
func (n Note) Message() message.Message {
	switch n.Kind {
	case QuestionRefused, ModelSlow, ModelFailed, ModelChanged:
		return message.New("Found by words only: %v.", n.noVectorMessage())
	case RerankerSlow:
		return message.New("Not reranked: %s took longer than %s to answer.", n.Model, FormatDuration(n.Duration))
	case RerankerFailed:
		return message.New("Not reranked: the reranker did not answer (%v).", n.Why)
	case NoDocumentAtPath, PathMatchedDeeper, NoDocumentWithTag, NoDocumentWithKey, NoDocumentWithValue, NoDocumentInPeriod, NoDocumentWithLink, NoDocumentMeetsAll:
		return n.filterMessage()
	case NothingSearchable:
		return n.noDocumentMessage()
	case NoMatchInFilter:
		return message.New("The filter selects %v, but nothing there matches.", documentCount(n.Count))
	case UnknownWords:
		if len(n.Details) > 0 {
			return message.New("Not found anywhere in %v: %v. Similar words were taken instead: %v.", searchedMessage(n.MayBeIncomplete), joinWords(n.Words), message.Join(n.Details...))
		}
		return message.New("Not found anywhere in %v: %v.", searchedMessage(n.MayBeIncomplete), joinWords(n.Words))
	case QuestionSubjectNotFound:
		if len(n.Details) > 0 {
			return message.New("Not found anywhere in %v: %v. What follows matches only other words of the question and similar words (%v), and may be unrelated.", searchedMessage(n.MayBeIncomplete), joinWords(n.Words), message.Join(n.Details...))
		}
		return message.New("Not found anywhere in %v: %v. What follows matches only other words of the question and may be unrelated.", searchedMessage(n.MayBeIncomplete), joinWords(n.Words))
	case QuestionNamesNothing:
		return message.New("The question has only words such as “what” and “is”, which occur in most texts: say what it is about.")
	case OtherLanguage:
		return n.languageMessage()
	case NamedFileNotIndexed:
		return message.New("%s exists but is not indexed: %v.", present.QuoteName(n.Path), n.Why)
	case HiddenPartsNotRead:
		return n.hiddenPartsMessage()
	case PunctuationIgnored:
		return message.New("No exact match: these places have the same words with different punctuation or Markdown marks between them.")
	case UmlautsRespelled:
		return message.New("No exact match: these places spell umlauts in another way, such as ö for oe or oe for ö.")
	case DocumentsNotSearched:
		return message.New("%v could not be searched because of an internal error (see the log): there may be more places.", documentCount(n.Count))
	case SearchTimedOut:
		return n.outOfTimeMessage()
	case DatabaseUnavailable, DatabaseReadOnly, DatabaseSlow:
		return n.databaseMessage()
	case IndexerUnresponsive, IndexerBehind, FreshnessUnknown, NoIndexer:
		return message.New("The index may be behind: %v.", n.indexerMessage())
	}
	if n.IsAboutFolder() {
		return n.folderMessage()
	}
	return n.workMessage()
}

// hiddenPartsMessage says of which documents hidden parts are not read.
func (n Note) hiddenPartsMessage() message.Message {
	if n.Count == 0 {
		return message.New("Hidden parts of %v are not read.", joinWords(n.Words))
	}
	return message.New("Hidden parts of %v, and of another %v, are not read.", joinWords(n.Words), documentCount(n.Count))
}

// outOfTimeMessage says what could not be searched in time.
func (n Note) outOfTimeMessage() message.Message {
	var begun message.Message
	if len(n.Words) > 0 {
		begun = message.New(", and a part of %v", joinWords(n.Words))
	}
	return message.New("Only %d of %v were searched in %v%v: there may be more places. Narrow it down, for example by path or with a simpler pattern.",
		n.Done, documentCount(n.Total), FormatDuration(n.Duration), begun)
}

// noDocumentMessage says why there is no document to search.
func (n Note) noDocumentMessage() message.Message {
	switch {
	case n.MayBeIncomplete:
		return message.New("No document is indexed yet; ask again in a moment.")
	case n.Count == 0:
		return message.New("There is no document to search: the folder is empty, or its files are of unsupported types.")
	case n.Count == 1:
		return message.New("There is no document to search: there is one file, but it is not indexed.")
	}
	return message.New("There is no document to search: there are %d files, but none is indexed.", n.Count)
}

// workMessage says what is being done, or still to be done, to the index.
func (n Note) workMessage() message.Message {
	switch n.Kind {
	case IndexingFailed:
		return message.New("The index may be out of date because the last run failed: %v.", n.Why)
	case IndexBeingBuilt:
		return message.New("The index is being built: %v are done%v; ask again for a complete answer.", FilesDone(n.Done, n.Total), TimeLeft(n.Duration))
	case FolderBeingScanned:
		return message.New("The folder is still being scanned; ask again for a complete answer.")
	case ScannedDuringAnswer:
		return message.New("The folder was being scanned until now; ask again for a complete answer.")
	case FolderUnwatched:
		return message.New("Changes may show only after %d seconds: not all of the folder is watched (%v).", int(n.Duration.Seconds()), n.Why)
	case FileReadAtIntervals:
		return message.New("%v changes constantly and is read at intervals: its latest changes may be missing.", n.changingMessage())
	case PagesToRecognise:
		return n.scansMessage()
	case PassagesWithoutVector, PassagesRefusedByModel:
		return message.New("%d of %d passages %v and are found by their words only.", n.Count, n.Total, n.unembeddedMessage())
	}
	return message.Message(n.Kind)
}

// scansMessage says how many scanned pages are waiting for their text to be recognised, and why.
func (n Note) scansMessage() message.Message {
	pages := message.New("%d scanned pages", n.Count)
	if n.Count == 1 {
		pages = message.New("1 scanned page")
	}
	if n.Why != "" {
		return message.New("The text of %v is not recognised: %v.", pages, n.Why)
	}
	return message.New("The text of %v is still to be recognised%v; ask again if the answer may be there.", pages, TimeLeft(n.Duration))
}

// changingMessage names the files that change constantly.
func (n Note) changingMessage() message.Message {
	name := present.QuoteName(n.Path)
	if n.Count == 0 {
		return message.New("%s", name)
	}
	return message.New("%s (like %d other files)", name, n.Count)
}

// noVectorMessage says why a question has no vector.
func (n Note) noVectorMessage() message.Message {
	switch n.Kind {
	case QuestionRefused:
		return message.New("the embedding model refuses the question (%v)", n.Why)
	case ModelSlow:
		return message.New("%s took longer than %s to answer", n.Model, FormatDuration(n.Duration))
	case ModelChanged:
		return message.New("the vectors of %s now have a different length, so all passages are being embedded again", n.Model)
	}
	return message.New("the embedding model did not answer (%v)", n.Why)
}

// indexerMessage says what is wrong with the process that keeps the index up to date.
func (n Note) indexerMessage() message.Message {
	who := message.New("another process")
	if n.PID != 0 {
		who = message.New("process %d", n.PID)
	}
	switch {
	case n.Kind == FreshnessUnknown:
		return message.New("the latest saved files could not be checked in time")
	case n.Kind == NoIndexer && len(n.Details) == 0:
		return message.New("no server with access to the files is running")
	case n.Kind == NoIndexer:
		return message.New("no server with access to the files of %v is running", joinMessages(n.Details))
	case n.Kind == IndexerBehind:
		return message.New("%v, which keeps it up to date, has not yet processed the changes in the folder", who)
	}
	return message.New("%v, which keeps it up to date, has not answered for %d s; it may be stopped", who, int(n.Duration.Seconds()))
}

// folderMessage says what is wrong with a folder.
func (n Note) folderMessage() message.Message {
	switch {
	case n.Kind == FolderUnresponsive:
		return message.New("The folder does not respond: the drive or network of %s has been silent for %d seconds; this answer comes from the existing index.", present.QuoteName(n.Path), int(max(1, n.Duration.Seconds())))
	case n.Kind == FolderMissing && n.Count == 0:
		return message.New("%v. None of its content is known yet.", message.Capitalised(n.Why))
	case n.Kind == FolderMissing:
		return message.New("%v. What is known about it was read earlier.", message.Capitalised(n.Why))
	case n.Kind == FolderPathRedirected:
		return message.New("%v, but these documents belong to %s: restart vademecum to see the others.", n.Why, present.QuoteName(n.Path))
	}
	return message.New("The folder %s is not indexed: %d of the %d documents of %s are not files in it. To make the library hold this folder instead: %v.", present.QuoteName(n.Path), n.Count, n.Total, n.Library, ReplaceLibraryCommand(n.Path))
}

// databaseMessage says what is wrong with the database that stores the index.
func (n Note) databaseMessage() message.Message {
	switch {
	case n.Kind == DatabaseSlow:
		return message.New("The database is slow (%d ms per statement; a question needs about ten): answers take longer.", n.Duration.Milliseconds())
	case n.Kind == DatabaseReadOnly:
		return message.New("The database accepts no changes now (%v): the latest saved changes may be missing.", n.Why)
	case n.Why != "":
		return message.New("The database cannot be used now: %v. This answer uses what was known before and may be out of date.", n.Why)
	}
	return message.New("The database cannot be reached now: this answer uses what was known before and may be out of date.")
}

// FormatDuration formats a short duration, such as 2s or 5m0s.
func FormatDuration(d time.Duration) message.Message {
	minutes, seconds := int(d.Minutes()), int(d.Seconds())%60
	switch {
	case d%time.Second != 0:
		return message.New("%[2]s", d.Milliseconds(), d.String())
	case minutes == 0:
		return message.New("%ds", seconds)
	case minutes < 60 && seconds == 0:
		return message.New("%dm0s", minutes)
	}
	return message.New("%[3]s", minutes, seconds, d.String())
}

// TimeLeft says how long something will take, if that is known.
func TimeLeft(left time.Duration) message.Message {
	switch {
	case left == 0:
		return ""
	case left < time.Minute:
		return message.New(" (about %d seconds left)", max(1, int(left.Seconds())))
	}
	return message.New(" (about %d min left)", int(left.Minutes()))
}

// unembeddedMessage says why passages have no vector.
func (n Note) unembeddedMessage() message.Message {
	switch {
	case n.Kind == PassagesRefusedByModel:
		return message.New("are refused by the embedding model")
	case n.Duration > 0:
		return message.New("have no vector yet (about %s left)", FormatDuration(n.Duration))
	case n.Why != "":
		return message.New("have no vector yet (%v)", n.Why)
	}
	return message.New("have no vector yet")
}

// ReplaceLibraryCommand returns the command that replaces the documents of a library by those of a folder.
func ReplaceLibraryCommand(folder string) message.Message {
	return message.New("vademecum index %s --replace, with the same --library", present.QuoteName(folder))
}
