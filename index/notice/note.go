// Package notice holds what an index reports to people besides the passages of an answer: as
// plain values, which cross every interface, and only here as text.
package notice

import (
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Kind is what a Note is about.
type Kind string

const (
	// For a question whose passages are found by words only: the model refuses it (Why), takes
	// longer than For (Model), does not answer (Why), or gives vectors of another length now
	// (Model).
	QuestionRefused Kind = "question refused"
	ModelSlow       Kind = "model slow"
	ModelFails      Kind = "model fails"
	ModelChanged    Kind = "model changed"

	// For a question whose passages are in the order without the reranker: that takes longer than
	// For (Model), or does not answer (Why).
	RerankerSlow  Kind = "reranker slow"
	RerankerFails Kind = "reranker fails"

	NoPath        Kind = "no path"        // no document has a path that matches Path, a glob; SoFar
	PathElsewhere Kind = "path elsewhere" // none matches from the top, but Words, folders or documents, do further down: these are meant
	// For a filter that no document meets; SoFar.
	NoTag     Kind = "no tag"      // Path, a tag; Words are similar tags, with their numbers
	NoKey     Kind = "no key"      // Path, a key of front matter; Words likewise
	NoValue   Kind = "no value"    // Path, a key and its value; Words likewise, for the key
	NoDate    Kind = "no date"     // Of[0], from or until when; Words[0] is the nearest date
	NoLink    Kind = "no link"     // Path, a document without links to it, or "" for any; Of[0], one without links
	NoneOfAll Kind = "none of all" // Of are the conditions with the numbers of their documents; Path, a glob, or ""

	NoDocument Kind = "no document"  // no document can be searched, though Count files exist; SoFar
	NotInThose Kind = "not in those" // Count documents meet a filter, and nothing in them matches

	UnknownWords  Kind = "unknown words"  // Words are in no document; SoFar
	NothingOfIt   Kind = "nothing of it"  // the passages have only the other words of the question: Words are in no document; SoFar. It is shown first
	OtherLanguage Kind = "other language" // little was found for a question: Words are the codes of the languages of the documents, and it is in none of these
	NamedUnread   Kind = "named unread"   // a question names Path, which is not indexed: Why
	FoundLoosely  Kind = "found loosely"  // a text occurs nowhere exactly, but with other marks between its words
	NotLooked     Kind = "not looked"     // Count documents could not be searched, by a fault of this program
	OutOfTime     Kind = "out of time"    // For sufficed for Done of Total documents, and for a part of Words

	DatabaseAway    Kind = "database away"    // it does not answer, or Why it cannot be used
	DatabaseRefuses Kind = "database refuses" // it accepts no changes: Why
	DatabaseSlow    Kind = "database slow"    // each statement takes at least For, and a question some ten of them

	RunFailed    Kind = "run failed"    // the last run failed, so that anything may be outdated: Why
	BeingBuilt   Kind = "being built"   // Done of Total files are indexed; For is left, unless unknown
	BeingScanned Kind = "being scanned" // the folder is still being scanned
	WasScanned   Kind = "was scanned"   // the folder was being scanned while the answer was made

	ProcessSilent Kind = "process silent" // the indexer has not answered For; PID, 0: unknown
	ProcessBehind Kind = "process behind" // the indexer answers, and has not indexed what changed; PID
	NotCompared   Kind = "not compared"   // it could not be determined in time whether the index is up to date
	NobodyIndexes Kind = "nobody indexes" // no process indexes folders whose files this machine does not see; Of are the short names of their storages, none: all of them
	FolderSilent  Kind = "folder silent"  // Path, a folder, has not answered For
	FolderMissing Kind = "folder missing" // Path, a folder, is missing or cannot be read: Why, with what to do; Count of its files are known from before
	FolderStrayed Kind = "folder strayed" // the path by which it was given leads elsewhere (Why), the documents are those of Path
	FolderUnlike  Kind = "folder unlike"  // Count of Total documents of Library are not files of Path, a folder, so that it is not indexed
	Unwatched     Kind = "unwatched"      // changes are found only after For: Why
	AtIntervals   Kind = "at intervals"   // Path changes all the time, and so do Count other files

	ScansLeft      Kind = "scans left"      // the text of Count pages is still to be recognised: For is left, unless unknown, or Why it is not done
	WithoutVector  Kind = "without vector"  // Count of Total passages wait for one: For is left, or Why, unless neither is known
	VectorsRefused Kind = "vectors refused" // Count of Total passages are refused by the model
)

// Note is something that the reader of an answer should know about it. The meaning of its fields,
// and which are set, depends on the kind.
type Note struct {
	Kind    Kind
	Path    string // of a file as shown, of a folder, or a glob
	Words   []string
	Of      []message.Message // conditions of a filter, or storages
	Model   string
	Library message.Message // the short name of a storage
	Why     message.Message // the cause, in the words of the system or the model
	PID     int
	For     time.Duration
	Count   int
	Done    int
	Total   int
	SoFar   bool // there may be documents that are not indexed yet
}

// IsFirst reports whether the note is shown before the results, not after them: otherwise these
// would be taken for what was asked.
func (n Note) IsFirst() bool { return n.Kind == NothingOfIt }

// SplitFirst separates the notes that are shown before the results from the others.
func SplitFirst(notes []Note) (first, others []Note) {
	for _, n := range notes {
		if n.IsFirst() {
			first = append(first, n)
		} else {
			others = append(others, n)
		}
	}
	return first, others
}

// Lines returns each note in English.
func Lines(notes []Note) []string { return LinesIn(message.English, notes) }

// LinesIn returns each note in a language.
func LinesIn(l message.Language, notes []Note) []string {
	var lines []string
	for _, n := range notes {
		lines = append(lines, n.Message().In(l))
	}
	return lines
}

// MarshalText returns the note in English, which is its form in JSON.
func (n Note) MarshalText() ([]byte, error) { return n.Message().MarshalText() }

// String returns the note in English, one line.
func (n Note) String() string { return n.Message().String() }

// Message returns the note in words, one line.
func (n Note) Message() message.Message {
	switch n.Kind {
	case QuestionRefused, ModelSlow, ModelFails, ModelChanged:
		return message.New("Found by words only: %v.", n.noVectorMessage())
	case RerankerSlow:
		return message.New("Not reranked: %s took longer than %s to answer.", n.Model, FormatDuration(n.For))
	case RerankerFails:
		return message.New("Not reranked: the reranker did not answer (%v).", n.Why)
	case NoPath, PathElsewhere, NoTag, NoKey, NoValue, NoDate, NoLink, NoneOfAll:
		return n.filterMessage()
	case NoDocument:
		return n.noDocumentMessage()
	case NotInThose:
		return message.New("The filter admits %v, in which nothing matches.", documentCount(n.Count))
	case UnknownWords:
		return message.New("Nowhere in %v: %v.", searchedMessage(n.SoFar), joinWords(n.Words))
	case NothingOfIt:
		return message.New("Nowhere in %v: %v. What follows has only other words of the question, and may have nothing to do with it.", searchedMessage(n.SoFar), joinWords(n.Words))
	case OtherLanguage:
		return n.languageMessage()
	case NamedUnread:
		return message.New("%s is there and is not indexed: %v.", present.QuoteName(n.Path), n.Why)
	case FoundLoosely:
		return message.New("It stands nowhere just so: these places have its words with other punctuation, or marks of Markdown, between them.")
	case NotLooked:
		return message.New("%v could not be looked through, by a fault of this program that its log tells of: there may be more places.", documentCount(n.Count))
	case OutOfTime:
		return n.outOfTimeMessage()
	case DatabaseAway, DatabaseRefuses, DatabaseSlow:
		return n.databaseMessage()
	case ProcessSilent, ProcessBehind, NotCompared, NobodyIndexes:
		return message.New("The index may be behind: %v.", n.indexerMessage())
	case FolderSilent, FolderMissing, FolderStrayed, FolderUnlike:
		return n.folderMessage()
	}
	return n.workMessage()
}

// outOfTimeMessage says what there was no time to search.
func (n Note) outOfTimeMessage() message.Message {
	var begun message.Message
	if len(n.Words) > 0 {
		begun = message.New(", and a part of %v", joinWords(n.Words))
	}
	return message.New("Only %d of %v were looked through in %v%v: there may be more places. Narrow it down, as by path or a simpler pattern.",
		n.Done, documentCount(n.Total), FormatDuration(n.For), begun)
}

// noDocumentMessage says why there is no document to search.
func (n Note) noDocumentMessage() message.Message {
	switch {
	case n.SoFar:
		return message.New("No document is indexed yet; ask again in a moment.")
	case n.Count == 0:
		return message.New("There is no document to search: the folder is empty, or its files are of kinds that are not read.")
	case n.Count == 1:
		return message.New("There is no document to search: a file is there, but it is not indexed.")
	}
	return message.New("There is no document to search: %d files are there, but none of them is indexed.", n.Count)
}

// workMessage says what is being done, or still to be done, to the index.
func (n Note) workMessage() message.Message {
	switch n.Kind {
	case RunFailed:
		return message.New("The index may be out of date, the last run failed: %v.", n.Why)
	case BeingBuilt:
		return message.New("The index is being built: %v are done%v; ask again for a complete answer.", FilesDone(n.Done, n.Total), TimeLeft(n.For))
	case BeingScanned:
		return message.New("The folder is still being scanned; ask again for a complete answer.")
	case WasScanned:
		return message.New("The folder was being scanned until now; ask again for a complete answer.")
	case Unwatched:
		return message.New("Changes may show only after %d seconds: not all of the folder is watched (%v).", int(n.For.Seconds()), n.Why)
	case AtIntervals:
		return message.New("%v changes all the time and is read at intervals: what was written to it last may be missing.", n.changingMessage())
	case ScansLeft:
		return n.scansMessage()
	case WithoutVector, VectorsRefused:
		return message.New("%d of %d passages %v and are found by their words only.", n.Count, n.Total, n.unembeddedMessage())
	}
	return message.Message(n.Kind)
}

// scansMessage says how many pages wait for their text to be recognised.
func (n Note) scansMessage() message.Message {
	pages := message.New("%d scanned pages", n.Count)
	if n.Count == 1 {
		pages = message.New("1 scanned page")
	}
	if n.Why != "" {
		return message.New("The text of %v is not recognised: %v.", pages, n.Why)
	}
	return message.New("The text of %v is still to be recognised%v; ask again if the answer may be there.", pages, TimeLeft(n.For))
}

// changingMessage names the files that change all the time.
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
		return message.New("%s took longer than %s to answer", n.Model, FormatDuration(n.For))
	case ModelChanged:
		return message.New("the vectors of %s have another length now, all passages are embedded anew", n.Model)
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
	case n.Kind == NotCompared:
		return message.New("it could not be compared with what was saved last in time")
	case n.Kind == NobodyIndexes && len(n.Of) == 0:
		return message.New("no server that sees the files runs now")
	case n.Kind == NobodyIndexes:
		return message.New("no server that sees the files of %v runs now", joinMessages(n.Of))
	case n.Kind == ProcessBehind:
		return message.New("%v, which keeps it up to date, has not taken up yet what changed in the folder", who)
	}
	return message.New("%v, which keeps it up to date, has not answered for %d s; it may be stopped", who, int(n.For.Seconds()))
}

// folderMessage says what is wrong with a folder.
func (n Note) folderMessage() message.Message {
	switch {
	case n.Kind == FolderSilent:
		return message.New("The folder does not answer: nothing was heard from the drive or network of %s for %d seconds, this is from the index as it was before.", present.QuoteName(n.Path), int(max(1, n.For.Seconds())))
	case n.Kind == FolderMissing && n.Count == 0:
		return message.New("%v. Nothing of it is known yet.", message.Sentence(n.Why))
	case n.Kind == FolderMissing:
		return message.New("%v. What is known of it is from before.", message.Sentence(n.Why))
	case n.Kind == FolderStrayed:
		return message.New("%v, but these documents are those of %s: start vademecum again for the others.", n.Why, present.QuoteName(n.Path))
	}
	return message.New("The folder %s is not indexed: %d of the %d documents of %s are no files of it. If it is to be what the library holds: %v.", present.QuoteName(n.Path), n.Count, n.Total, n.Library, ReplaceCommand(n.Path))
}

// databaseMessage says what is wrong with the database that stores the index.
func (n Note) databaseMessage() message.Message {
	switch {
	case n.Kind == DatabaseSlow:
		return message.New("The database answers slowly (%d ms a statement, of which a question needs some ten): answers take long.", n.For.Milliseconds())
	case n.Kind == DatabaseRefuses:
		return message.New("The database takes no changes now (%v): what was saved last may be missing.", n.Why)
	case n.Why != "":
		return message.New("The database cannot be used now: %v. This is what was known before, and may be old.", n.Why)
	}
	return message.New("The database cannot be reached now: this is what was known before, and may be old.")
}

// FormatDuration formats some seconds or minutes: 2s, 5m0s.
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

// TimeLeft says how long something will take, if known.
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
	case n.Kind == VectorsRefused:
		return message.New("are refused by the embedding model")
	case n.For > 0:
		return message.New("have no vector yet (about %s left)", FormatDuration(n.For))
	case n.Why != "":
		return message.New("have no vector yet (%v)", n.Why)
	}
	return message.New("have no vector yet")
}

// ReplaceCommand returns the command that makes a library that of a folder.
func ReplaceCommand(folder string) message.Message {
	return message.New("vademecum index %s --replace, with the same --library", present.QuoteName(folder))
}
